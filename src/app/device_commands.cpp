#include "app/device_commands.hpp"

#include "core/log.hpp"
#include "device/gl/context.hpp"

namespace solenoid {
namespace {

const char* yes(bool value) { return value ? "yes" : "no"; }

void show(const gl::DeviceDescription& d) {
    log::info("{}{}", d.name, d.is_software ? "  (software: --device compute and fragment run on it where there is no GPU)" : "");
    log::info("    {}, OpenGL {}", d.vendor, d.version);
    log::info("    devices            {}fragment", d.has_compute ? "compute, " : "");
    log::info("    double precision   {}", yes(d.has_fp64));
    log::info("    sparse buffers     {}", yes(d.has_sparse_buffers));
    log::info("    largest buffer     {} MiB, {} a kernel", d.max_storage_bytes >> 20, d.max_storage_bindings);
    log::info("    largest texture    {} x {}, {} attachments", d.max_texture_size, d.max_texture_size, d.max_color_attachments);
}

}  // namespace

int show_devices() {
    log::info("cpu\n    always there; one rank a core");
    const auto devices = gl::list_devices();
    for (const auto& device : devices) show(device);
    if (devices.empty()) log::info("no OpenGL: install a GPU's driver, or Mesa (libegl-mesa0, libgl1-mesa-dri)");
    return 0;
}

}  // namespace solenoid

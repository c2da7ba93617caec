// The families `compute` and `fragment`.
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/gl/gl_device.hpp"

namespace solenoid::gl {
namespace {

std::string title(const DeviceDescription& d) {
    return d.name + " (OpenGL " + d.version + ", " + d.id + ")";
}

// The context of the rank's GPU, or nullptr and the reason where there is none.
std::shared_ptr<Context> find_hardware(int local_rank, std::string& why) {
    try {
        auto context = Context::create(local_rank);
        if (!context->description().is_software) return context;
        why = "no hardware GPU with OpenGL was found";
    } catch (const InputError& error) {
        why = error.what();
    }
    return nullptr;
}

using Make = std::unique_ptr<Device> (*)(std::shared_ptr<Context>, const DeviceRequest&);

DeviceChoice choose(const char* name, Make make, const DeviceRequest& request) {
    const auto context = Context::create(request.local_rank);
    const DeviceDescription& d = context->description();
    if (request.double_precision && !d.has_fp64)
        throw InputError(fmt::format(
            "device {}: {} has no double precision: choose single precision or the device cpu",
            name, title(d)));
    return {make(context, request), fmt::format("{}: asked for, on {}{}", name, title(d),
                                                d.is_software ? ", a software renderer" : "")};
}

const char* yes(bool value) { return value ? "yes" : "no"; }

std::string described(const DeviceDescription& d) {
    return fmt::format(
        "{}{}\n"
        "    {}, OpenGL {}\n"
        "    devices            {}fragment\n"
        "    double precision   {}\n"
        "    sparse buffers     {}\n"
        "    largest buffer     {} MiB, {} a kernel\n"
        "    largest texture    {} x {}, {} attachments",
        d.name,
        d.is_software
            ? "  (software: --device compute and fragment run on it where there is no GPU)"
            : "",
        d.vendor, d.version, d.has_compute ? "compute, " : "", yes(d.has_fp64),
        yes(d.has_sparse_buffers), d.max_storage_bytes >> 20, d.max_storage_bindings,
        d.max_texture_size, d.max_texture_size, d.max_color_attachments);
}

}  // namespace

DeviceChoice choose_compute(const DeviceRequest& request) {
    return choose(
        "compute",
        [](std::shared_ptr<Context> context, const DeviceRequest&) {
            return make_compute_device(std::move(context));
        },
        request);
}
DeviceChoice choose_fragment(const DeviceRequest& request) {
    return choose(
        "fragment",
        [](std::shared_ptr<Context> context, const DeviceRequest& asked) {
            return make_fragment_device(std::move(context), asked.least_side);
        },
        request);
}

DeviceChoice choose_automatically(const DeviceRequest& request) {
    std::string why;
    const auto context = find_hardware(request.local_rank, why);
    if (!context) return {nullptr, why};
    const DeviceDescription& d = context->description();
    if (request.double_precision && !d.has_fp64)
        return {nullptr, d.name + " has no double precision"};
    if (d.has_compute) return {make_compute_device(context), "compute: found " + title(d)};
    if (d.has_fragment)
        return {make_fragment_device(context),
                "fragment: found " + title(d) + ", which has no compute shaders"};
    return {nullptr, title(d) + " is older than OpenGL 4.0"};
}

std::vector<std::string> describe_devices() {
    std::vector<std::string> texts;
    for (const DeviceDescription& d : list_devices()) texts.push_back(described(d));
    return texts.empty() ? std::vector<std::string>{"no OpenGL: install a GPU's driver, or Mesa (libegl-mesa0, libgl1-mesa-dri)"} : texts;
}

}  // namespace solenoid::gl

#include "core/error.hpp"
#include "device/gl/gl_device.hpp"

namespace solenoid {
namespace {

using gl::Context;

std::string title(const gl::DeviceDescription& d) {
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

DeviceChoice choose_cpu(const std::string& reason) { return {make_cpu_device(), "cpu: " + reason}; }

DeviceChoice choose_automatically(int local_rank, bool double_precision) {
    std::string why;
    const auto context = find_hardware(local_rank, why);
    if (!context) return choose_cpu(why);
    const gl::DeviceDescription& d = context->description();
    if (double_precision && !d.has_fp64) return choose_cpu(d.name + " has no double precision");
    if (d.has_compute) return {make_compute_device(context), "compute: found " + title(d)};
    if (d.has_fragment)
        return {make_fragment_device(context),
                "fragment: found " + title(d) + ", which has no compute shaders"};
    return choose_cpu(title(d) + " is older than OpenGL 4.0");
}

DeviceChoice choose_asked(const std::string& name, int local_rank, bool double_precision) {
    const auto context = Context::create(local_rank);
    const gl::DeviceDescription& d = context->description();
    if (double_precision && !d.has_fp64)
        throw InputError("device " + name + ": " + title(d) +
                         " has no double precision: choose single precision or the device cpu");
    auto device = name == "compute" ? make_compute_device(context) : make_fragment_device(context);
    return {std::move(device),
            name + ": asked for, on " + title(d) + (d.is_software ? ", a software renderer" : "")};
}

}  // namespace

DeviceChoice select_device(const std::string& name, int local_rank, bool double_precision) {
    if (name == "cpu") return choose_cpu("asked for");
    if (name == "auto") return choose_automatically(local_rank, double_precision);
    if (name == "compute" || name == "fragment") return choose_asked(name, local_rank, double_precision);
    const std::string near = nearest_name(name, {"auto", "cpu", "compute", "fragment"});
    throw InputError("unknown device '" + name + "'" + (near.empty() ? "" : ", did you mean " + near + "?") +
                     " (auto, cpu, compute or fragment)");
}

}  // namespace solenoid

#include "device/choice/select_device.hpp"

#include <fmt/format.h>

#include <ranges>

#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/gl/gl_device.hpp"

namespace solenoid {
namespace {

DeviceChoice make_cpu(const DeviceRequest&) { return {make_cpu_device(), "cpu: asked for"}; }
std::vector<std::string> list_cpu() { return {"cpu\n    always there; one rank a core"}; }
bool always() { return true; }

DeviceChoice choose_automatically(const DeviceRequest& request) {
    std::string why;
    for (const DeviceFamily& family : device_families() | std::views::reverse) {
        if (!family.make_automatically) continue;
        DeviceChoice choice = family.make_automatically(request);
        if (choice.device) return choice;
        why = choice.reason;
    }
    return {make_cpu_device(), "cpu: " + why};
}

}  // namespace

// A device of another kind is a line here; `auto` takes the last that it finds.
std::span<const DeviceFamily> device_families() {
    static const DeviceFamily families[] = {
        {"cpu", make_cpu, nullptr, list_cpu, always},
        {"compute", gl::choose_compute, gl::choose_automatically, gl::describe_devices, always},
        {"fragment", gl::choose_fragment, nullptr, nullptr, always},
        {"cuda", cuda::choose_cuda, cuda::choose_automatically, cuda::describe_gpus,
         cuda::is_there},
    };
    return families;
}

std::vector<std::string> device_choices() {
    std::vector<std::string> names{"auto"};
    for (const DeviceFamily& family : device_families()) names.push_back(family.name);
    return names;
}

DeviceChoice select_device(const std::string& name, int local_rank, bool double_precision) {
    return select_device(name, {local_rank, double_precision});
}

DeviceChoice select_device(const std::string& name, const DeviceRequest& request) {
    if (name == "auto") return choose_automatically(request);
    for (const DeviceFamily& family : device_families())
        if (name == family.name) return family.make(request);
    const std::vector<std::string> names = device_choices();
    const std::string near = nearest_name(name, names);
    throw InputError(fmt::format("unknown device '{}'{} ({})", name,
                                 near.empty() ? "" : ", did you mean " + near + "?",
                                 joined_words(names, ", ")));
}

}  // namespace solenoid

// The family `cuda`.
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/embedded.hpp"

namespace solenoid::cuda {
namespace {

constexpr const char* no_kernels =
    "this program was built without clang, which makes its kernels (tools/setup installs it)";

std::string described(const GpuDescription& d) {
    return fmt::format(
        "{}\n"
        "    driver for CUDA {}.{}, compute capability {}.{}, {}\n"
        "    devices            cuda\n"
        "    double precision   yes\n"
        "    memory             {} MiB",
        d.name, d.driver / 1000, d.driver % 1000 / 10, d.major, d.minor, d.bus, d.bytes >> 20);
}

}  // namespace

bool has_kernels() { return moves_ptx[0] != '\0'; }

DeviceChoice choose_cuda(const DeviceRequest& request) {
    if (!has_kernels())
        throw InputError(std::string("device cuda: ") + no_kernels +
                         ": choose the device compute or cpu");
    const auto session = Session::open(request.local_rank);
    const GpuDescription& d = session->description();
    return {make_cuda_device(session),
            fmt::format("cuda: asked for, on {} ({}, CUDA {}.{})", d.name, d.bus, d.driver / 1000,
                        d.driver % 1000 / 10)};
}

DeviceChoice choose_automatically(const DeviceRequest& request) {
    std::string why;
    if (!has_kernels()) return {nullptr, no_kernels};
    if (!Driver::find(why)) return {nullptr, why};
    try {
        const auto session = Session::open(request.local_rank);
        const GpuDescription& d = session->description();
        return {make_cuda_device(session),
                fmt::format("cuda: found {} ({}, CUDA {}.{})", d.name, d.bus, d.driver / 1000,
                            d.driver % 1000 / 10)};
    } catch (const Error& error) {  // a GPU that is too old, or none
        return {nullptr, error.what()};
    }
}

std::vector<std::string> describe_gpus() {
    if (!has_kernels()) return {std::string("no cuda: ") + no_kernels};
    std::string why;
    const Driver* driver = Driver::find(why);
    if (!driver) return {"no cuda: " + why};
    std::vector<std::string> texts;
    for (const GpuDescription& d : list_gpus(*driver)) texts.push_back(described(d));
    return texts.empty() ? std::vector<std::string>{"no cuda: NVIDIA's driver shows no GPU"}
                         : texts;
}

bool is_there() {
    std::string why;
    const Driver* driver = has_kernels() ? Driver::find(why) : nullptr;
    int count = 0;
    return driver && driver->device_count(&count) == success && count > 0;
}

}  // namespace solenoid::cuda

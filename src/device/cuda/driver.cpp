#include "device/cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "core/error.hpp"

namespace solenoid::cuda {
namespace {

struct Loaded {
    Driver driver{};
    bool is_there = false;
    std::string why;
};

template <class F>
bool find(void* library, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

bool Driver::load(void* library, std::string& why) {
    const auto need = [&](const char* name, auto*& function) {
        const bool is_there = cuda::find(library, name, function);
        if (!is_there && why.empty())
            why = fmt::format("NVIDIA's driver has no {}: it is older than 11.0", name);
    };
    need("cuInit", init);
    need("cuDriverGetVersion", driver_version);
    need("cuGetErrorString", error_string);
    need("cuDeviceGetCount", device_count);
    need("cuDeviceGet", device);
    need("cuDeviceGetName", device_name);
    need("cuDeviceGetAttribute", device_attribute);
    need("cuDeviceTotalMem_v2", device_bytes);
    need("cuDeviceGetPCIBusId", device_bus);
    need("cuDevicePrimaryCtxRetain", retain_context);
    need("cuDevicePrimaryCtxRelease_v2", release_context);
    need("cuCtxSetCurrent", set_context);
    need("cuStreamCreate", create_stream);
    need("cuStreamDestroy_v2", destroy_stream);
    need("cuStreamSynchronize", synchronize);
    need("cuStreamQuery", query);
    need("cuEventCreate", create_event);
    need("cuEventDestroy_v2", destroy_event);
    need("cuEventRecord", record_event);
    need("cuEventSynchronize", wait_for_event);
    need("cuMemAlloc_v2", allocate);
    need("cuMemFree_v2", release);
    need("cuMemHostAlloc", allocate_host);
    need("cuMemFreeHost", release_host);
    need("cuMemHostGetDevicePointer_v2", address_of_host);
    need("cuMemsetD8Async", fill);
    need("cuMemcpyHtoDAsync_v2", copy_up);
    need("cuMemcpyDtoHAsync_v2", copy_down);
    need("cuMemcpyDtoDAsync_v2", copy);
    need("cuModuleLoadDataEx", load_module);
    need("cuModuleUnload", unload_module);
    need("cuModuleGetFunction", module_function);
    need("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks_at_once);
    need("cuLaunchKernel", launch);
    cuda::find(library, "cuIpcGetMemHandle", name_memory);
    cuda::find(library, "cuIpcOpenMemHandle_v2", open_memory);
    cuda::find(library, "cuIpcCloseMemHandle", close_memory);
    cuda::find(library, "cuStreamBeginCapture_v2", begin_capture);
    cuda::find(library, "cuStreamEndCapture", end_capture);
    cuda::find(library, "cuGraphInstantiateWithFlags", instantiate);
    cuda::find(library, "cuGraphLaunch", launch_graph);
    cuda::find(library, "cuGraphDestroy", destroy_graph);
    cuda::find(library, "cuGraphExecDestroy", destroy_run);
    return why.empty();
}

const Driver* Driver::find(std::string& why) {
    static const Loaded loaded = [] {
        Loaded result;
        const char* other = std::getenv("SOLENOID_CUDA_LIBRARY");
        const char* name = other ? other : "libcuda.so.1";
        void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);  // for the rest of the program
        if (!library) {
            result.why = fmt::format("no driver of NVIDIA's on this host ({})", dlerror());
            return result;
        }
        if (!result.driver.load(library, result.why)) return result;
        const Status status = result.driver.init(0);
        result.is_there = status == success;
        if (!result.is_there) result.why = "cuInit: " + result.driver.words(status);
        return result;
    }();
    why = loaded.why;
    return loaded.is_there ? &loaded.driver : nullptr;
}

std::string Driver::words(Status status) const {
    const char* text = nullptr;
    if (error_string(status, &text) != success || !text) text = "an error that it has no words for";
    return fmt::format("{} ({})", text, status);
}

void Driver::check(Status status, const char* function) const {
    if (status != success)
        throw ComputationError(fmt::format("CUDA: {}: {}", function, words(status)));
}

}  // namespace solenoid::cuda

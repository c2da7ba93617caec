// NVIDIA's driver, libcuda.so.1, opened at run time: the functions that the device calls, by
// prototypes of our own. Their names are those of the binary interface (cuMemAlloc_v2), which the
// driver keeps.
#pragma once

#include <cstddef>
#include <string>

namespace solenoid::cuda {

using Status = int;                  // CUresult: 0 where a call succeeded
using Gpu = int;                     // CUdevice
using Address = unsigned long long;  // CUdeviceptr
using ContextHandle = struct ContextTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using GraphHandle = struct GraphTag*;
using GraphRunHandle = struct GraphRunTag*;  // CUgraphExec

constexpr Status success = 0, not_ready = 600;
constexpr unsigned stream_without_default = 1;         // CU_STREAM_NON_BLOCKING
constexpr unsigned event_without_time = 2;             // CU_EVENT_DISABLE_TIMING
constexpr unsigned host_memory_mapped = 2;             // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned peer_access_when_needed = 1;        // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
constexpr int error_log = 5, error_log_bytes = 6;      // CU_JIT_ERROR_LOG_BUFFER and its size
constexpr int processors = 16;                         // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int compute_major = 75, compute_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
constexpr int capture_of_thread = 1;                   // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

// By which another process opens memory (CUipcMemHandle).
struct MemoryName {
    char bytes[64];
};

struct Driver {
    // The driver of this host; nullptr where there is none, and why. SOLENOID_CUDA_LIBRARY names
    // another library.
    static const Driver* find(std::string& why);
    // Throws a ComputationError with the function's name and the driver's words.
    void check(Status status, const char* function) const;
    std::string words(Status status) const;

    Status (*init)(unsigned flags);
    Status (*driver_version)(int* version);
    Status (*error_string)(Status status, const char** text);
    Status (*device_count)(int* count);
    Status (*device)(Gpu* gpu, int number);
    Status (*device_name)(char* name, int bytes, Gpu gpu);
    Status (*device_attribute)(int* value, int attribute, Gpu gpu);
    Status (*device_bytes)(std::size_t* bytes, Gpu gpu);
    Status (*device_bus)(char* id, int bytes, Gpu gpu);
    Status (*retain_context)(ContextHandle* context, Gpu gpu);
    Status (*release_context)(Gpu gpu);
    Status (*set_context)(ContextHandle context);
    Status (*create_stream)(StreamHandle* stream, unsigned flags);
    Status (*destroy_stream)(StreamHandle stream);
    Status (*synchronize)(StreamHandle stream);
    Status (*query)(StreamHandle stream);
    Status (*create_event)(EventHandle* event, unsigned flags);
    Status (*destroy_event)(EventHandle event);
    Status (*record_event)(EventHandle event, StreamHandle stream);
    Status (*wait_for_event)(EventHandle event);
    Status (*allocate)(Address* address, std::size_t bytes);
    Status (*release)(Address address);
    Status (*allocate_host)(void** memory, std::size_t bytes, unsigned flags);
    Status (*release_host)(void* memory);
    Status (*address_of_host)(Address* address, void* memory, unsigned flags);
    Status (*fill)(Address to, unsigned char value, std::size_t bytes, StreamHandle stream);
    Status (*copy_up)(Address to, const void* from, std::size_t bytes, StreamHandle stream);
    Status (*copy_down)(void* to, Address from, std::size_t bytes, StreamHandle stream);
    Status (*copy)(Address to, Address from, std::size_t bytes, StreamHandle stream);
    Status (*load_module)(ModuleHandle* module, const void* text, unsigned options, int* option,
                          void** value);
    Status (*unload_module)(ModuleHandle module);
    Status (*module_function)(FunctionHandle* function, ModuleHandle module, const char* name);
    // of a multiprocessor
    Status (*blocks_at_once)(int* blocks, FunctionHandle function, int threads,
                             std::size_t shared_bytes);
    Status (*launch)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                     StreamHandle stream, void** parameters, void** extra);
    // Of memory of other processes; nullptr in drivers that have none.
    Status (*name_memory)(MemoryName* name, Address address);
    Status (*open_memory)(Address* address, MemoryName name, unsigned flags);
    Status (*close_memory)(Address address);
    bool has_peers() const { return name_memory && open_memory && close_memory; }
    // Of graphs; nullptr in drivers before 11.4.
    Status (*begin_capture)(StreamHandle stream, int mode);
    Status (*end_capture)(StreamHandle stream, GraphHandle* graph);
    Status (*instantiate)(GraphRunHandle* run, GraphHandle graph, unsigned long long flags);
    Status (*launch_graph)(GraphRunHandle run, StreamHandle stream);
    Status (*destroy_graph)(GraphHandle graph);
    Status (*destroy_run)(GraphRunHandle run);
    bool has_graphs() const {
        return begin_capture && end_capture && instantiate && launch_graph && destroy_graph &&
               destroy_run;
    }

  private:
    bool load(void* library, std::string& why);
};

}  // namespace solenoid::cuda

// NVIDIA's driver acted by the processor, for tests without a GPU: a shared library with the
// functions that device/cuda/driver.hpp looks for. Memory is the host's; a stream does what it was
// given as late as it may; kernels are the texts' loops, compiled through the same prologue, and
// the PTX of expressions is interpreted.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "device/cuda/arguments.hpp"
#include "device/cuda/driver.hpp"
#include "ptx_interpreter.hpp"

namespace solenoid::cuda {

struct ContextTag {
    int retained = 0;
};
struct Work {
    std::deque<std::function<void()>> steps;
    bool signals = false;  // is not put off: another process waits for it
};
struct GraphTag : Work {};
struct GraphRunTag : Work {};
struct StreamTag {
    Work work;
    GraphTag* captured = nullptr;
    void push(std::function<void()> step) {
        (captured ? *captured : work).steps.push_back(std::move(step));
    }
};
struct EventTag {
    StreamTag* stream = nullptr;
};
struct ModuleTag {
    std::string text;
};
struct FunctionTag {
    std::function<void(unsigned blocks, const void* parameter)> run;
    std::size_t parameter_bytes = 0;
    std::string name;
    bool signals = false;  // another process waits for it
};

}  // namespace solenoid::cuda

namespace {

using namespace solenoid::cuda;

constexpr Status invalid_value = 1, out_of_memory = 2, invalid_context = 201, invalid_text = 218,
                 not_found = 500, launch_failed = 719, not_while_captured = 900;
constexpr std::size_t memory_bytes = std::size_t(16) << 30;
constexpr int gpus = 2;

struct Machine {
    ContextTag contexts[gpus];
    std::map<Address, std::size_t> blocks;  // of memory, with their bytes
    std::map<Address, int> files;           // of those that have a name
    std::map<Address, std::size_t> opened;  // of other processes
    std::map<std::string, std::unique_ptr<FunctionTag>> functions;
    std::size_t bytes = 0;
    std::string failing;  // the function that fails once more, with the status
    Status failure = success;
    int graph_launches = 0;
    int compute_capability = 9;  // its first number
};
Machine& machine() {
    static Machine one;
    return one;
}
thread_local ContextTag* current = nullptr;
bool is_capturing = false;

// What every call begins with.
Status begin(const char* function) {
    if (machine().failing == function) {
        machine().failing.clear();
        return machine().failure;
    }
    return current && current->retained ? success : invalid_context;
}

Status run_all(StreamTag* stream) {
    if (stream->captured) return not_while_captured;
    try {
        while (!stream->work.steps.empty()) {
            const auto step = std::move(stream->work.steps.front());
            stream->work.steps.pop_front();
            step();
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "stand-in: %s\n", error.what());
        return launch_failed;
    }
    return success;
}

// Whether the bytes lie within one block of memory.
bool is_memory(Address address, std::size_t bytes) {
    auto after = machine().blocks.upper_bound(address);
    if (after == machine().blocks.begin()) return false;
    --after;
    return address + bytes <= after->first + after->second;
}

// A kernel compiled for the host, in this library.
template <class Parameter>
void run_on_host(const void* symbol, unsigned blocks, const void* parameter);

std::unique_ptr<FunctionTag> make_function(const std::string& text, const std::string& name) {
    auto function = std::make_unique<FunctionTag>();
    function->name = name;
    function->parameter_bytes = sizeof(Arguments);
    if (name == "expression") {
        const auto program = std::make_shared<solenoid::test::PtxProgram>(text, name);
        function->run = [program](unsigned blocks, const void* parameter) {
            for (unsigned block = 0; block < blocks; ++block)
                program->run_block(block, blocks, *static_cast<const Arguments*>(parameter));
        };
        return function;
    }
    // blocks run one after the other: all that send, then all that wait
    if (name.starts_with("exchange_")) {
        const std::string bytes = name.substr(name.find('_'));
        std::shared_ptr<FunctionTag> send = make_function(text, "send" + bytes),
                                     receive = make_function(text, "receive" + bytes);
        function->parameter_bytes = sizeof(PeerArguments);
        function->signals = true;
        function->run = [send, receive](unsigned blocks, const void* parameter) {
            send->run(blocks, parameter);
            receive->run(blocks, parameter);
        };
        return function;
    }
    const void* symbol = dlsym(RTLD_DEFAULT, name.c_str());
    Dl_info own{};
    if (dladdr(reinterpret_cast<void*>(&make_function), &own)) {
        void* library = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        symbol = dlsym(library, name.c_str());
    }
    if (!symbol) return nullptr;
    const auto of = [&]<class Parameter>(Parameter) {
        function->parameter_bytes = sizeof(Parameter);
        function->run = [symbol](unsigned blocks, const void* parameter) {
            run_on_host<Parameter>(symbol, blocks, parameter);
        };
    };
    function->signals = name.starts_with("send_") || name == "add_ranks";
    if (name.starts_with("gather_") || name.starts_with("scatter_"))
        of(MoveArguments());
    else if (name.starts_with("send_") || name.starts_with("receive_"))
        of(PeerArguments());
    else if (name == "add_ranks")
        of(RankSumArguments());
    else if (name.ends_with("_sums"))
        of(DeviceSumArguments());
    else if (name == "show")
        of(ShowArguments());
    else if (name == "reduce_binned")
        of(BinnedArguments());
    else
        of(Arguments());
    return function;
}

void copy_later(StreamHandle stream, void* to, const void* from, std::size_t bytes) {
    stream->push([=] { std::memcpy(to, from, bytes); });
}
void* host(Address address) { return reinterpret_cast<void*>(address); }

}  // namespace

// A block of the prologue of texts, which is this library's.
void set_host_block(unsigned index, unsigned count);

namespace {

template <class Parameter>
void run_on_host(const void* symbol, unsigned blocks, const void* parameter) {
    for (unsigned block = 0; block < blocks; ++block) {
        set_host_block(block, blocks);
        reinterpret_cast<void (*)(Parameter)>(const_cast<void*>(symbol))(
            *static_cast<const Parameter*>(parameter));
    }
}

}  // namespace

extern "C" {

// The next call of the function fails with the status.
void stand_in_fail(const char* function, Status status) {
    machine().failing = function;
    machine().failure = status;
}
void stand_in_compute_capability(int major) { machine().compute_capability = major; }
std::size_t stand_in_bytes() { return machine().bytes; }
int stand_in_graph_launches() { return machine().graph_launches; }

Status cuInit(unsigned) { return success; }
Status cuDriverGetVersion(int* version) { return *version = 12040, success; }
Status cuGetErrorString(Status status, const char** text) {
    static const std::map<Status, const char*> words{
        {invalid_value, "invalid argument"},         {out_of_memory, "out of memory"},
        {invalid_context, "invalid device context"}, {invalid_text, "a PTX JIT compilation failed"},
        {not_found, "named symbol not found"},       {launch_failed, "unspecified launch failure"}};
    const auto found = words.find(status);
    *text = found == words.end() ? nullptr : found->second;
    return found == words.end() ? invalid_value : success;
}
Status cuDeviceGetCount(int* count) { return *count = gpus, success; }
Status cuDeviceGet(Gpu* gpu, int number) {
    return *gpu = number, number < gpus ? success : invalid_value;
}
Status cuDeviceGetName(char* name, int bytes, Gpu) {
    return std::snprintf(name, std::size_t(bytes), "processor as a GPU"), success;
}
Status cuDeviceGetPCIBusId(char* id, int bytes, Gpu gpu) {
    return std::snprintf(id, std::size_t(bytes), "0000:0%d:00.0", gpu), success;
}
Status cuDeviceGetAttribute(int* value, int attribute, Gpu) {
    return *value = attribute == compute_major ? machine().compute_capability
                    : attribute == processors  ? 3
                                               : 0,
           success;
}
Status cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, FunctionHandle, int, std::size_t) {
    return *blocks = 2, success;
}
Status cuDeviceTotalMem_v2(std::size_t* bytes, Gpu) { return *bytes = memory_bytes, success; }

Status cuDevicePrimaryCtxRetain(ContextHandle* context, Gpu gpu) {
    *context = &machine().contexts[gpu];
    ++(*context)->retained;
    return success;
}
Status cuDevicePrimaryCtxRelease_v2(Gpu gpu) { return --machine().contexts[gpu].retained, success; }
Status cuCtxSetCurrent(ContextHandle context) { return current = context, success; }

Status cuStreamCreate(StreamHandle* stream, unsigned) {
    *stream = new StreamTag;
    return begin("cuStreamCreate");
}
Status cuStreamDestroy_v2(StreamHandle stream) {
    const Status status = run_all(stream);
    delete stream;
    return status;
}
Status cuStreamSynchronize(StreamHandle stream) {
    const Status status = begin("cuStreamSynchronize");
    return status == success ? run_all(stream) : status;
}
Status cuStreamQuery(StreamHandle stream) {
    if (const Status status = begin("cuStreamQuery"); status != success) return status;
    if (stream->work.steps.empty()) return success;
    const Status status = run_all(stream);
    return status == success ? not_ready : status;
}

Status cuEventCreate(EventHandle* event, unsigned) {
    *event = new EventTag;
    return begin("cuEventCreate");
}
Status cuEventDestroy_v2(EventHandle event) {
    delete event;
    return success;
}
Status cuEventRecord(EventHandle event, StreamHandle stream) {
    event->stream = stream;
    return begin("cuEventRecord");
}
Status cuEventSynchronize(EventHandle event) {
    return event->stream ? run_all(event->stream) : begin("cuEventSynchronize");
}

Status cuMemAlloc_v2(Address* address, std::size_t bytes) {
    if (const Status status = begin("cuMemAlloc"); status != success) return status;
    if (bytes == 0) return invalid_value;
    if (is_capturing) return not_while_captured;
    if (machine().bytes + bytes > memory_bytes) return out_of_memory;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return out_of_memory;
    std::memset(memory, 0x7F, std::min<std::size_t>(bytes, 1 << 16));  // nothing is zero by itself
    *address = reinterpret_cast<Address>(memory);
    machine().blocks[*address] = bytes;
    machine().bytes += bytes;
    return success;
}
Status cuMemFree_v2(Address address) {
    const auto found = machine().blocks.find(address);
    if (found == machine().blocks.end()) return invalid_value;
    machine().bytes -= found->second;
    munmap(host(address), found->second);
    machine().blocks.erase(found);
    if (const auto file = machine().files.find(address); file != machine().files.end()) {
        close(file->second);
        machine().files.erase(file);
    }
    return begin("cuMemFree");
}

// Memory that gets a name becomes a file's; the name is the process and the file's number there.
Status cuIpcGetMemHandle(MemoryName* name, Address address) {
    const auto found = machine().blocks.find(address);
    if (found == machine().blocks.end()) return invalid_value;
    int& file = machine().files[address];
    if (file == 0) {
        const std::string content(static_cast<const char*>(host(address)), found->second);
        file = memfd_create("stand-in", MFD_CLOEXEC);
        if (file < 0 || write(file, content.data(), content.size()) != ssize_t(content.size()))
            return out_of_memory;
        if (mmap(host(address), found->second, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                 0) == MAP_FAILED)
            return out_of_memory;
    }
    std::snprintf(name->bytes, sizeof name->bytes, "%ld %d %zu", long(getpid()), file,
                  found->second);
    return begin("cuIpcGetMemHandle");
}
Status cuIpcOpenMemHandle_v2(Address* address, MemoryName name, unsigned flags) {
    long process = 0;
    int number = 0;
    std::size_t bytes = 0;
    if (flags != peer_access_when_needed ||
        std::sscanf(name.bytes, "%ld %d %zu", &process, &number, &bytes) != 3)
        return invalid_value;
    if (process == long(getpid())) return invalid_context;  // as the driver's
    const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return invalid_value;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return out_of_memory;
    *address = reinterpret_cast<Address>(memory);
    machine().opened[*address] = bytes;
    return begin("cuIpcOpenMemHandle");
}
Status cuIpcCloseMemHandle(Address address) {
    const auto found = machine().opened.find(address);
    if (found == machine().opened.end()) return invalid_value;
    munmap(host(address), found->second);
    machine().opened.erase(found);
    return success;
}
Status cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
    *memory = std::malloc(bytes);
    return flags == host_memory_mapped ? begin("cuMemHostAlloc") : invalid_value;
}
Status cuMemFreeHost(void* memory) {
    std::free(memory);
    return success;
}
Status cuMemHostGetDevicePointer_v2(Address* address, void* memory, unsigned) {
    *address = reinterpret_cast<Address>(memory);
    return success;
}

Status cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, StreamHandle stream) {
    if (!is_memory(to, bytes)) return invalid_value;
    stream->push([=] { std::memset(host(to), value, bytes); });
    return begin("cuMemsetD8Async");
}
Status cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, StreamHandle stream) {
    if (!is_memory(to, bytes)) return invalid_value;
    copy_later(stream, host(to), from, bytes);
    return begin("cuMemcpyHtoDAsync");
}
Status cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, StreamHandle stream) {
    if (!is_memory(from, bytes)) return invalid_value;
    copy_later(stream, to, host(from), bytes);
    return begin("cuMemcpyDtoHAsync");
}
Status cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, StreamHandle stream) {
    if (!is_memory(from, bytes) || !is_memory(to, bytes)) return invalid_value;
    copy_later(stream, host(to), host(from), bytes);
    return begin("cuMemcpyDtoDAsync");
}

Status cuModuleLoadDataEx(ModuleHandle* module, const void* text, unsigned options, int* option,
                          void** value) {
    if (const Status status = begin("cuModuleLoadDataEx"); status != success) return status;
    if (is_capturing) return not_while_captured;
    const std::string ptx = static_cast<const char*>(text);
    if (ptx.find(".version 6.3") == std::string::npos ||
        ptx.find(".target sm_70") == std::string::npos) {
        for (unsigned n = 0; n + 1 < options; ++n)
            if (option[n] == error_log)
                std::snprintf(static_cast<char*>(value[n]),
                              reinterpret_cast<std::size_t>(value[n + 1]), "no PTX for sm_70");
        return invalid_text;
    }
    *module = new ModuleTag{ptx};
    return success;
}
Status cuModuleUnload(ModuleHandle module) {
    delete module;
    return success;
}
Status cuModuleGetFunction(FunctionHandle* function, ModuleHandle module, const char* name) {
    if (module->text.find(std::string(".visible .entry ") + name + "(") == std::string::npos)
        return not_found;
    const std::string key = std::string(name) == "expression" ? module->text : std::string(name);
    auto& found = machine().functions[key];
    try {
        if (!found) found = make_function(module->text, name);
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "stand-in: %s\n", error.what());
        return invalid_text;
    }
    *function = found.get();
    return found ? begin("cuModuleGetFunction") : not_found;
}

Status cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                      StreamHandle stream, void** parameters, void** extra) {
    if (const Status status = begin("cuLaunchKernel"); status != success) return status;
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x != group_size || block_y != 1 ||
        block_z != 1 || shared || extra)
        return invalid_value;
    // read now, as the driver does
    const auto* bytes = static_cast<const std::byte*>(parameters[0]);
    const std::shared_ptr<std::byte[]> parameter(
        static_cast<std::byte*>(std::aligned_alloc(64, (function->parameter_bytes + 63) / 64 * 64)),
        std::free);
    std::memcpy(parameter.get(), bytes, function->parameter_bytes);
    stream->push([=] { function->run(grid_x, parameter.get()); });
    if (!function->signals) return success;
    if (stream->captured) return stream->captured->signals = true, success;
    return run_all(stream);
}

Status cuStreamBeginCapture_v2(StreamHandle stream, int) {
    if (stream->captured) return not_while_captured;
    stream->captured = new GraphTag;
    is_capturing = true;
    return begin("cuStreamBeginCapture");
}
Status cuStreamEndCapture(StreamHandle stream, GraphHandle* graph) {
    *graph = std::exchange(stream->captured, nullptr);
    is_capturing = false;
    return *graph ? success : invalid_value;
}
Status cuGraphInstantiateWithFlags(GraphRunHandle* run, GraphHandle graph, unsigned long long) {
    *run = new GraphRunTag{*graph};
    return begin("cuGraphInstantiateWithFlags");
}
Status cuGraphLaunch(GraphRunHandle run, StreamHandle stream) {
    for (const auto& step : run->steps) stream->push(step);
    ++machine().graph_launches;
    if (const Status status = begin("cuGraphLaunch"); status != success || !run->signals)
        return status;
    return run_all(stream);
}
Status cuGraphDestroy(GraphHandle graph) {
    delete graph;
    return success;
}
Status cuGraphExecDestroy(GraphRunHandle run) {
    delete run;
    return success;
}

}  // extern "C"

#include "device/cuda/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "core/error.hpp"
#include "device/cuda/arguments.hpp"

namespace solenoid::cuda {
namespace {

constexpr int least_major = 7;  // of the compute capability, as in ptx.cmake
constexpr std::size_t chunk_bytes = std::size_t(4) << 20;

GpuDescription describe(const Driver& driver, Gpu gpu) {
    GpuDescription d;
    std::array<char, 256> text{};
    driver.check(driver.device_name(text.data(), int(text.size()) - 1, gpu), "cuDeviceGetName");
    d.name = text.data();
    text.fill(0);
    driver.check(driver.device_bus(text.data(), int(text.size()) - 1, gpu), "cuDeviceGetPCIBusId");
    d.bus = text.data();
    driver.check(driver.device_attribute(&d.major, compute_major, gpu), "cuDeviceGetAttribute");
    driver.check(driver.device_attribute(&d.minor, compute_minor, gpu), "cuDeviceGetAttribute");
    driver.check(driver.driver_version(&d.driver), "cuDriverGetVersion");
    driver.check(driver.device_bytes(&d.bytes, gpu), "cuDeviceTotalMem");
    return d;
}

int count_gpus(const Driver& driver) {
    int count = 0;
    driver.check(driver.device_count(&count), "cuDeviceGetCount");
    return count;
}

Gpu gpu_of(const Driver& driver, int number) {
    Gpu gpu = 0;
    driver.check(driver.device(&gpu, number), "cuDeviceGet");
    return gpu;
}

}  // namespace

// Pinned memory between a buffer and the host's values.
struct Session::Chunk {
    explicit Chunk(const Session& session) : memory(session, chunk_bytes), is_free(session) {}
    PinnedMemory memory;
    Event is_free;
};

std::vector<GpuDescription> list_gpus(const Driver& driver) {
    std::vector<GpuDescription> list;
    for (int n = 0; n < count_gpus(driver); ++n)
        list.push_back(describe(driver, gpu_of(driver, n)));
    return list;
}

std::shared_ptr<Session> Session::open(int local_rank) {
    std::string why;
    const Driver* driver = Driver::find(why);
    if (!driver) throw InputError("device cuda: " + why + ": choose the device compute or cpu");
    const int count = count_gpus(*driver);
    if (count == 0)
        throw InputError(
            "device cuda: NVIDIA's driver shows no GPU: choose the device compute or cpu");
    const auto session = std::make_shared<Session>(*driver, gpu_of(*driver, local_rank % count));
    const GpuDescription& d = session->description();
    if (d.major < least_major)
        throw InputError(
            fmt::format("device cuda: {} has compute capability {}.{}, {}.0 is needed: choose the "
                        "device compute",
                        d.name, d.major, d.minor, least_major));
    return session;
}

Session::Session(const Driver& driver, Gpu gpu)
    : driver_(driver), gpu_(gpu), description_(describe(driver, gpu)) {
    check(driver_.retain_context(&context_, gpu_), "cuDevicePrimaryCtxRetain");
    make_current();
    check(driver_.create_stream(&stream_, stream_without_default), "cuStreamCreate");
    chunk_ = std::make_unique<Chunk>(*this);
}

Session::~Session() {
    settle();
    chunk_.reset();
    for (const auto& [text, module] : modules_) driver_.unload_module(module);
    driver_.destroy_stream(stream_);
    driver_.set_context(nullptr);
    driver_.release_context(gpu_);
}

void Session::make_current() const { check(driver_.set_context(context_), "cuCtxSetCurrent"); }

Address Session::allocate(std::size_t bytes) {
    make_current();
    Address address = 0;
    const Status status = driver_.allocate(&address, bytes);
    if (status != success)
        throw ComputationError(fmt::format(
            "{} has no memory left for a field of {} MiB ({} MiB are in use; cuMemAlloc: {}): use "
            "more GPUs or a coarser mesh",
            description_.name, bytes >> 20, allocated_bytes_ >> 20, driver_.words(status)));
    allocated_bytes_ += bytes;
    check(driver_.fill(address, 0, bytes, stream_), "cuMemsetD8Async");
    return address;
}

void Session::release(Address address, std::size_t bytes) {
    settle();  // what was launched before may use it
    driver_.release(address);
    allocated_bytes_ -= bytes;
}

FunctionHandle Session::function(const char* text, const std::string& name) {
    make_current();
    ModuleHandle& module = modules_[text];
    if (!module) {
        std::string log(8192, '\0');
        int options[] = {error_log, error_log_bytes};
        void* values[] = {log.data(), reinterpret_cast<void*>(std::uintptr_t(log.size()))};
        const Status status = driver_.load_module(&module, text, 2, options, values);
        if (status != success)
            throw ComputationError(fmt::format("CUDA: cuModuleLoadDataEx of {}: {}\n{}", name,
                                               driver_.words(status), log.c_str()));
    }
    FunctionHandle function = nullptr;
    const Status status = driver_.module_function(&function, module, name.c_str());
    if (status != success)
        throw ComputationError(
            fmt::format("CUDA: cuModuleGetFunction of {}: {}", name, driver_.words(status)));
    return function;
}

unsigned Session::resident_blocks(FunctionHandle function) const {
    make_current();
    int blocks = 0, count = 0;
    check(driver_.blocks_at_once(&blocks, function, group_size, 0),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    check(driver_.device_attribute(&count, processors, gpu_), "cuDeviceGetAttribute");
    return static_cast<unsigned>(std::max(1, blocks * count));
}

void Session::launch(FunctionHandle function, unsigned blocks, const void* parameter) const {
    void* parameters[] = {const_cast<void*>(parameter)};
    check(driver_.launch(function, blocks, 1, 1, group_size, 1, 1, 0, stream_, parameters, nullptr),
          "cuLaunchKernel");
}

void Session::finish() const {
    make_current();
    check(driver_.synchronize(stream_), "cuStreamSynchronize");
}

void Session::wait_for(unsigned& number, unsigned value) const {
    // looks at the number before one at the stream, which may have failed
    constexpr unsigned patience = 1u << 14;
    const auto has_arrived = [&] {
        return std::atomic_ref(number).load(std::memory_order_acquire) == value;
    };
    for (unsigned readings = 1; !has_arrived(); ++readings) {
        if (readings % patience) continue;
        make_current();
        const Status status = driver_.query(stream_);
        if (status == not_ready) continue;
        check(status, "cuStreamQuery");
        if (!has_arrived())
            throw ComputationError(
                "CUDA: a kernel has ended without the results of its reductions");
    }
}

void Session::settle() const noexcept {
    driver_.set_context(context_);
    driver_.synchronize(stream_);
}

void Session::upload(const std::byte* values, Address to, std::size_t bytes) {
    make_current();
    for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
        const std::size_t part = std::min(chunk_bytes, bytes - done);
        chunk_->is_free.wait();
        std::memcpy(chunk_->memory.data(), values + done, part);
        check(driver_.copy_up(to + done, chunk_->memory.data(), part, stream_),
              "cuMemcpyHtoDAsync");
        chunk_->is_free.record();
    }
}

void Session::download(Address from, std::byte* values, std::size_t bytes) {
    make_current();
    for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
        const std::size_t part = std::min(chunk_bytes, bytes - done);
        check(driver_.copy_down(chunk_->memory.data(), from + done, part, stream_),
              "cuMemcpyDtoHAsync");
        chunk_->is_free.record();
        chunk_->is_free.wait();
        std::memcpy(values + done, chunk_->memory.data(), part);
    }
}

PinnedMemory::PinnedMemory(const Session& session, std::size_t bytes) : session_(session) {
    session_.make_current();
    void* memory = nullptr;
    session_.check(session_.driver().allocate_host(&memory, std::max<std::size_t>(bytes, 64),
                                                   host_memory_mapped),
                   "cuMemHostAlloc");
    data_ = static_cast<std::byte*>(memory);
    std::memset(data_, 0, std::max<std::size_t>(bytes, 64));
    session_.check(session_.driver().address_of_host(&address_, memory, 0),
                   "cuMemHostGetDevicePointer");
}

PinnedMemory::~PinnedMemory() { session_.driver().release_host(data_); }

Event::Event(const Session& session) : session_(session) {
    session_.make_current();
    session_.check(session_.driver().create_event(&event_, event_without_time), "cuEventCreate");
}

Event::~Event() { session_.driver().destroy_event(event_); }

void Event::record() {
    session_.check(session_.driver().record_event(event_, session_.stream()), "cuEventRecord");
    is_recorded_ = true;
}

void Event::wait() {
    if (!is_recorded_) return;
    session_.make_current();
    session_.check(session_.driver().wait_for_event(event_), "cuEventSynchronize");
    is_recorded_ = false;
}

}  // namespace solenoid::cuda

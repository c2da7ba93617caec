// A GPU's context with one stream, its memory and its kernels. What the device and its buffers
// share; lives as long as the last.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/driver.hpp"

namespace solenoid::cuda {

struct GpuDescription {
    std::string name, bus;                 // "0000:17:00.0"
    int major = 0, minor = 0, driver = 0;  // compute capability; 12040: CUDA 12.4
    std::size_t bytes = 0;
};

// All of this host that the driver shows.
std::vector<GpuDescription> list_gpus(const Driver& driver);

class Session {
  public:
    // The GPU local_rank modulo GPUs. Throws InputError where there is none.
    static std::shared_ptr<Session> open(int local_rank);
    Session(const Driver& driver, Gpu gpu);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Driver& driver() const { return driver_; }
    const GpuDescription& description() const { return description_; }
    StreamHandle stream() const { return stream_; }
    void make_current() const;  // in the calling thread, where others may have changed it since
    void check(Status status, const char* function) const { driver_.check(status, function); }

    // Zero-filled; throws ComputationError where memory is out.
    Address allocate(std::size_t bytes);
    void release(Address address, std::size_t bytes);
    std::size_t allocated_bytes() const { return allocated_bytes_; }

    // A kernel of a module, which is loaded when it is first asked for; text: lives as long as the
    // session.
    FunctionHandle function(const char* text, const std::string& name);
    // Blocks of it that the GPU runs at once.
    unsigned resident_blocks(FunctionHandle function) const;
    // `parameter`: the one that the kernel takes, by value.
    void launch(FunctionHandle function, unsigned blocks, const void* parameter) const;
    void finish() const;
    // Until the GPU has stored `value` in host memory. Throws ComputationError where the stream
    // fails or ends without that.
    void wait_for(unsigned& number, unsigned value) const;
    // the same before something goes: what fails here fails because the program ends
    void settle() const noexcept;

    // Through pinned memory, after what was launched before. The host may change `values` when it
    // returns.
    void upload(const std::byte* values, Address to, std::size_t bytes);
    void download(Address from, std::byte* values, std::size_t bytes);

  private:
    struct Chunk;

    const Driver& driver_;
    Gpu gpu_;
    GpuDescription description_;
    ContextHandle context_ = nullptr;
    StreamHandle stream_ = nullptr;
    std::size_t allocated_bytes_ = 0;
    std::map<const char*, ModuleHandle> modules_;
    std::unique_ptr<Chunk> chunk_;
};

// Host memory that the GPU reads and writes. Its session must outlive it.
class PinnedMemory {
  public:
    PinnedMemory(const Session& session, std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;

    std::byte* data() const { return data_; }
    void* on_gpu() const { return reinterpret_cast<void*>(address_); }

  private:
    const Session& session_;
    std::byte* data_ = nullptr;
    Address address_ = 0;
};

// A point in the stream that the host can wait for.
class Event {
  public:
    explicit Event(const Session& session);
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record();
    void wait();  // returns at once where none was recorded since

  private:
    const Session& session_;
    EventHandle event_ = nullptr;
    bool is_recorded_ = false;
};

}  // namespace solenoid::cuda

// The CUDA device's buffers: column j starts at j times the pitch.
#pragma once

#include "device/cuda/session.hpp"
#include "device/device.hpp"

namespace solenoid::cuda {

class CudaStorage final : public Storage {
  public:
    CudaStorage(ElementType type, Index size, int columns, std::shared_ptr<Session> session);
    ~CudaStorage() override { session_->release(address_, bytes_); }
    CudaStorage(const CudaStorage&) = delete;
    CudaStorage& operator=(const CudaStorage&) = delete;
    void write(const void* values, int column) override {
        session_->upload(static_cast<const std::byte*>(values), address(column),
                         size * bytes_of(type));
    }
    void read(void* values, int column) override {
        session_->download(address(column), static_cast<std::byte*>(values), size * bytes_of(type));
    }

    Address address(int column) const { return address_ + pitch * column * bytes_of(type); }
    void* data(int column) const { return reinterpret_cast<void*>(address(column)); }  // the GPU's

    const std::size_t pitch;  // elements from column to column

  private:
    std::shared_ptr<Session> session_;
    std::size_t bytes_;
    Address address_;
};

inline const CudaStorage& on_gpu(const Storage& storage) {
    return static_cast<const CudaStorage&>(storage);
}

// Host memory that kernels gather into and scatter from.
class CudaStaging final : public Staging {
  public:
    CudaStaging(std::size_t bytes, std::shared_ptr<Session> session)
        : Staging(bytes),
          session_(std::move(session)),
          memory_(*session_, bytes),
          written_(*session_),
          read_(*session_) {}
    ~CudaStaging() override { session_->settle(); }

    // The host may write again only after the GPU has read.
    std::byte* data() override {
        read_.wait();
        return memory_.data();
    }
    void wait() override { written_.wait(); }
    void* on_gpu() const { return memory_.on_gpu(); }
    void mark_written() { written_.record(); }
    void mark_read() { read_.record(); }

  private:
    std::shared_ptr<Session> session_;
    PinnedMemory memory_;
    Event written_, read_;
};

}  // namespace solenoid::cuda

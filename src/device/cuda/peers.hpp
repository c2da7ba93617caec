// Memory of a GPU that kernels of other processes write into (CUDA IPC), and the exchanges through
// it.
#pragma once

#include "device/cuda/cuda_kernels.hpp"
#include "device/peer_access.hpp"

namespace solenoid::cuda {

class CudaPeers final : public PeerAccess {
  public:
    CudaPeers(std::shared_ptr<Session> session, KernelFunctions& kernels)
        : session_(std::move(session)), kernels_(kernels) {}

    std::unique_ptr<PeerMemory> allocate_shared(std::size_t bytes) override;
    std::unique_ptr<PeerMemory> open_shared(std::span<const std::byte> name) override;
    std::unique_ptr<PeerExchange> peer_exchange(const PeerLists& lists, ElementType type,
                                                int columns) override;
    std::unique_ptr<PeerSum> peer_sum(std::span<const PeerMailbox> outgoing,
                                      std::span<const PeerMailbox> incoming) override;

  private:
    std::shared_ptr<Session> session_;
    KernelFunctions& kernels_;
};

}  // namespace solenoid::cuda

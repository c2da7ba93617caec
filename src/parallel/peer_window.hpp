// GPU memory of the ranks of a host that all of them can write to, for ghosts that travel from
// kernel to kernel. Used in src/parallel only.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator_handle.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/shared_allocations.hpp"

namespace solenoid {

class PeerWindow {
  public:
    // Whether each rank of the host has its own device that can take part. Ranks that share a
    // device would wait in each other's time slices. Collective over the host's ranks.
    static bool has_own_devices(const Communicator::Handle& handle, Device& device);
    // The communicator's window on this device. Null on all ranks of the host where the transport
    // is not gpu or a device cannot take part. Collective over the host's ranks.
    static std::shared_ptr<PeerWindow> of(Communicator::Handle& handle, Device& device);
    PeerWindow(MPI_Comm local, PeerAccess& access);

    const PeerMemory& memory(int local_rank, std::int64_t segment) const {
        return *segments_[segment][local_rank];
    }

  private:
    friend class SharedAllocation<PeerWindow>;
    SharedSlot take(std::size_t bytes);
    void give_back(const SharedSlot& place) { allocations_.give_back(place); }
    bool grow(std::int64_t part);
    bool all(bool value) const;

    MPI_Comm local_;
    PeerAccess& access_;
    int rank_ = 0, size_ = 1;
    SharedAllocations allocations_;
    std::vector<std::vector<std::unique_ptr<PeerMemory>>> segments_;  // one memory for each rank
};

// The exchanges of one halo between the ranks of a host.
class PeerRoute {
  public:
    // plan: with ranks of this host only. Null on all of them where memory is lacking. Collective
    // over them.
    static std::unique_ptr<PeerRoute> make(const Communicator::Handle& handle,
                                           std::shared_ptr<PeerWindow> window, Device& device,
                                           const HaloPlan& plan, ElementType type, int columns);

    bool has_messages() const { return !outgoing_.empty(); }
    void send(const Storage& field) { exchange_->send(field); }
    void receive(Storage& field) { exchange_->receive(field); }
    void exchange(Storage& field) { exchange_->exchange(field); }
    // Bytes and messages that this rank sends in each exchange.
    std::size_t bytes() const { return bytes_; }
    std::size_t messages() const { return messages_; }

  private:
    PeerRoute(const Communicator::Handle& handle, std::shared_ptr<PeerWindow> window);
    void find_neighbours(const HaloPlan& plan);
    bool take_room(std::size_t entity_bytes);
    void tell_places();

    const Communicator::Handle& handle_;
    std::shared_ptr<PeerWindow> window_;
    // local ranks, ascending: neighbours of this rank's plan and ranks whose plans have this one
    std::vector<int> neighbours_;
    std::vector<PeerMailbox> outgoing_, incoming_;
    SharedAllocation<PeerWindow> room_;
    std::size_t bytes_ = 0, messages_ = 0;
    std::unique_ptr<PeerExchange> exchange_;
};

}  // namespace solenoid

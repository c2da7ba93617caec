// Memory of the GPUs of a host's ranks that all of them write into: ghosts travel from kernel to
// kernel. For the sources of this room only.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator_handle.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/shared_allocations.hpp"

namespace solenoid {

class PeerWindow {
  public:
    // Whether each rank of the host has a device that can take part, of its own: ranks that share
    // one would wait in each other's time. Collective over the host's ranks.
    static bool has_own_devices(const Communicator::Handle& handle, Device& device);
    // The communicator's on this device. Null on all ranks of the host where its transport is not
    // gpu, or where a device cannot take part. Collective over the host's ranks.
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
    std::vector<std::vector<std::unique_ptr<PeerMemory>>> segments_;  // one memory a rank
};

// The exchanges of one halo between ranks of a host.
class PeerRoute {
  public:
    // plan: with this host's ranks alone. Null on all of them where there is no room. Collective
    // over them.
    static std::unique_ptr<PeerRoute> make(const Communicator::Handle& handle,
                                           std::shared_ptr<PeerWindow> window, Device& device,
                                           const HaloPlan& plan, ElementType type, int columns);

    bool has_messages() const { return !outgoing_.empty(); }
    void send(const Storage& field) { exchange_->send(field); }
    void receive(Storage& field) { exchange_->receive(field); }
    void exchange(Storage& field) { exchange_->exchange(field); }
    // that this rank sends each time, in so many messages:
    std::size_t bytes() const { return bytes_; }
    std::size_t messages() const { return messages_; }

  private:
    PeerRoute(const Communicator::Handle& handle, std::shared_ptr<PeerWindow> window);
    void find_neighbours(const HaloPlan& plan);
    bool take_room(std::size_t entity_bytes);
    void tell_places();

    const Communicator::Handle& handle_;
    std::shared_ptr<PeerWindow> window_;
    // ranks of the host, ascending: those of the plan and those that have this one in theirs
    std::vector<int> neighbours_;
    std::vector<PeerMailbox> outgoing_, incoming_;
    SharedAllocation<PeerWindow> room_;
    std::size_t bytes_ = 0, messages_ = 0;
    std::unique_ptr<PeerExchange> exchange_;
};

}  // namespace solenoid

#include "parallel/device_allreduce.hpp"

#include "parallel/peer_window.hpp"

namespace solenoid {

// Every rank has one allocation with a mailbox for each rank.
struct DeviceAllreduce::Allocations {
    SharedAllocation<PeerWindow> own;
    std::vector<PeerMailbox> outgoing, incoming;

    void connect(const Communicator::Handle& handle) {
        std::vector<SharedSlot> all(handle.local_size);
        MPI_Allgather(&own.place(), sizeof(SharedSlot), MPI_BYTE, all.data(), sizeof(SharedSlot),
                      MPI_BYTE, handle.local);
        for (int rank = 0; rank < handle.local_size; ++rank) {
            const auto box_of = [&](int receiver, int sender) {
                const SharedSlot& place = all[receiver];
                return PeerMailbox{
                    &own.window().memory(receiver, place.segment),
                    static_cast<std::size_t>(place.offset) + sender * PeerSum::box_bytes, 0, 0};
            };
            outgoing.push_back(box_of(rank, handle.local_rank));
            incoming.push_back(box_of(handle.local_rank, rank));
        }
    }
};

DeviceAllreduce::DeviceAllreduce(const Communicator& comm) : comm_(comm) {}

DeviceAllreduce::~DeviceAllreduce() = default;

std::unique_ptr<DeviceAllreduce> DeviceAllreduce::make(const Communicator& comm, Device& device) {
    const bool keeps = device.device_sums() != nullptr;
    std::unique_ptr<DeviceAllreduce> sums(new DeviceAllreduce(comm));
    if (comm.size() == 1) return keeps ? std::move(sums) : nullptr;
    Communicator::Handle& handle = comm.handle();
    auto window = handle.local_size == handle.size ? PeerWindow::of(handle, device) : nullptr;
    if (comm.any(!window || !keeps)) return nullptr;
    sums->allocations_ = std::make_unique<Allocations>(
        Allocations{SharedAllocation(std::move(window), handle.size * PeerSum::box_bytes), {}, {}});
    if (!sums->allocations_->own) return nullptr;
    sums->allocations_->connect(handle);
    sums->sum_ =
        device.peers()->peer_sum(sums->allocations_->outgoing, sums->allocations_->incoming);
    return sums;
}

void DeviceAllreduce::add(DeviceSums& sums) {
    if (!sum_) return;
    sum_->add(sums);
    ++comm_.handle().traffic.sums;
}

}  // namespace solenoid

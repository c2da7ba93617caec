#include "parallel/peer_sums.hpp"

#include "parallel/peer_window.hpp"

namespace solenoid {

// Every rank has one room, with a box from each rank in it.
struct PeerSums::Rooms {
    SharedRoom<PeerWindow> own;
    std::vector<PeerBox> outgoing, incoming;

    void connect(const Communicator::Handle& handle) {
        std::vector<SharedPlace> all(handle.local_size);
        MPI_Allgather(&own.place(), sizeof(SharedPlace), MPI_BYTE, all.data(), sizeof(SharedPlace), MPI_BYTE, handle.local);
        for (int rank = 0; rank < handle.local_size; ++rank) {
            const auto box_of = [&](int receiver, int sender) {
                const SharedPlace& place = all[receiver];
                return PeerBox{&own.window().memory(receiver, place.segment), static_cast<std::size_t>(place.offset) + sender * PeerSum::box_bytes, 0, 0};
            };
            outgoing.push_back(box_of(rank, handle.local_rank));
            incoming.push_back(box_of(handle.local_rank, rank));
        }
    }
};

PeerSums::PeerSums(const Communicator& comm) : comm_(comm) {}

PeerSums::~PeerSums() = default;

std::unique_ptr<PeerSums> PeerSums::make(const Communicator& comm, Device& device) {
    const bool keeps = device.kept_sums() != nullptr;
    std::unique_ptr<PeerSums> sums(new PeerSums(comm));
    if (comm.size() == 1) return keeps ? std::move(sums) : nullptr;
    Communicator::Handle& handle = comm.handle();
    auto window = handle.local_size == handle.size ? PeerWindow::of(handle, device) : nullptr;
    if (comm.any(!window || !keeps)) return nullptr;
    sums->rooms_ = std::make_unique<Rooms>(Rooms{SharedRoom(std::move(window), handle.size * PeerSum::box_bytes), {}, {}});
    if (!sums->rooms_->own) return nullptr;
    sums->rooms_->connect(handle);
    sums->sum_ = device.peers()->peer_sum(sums->rooms_->outgoing, sums->rooms_->incoming);
    return sums;
}

void PeerSums::add(KeptSums& sums) {
    if (!sum_) return;
    sum_->add(sums);
    ++comm_.handle().traffic.sums;
}

}  // namespace solenoid

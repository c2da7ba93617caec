#include "parallel/peer_sums.hpp"

#include "parallel/peer_window.hpp"

namespace solenoid {

// Every rank has one room, with a box from each rank in it.
struct PeerSums::Rooms {
    std::shared_ptr<PeerWindow> window;
    SharedPlace own;
    std::vector<PeerBox> outgoing, incoming;

    // Collective over the host's ranks. No copy: it would give the same room back.
    explicit Rooms(std::shared_ptr<PeerWindow> of, int ranks) : window(std::move(of)), own(window->take(ranks * PeerSum::box_bytes)) {}
    ~Rooms() { window->give_back(own); }
    Rooms(const Rooms&) = delete;
    Rooms& operator=(const Rooms&) = delete;
    void connect(const Communicator::Handle& handle) {
        std::vector<SharedPlace> all(handle.local_size);
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, handle.local);
        for (int rank = 0; rank < handle.local_size; ++rank) {
            const auto box_of = [&](int receiver, int sender) {
                const SharedPlace& place = all[receiver];
                return PeerBox{&window->memory(receiver, place.segment), static_cast<std::size_t>(place.offset) + sender * PeerSum::box_bytes, 0, 0};
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
    sums->rooms_ = std::make_unique<Rooms>(std::move(window), handle.size);
    if (sums->rooms_->own.segment < 0) return nullptr;
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

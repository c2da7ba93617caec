#include "parallel/peer_window.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace solenoid {
namespace {

constexpr std::int64_t least_segment = 4 << 20;

// The device of each rank of the host as a hash, 0 where it cannot take part. Collective.
std::vector<std::uint64_t> devices_of(const Communicator::Handle& handle, Device& device) {
    const std::uint64_t mine = device.peers() ? std::hash<std::string>()(device.info().id) | 1 : 0;
    std::vector<std::uint64_t> all(handle.local_size);
    MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, handle.local);
    return all;
}

bool can_write_to_each_other(const Communicator::Handle& handle, Device& device) {
    return std::ranges::count(devices_of(handle, device), 0u) == 0;
}

}  // namespace

bool PeerWindow::has_own_devices(const Communicator::Handle& handle, Device& device) {
    const std::vector<std::uint64_t> all = devices_of(handle, device);
    const std::set<std::uint64_t> different(all.begin(), all.end());
    return different.size() == all.size() && !different.contains(0);
}

std::shared_ptr<PeerWindow> PeerWindow::of(Communicator::Handle& handle, Device& device) {
    if (handle.transport != Transport::gpu || handle.local_size == 1 ||
        !can_write_to_each_other(handle, device))
        return nullptr;
    auto window = handle.peer_windows[&device].lock();
    if (!window) {
        window = std::make_shared<PeerWindow>(handle.local, *device.peers());
        if (!SharedAllocation(window, 1)) return nullptr;
        handle.peer_windows[&device] = window;
    }
    return window;
}

PeerWindow::PeerWindow(MPI_Comm local, PeerAccess& access)
    : local_(local), access_(access), allocations_(PeerMailbox::line, least_segment) {
    MPI_Comm_rank(local, &rank_);
    MPI_Comm_size(local, &size_);
}

SharedSlot PeerWindow::take(std::size_t bytes) {
    const SharedSlot place =
        allocations_.take(local_, bytes, [&](std::int64_t part) { return grow(part); });
    if (place.segment >= 0) segments_[place.segment][rank_]->clear(place.offset, place.bytes);
    return place;
}

bool PeerWindow::all(bool value) const {
    int works = value;
    MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, local_);
    return works;
}

// Adds a segment: every rank allocates its part and opens those of the others.
bool PeerWindow::grow(std::int64_t part) {
    std::vector<std::unique_ptr<PeerMemory>> memory(size_);
    std::vector<std::byte> name;
    try {
        memory[rank_] = access_.allocate_shared(static_cast<std::size_t>(part));
        name = memory[rank_]->name();
    } catch (const Error&) {
        name.clear();
    }
    if (!all(!name.empty())) return false;
    std::vector<std::byte> names(name.size() * size_);
    MPI_Allgather(name.data(), static_cast<int>(name.size()), MPI_BYTE, names.data(),
                  static_cast<int>(name.size()), MPI_BYTE, local_);
    bool works = true;
    try {
        for (int rank = 0; rank < size_; ++rank)
            if (rank != rank_)
                memory[rank] =
                    access_.open_shared(std::span(names).subspan(rank * name.size(), name.size()));
    } catch (const Error&) {
        works = false;
    }
    if (!all(works)) return false;
    segments_.push_back(std::move(memory));
    return true;
}

PeerRoute::PeerRoute(const Communicator::Handle& handle, std::shared_ptr<PeerWindow> window)
    : handle_(handle), window_(std::move(window)) {}

std::unique_ptr<PeerRoute> PeerRoute::make(const Communicator::Handle& handle,
                                           std::shared_ptr<PeerWindow> window, Device& device,
                                           const HaloPlan& plan, ElementType type, int columns) {
    std::unique_ptr<PeerRoute> route(new PeerRoute(handle, std::move(window)));
    const std::size_t entity_bytes = bytes_of(type) * columns;
    route->find_neighbours(plan);
    if (!route->take_room(entity_bytes)) return nullptr;
    route->tell_places();
    route->bytes_ = plan.send.size() * entity_bytes;
    if (route->has_messages())
        route->exchange_ = device.peers()->peer_exchange(
            {plan.send, plan.receive, route->outgoing_, route->incoming_}, type, columns);
    return route;
}

void PeerRoute::find_neighbours(const HaloPlan& plan) {
    std::vector<std::uint8_t> mine(handle_.local_size), theirs(handle_.local_size);
    std::vector<PeerMailbox> to(handle_.local_size), from(handle_.local_size);
    for (std::size_t k = 0; k < plan.neighbours.size(); ++k) {
        const int rank = handle_.local_rank_of[plan.neighbours[k]];
        mine[rank] = 1;
        to[rank] = {.first = plan.send_start[k],
                    .count = plan.send_start[k + 1] - plan.send_start[k]};
        from[rank] = {.first = plan.receive_start[k],
                      .count = plan.receive_start[k + 1] - plan.receive_start[k]};
    }
    MPI_Alltoall(mine.data(), 1, MPI_UINT8_T, theirs.data(), 1, MPI_UINT8_T, handle_.local);
    for (int rank = 0; rank < handle_.local_size; ++rank) {
        if (!mine[rank] && !theirs[rank]) continue;
        neighbours_.push_back(rank);
        outgoing_.push_back(to[rank]);
        incoming_.push_back(from[rank]);
        messages_ += to[rank].count > 0;
    }
}

bool PeerRoute::take_room(std::size_t entity_bytes) {
    std::size_t bytes = 0;
    for (PeerMailbox& box : incoming_) {
        box.offset = bytes;
        bytes += PeerMailbox::bytes(box.count, entity_bytes);
    }
    room_ = SharedAllocation(window_, bytes);
    if (!room_) return false;
    for (PeerMailbox& box : incoming_) {
        box.memory = &window_->memory(handle_.local_rank, room_.place().segment);
        box.offset += room_.place().offset;
    }
    return true;
}

// Tells senders the addresses of their mailboxes.
void PeerRoute::tell_places() {
    std::vector<SharedSlot> mine(neighbours_.size()), theirs(neighbours_.size());
    std::vector<MPI_Request> under_way;
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
        mine[k] = {room_.place().segment, static_cast<std::int64_t>(incoming_[k].offset), 0};
        MPI_Isend(&mine[k], sizeof mine[k], MPI_BYTE, neighbours_[k], tags::exchange, handle_.local,
                  &under_way.emplace_back());
        MPI_Irecv(&theirs[k], sizeof theirs[k], MPI_BYTE, neighbours_[k], tags::exchange,
                  handle_.local, &under_way.emplace_back());
    }
    MPI_Waitall(static_cast<int>(under_way.size()), under_way.data(), MPI_STATUSES_IGNORE);
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
        outgoing_[k].memory = &window_->memory(neighbours_[k], theirs[k].segment);
        outgoing_[k].offset = static_cast<std::size_t>(theirs[k].offset);
    }
}

}  // namespace solenoid

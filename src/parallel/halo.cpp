#include "parallel/halo.hpp"

#include <atomic>
#include <cstring>
#include <utility>

#include "parallel/calls/checked_calls.hpp"
#include "parallel/communicator_handle.hpp"
#include "parallel/peer_window.hpp"

namespace solenoid {

// ---- Exchange

Exchange::Exchange(Exchange&& other) noexcept
    : messages_(std::exchange(other.messages_, nullptr)), field_(other.field_) {}

Exchange& Exchange::operator=(Exchange&& other) noexcept {
    std::swap(messages_, other.messages_);
    std::swap(field_, other.field_);
    return *this;
}

Exchange::~Exchange() {
    try {
        finish();
    } catch (...) {  // another error is already being thrown
    }
}

void Exchange::finish() {
    if (HaloMessages* messages = std::exchange(messages_, nullptr)) messages->finish(*field_);
}

// ---- HaloMessages

namespace {

MPI_Datatype mpi_type(ElementType type) {
    return type == ElementType::float64   ? MPI_DOUBLE
           : type == ElementType::float32 ? MPI_FLOAT
                                          : MPI_UINT32_T;
}

// The part of a staging buffer for one neighbour, sent by MPI: `columns` blocks, one in every
// column.
struct Message {
    int rank;
    std::size_t offset;  // bytes from the start of the staging buffer
    MPI_Datatype type;
};

// The part for a neighbour on this host: a mailbox in the receiver's shared memory. It begins with
// the number of the last message that arrived, then, in the next cache line, of the last one that
// was read. Two slots for messages follow, so that a sender may be one message ahead.
struct Box {
    int rank;                    // global rank of the neighbour
    std::size_t offset, length;  // in bytes, within a column of the staging buffer
    std::byte* memory = nullptr;

    static constexpr std::size_t line = SharedWindow::line;
    static std::size_t place_bytes(std::size_t length, int columns) {
        return (length * columns + line - 1) / line * line;
    }
    static std::size_t bytes(std::size_t length, int columns) {
        return 2 * (line + place_bytes(length, columns));
    }
    std::byte* arrived() const { return memory; }
    std::byte* taken() const { return memory + line; }
    std::byte* place(std::uint64_t round, int columns) const {
        return memory + 2 * line + (round % 2) * place_bytes(length, columns);
    }
};

void store(std::byte* number, std::uint64_t round) {
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(number))
        .store(round, std::memory_order_release);
}

// Calls visit(rank, first entity in the message, number of entities) for each neighbour with a
// message.
template <class Visit>
void each_share(const std::vector<int>& neighbours, const std::vector<Index>& start,
                const Visit& visit) {
    for (std::size_t k = 0; k < neighbours.size(); ++k)
        if (start[k + 1] > start[k]) visit(neighbours[k], start[k], start[k + 1] - start[k]);
}

}  // namespace

struct HaloMessages::Wire {
    int tag = 0, columns = 1;
    std::size_t entity_bytes = 0;
    std::vector<Message> send, receive;
    std::vector<MPI_Request> requests;  // of receives, then of sends
    std::shared_ptr<SharedWindow> window;
    SharedAllocation<SharedWindow> room;  // of all mailboxes to receive in
    std::vector<Box> send_here, receive_here;
    std::uint64_t round = 0;

    ~Wire() {
        int is_finalized = 0;
        MPI_Finalized(&is_finalized);
        if (is_finalized) return;
        for (auto* messages : {&send, &receive})
            for (Message& message : *messages) MPI_Type_free(&message.type);
    }

    // Allocates the mailboxes of this host's ranks; all of them use MPI where memory is lacking.
    // Collective over these ranks.
    void share(Communicator::Handle& handle, const HaloPlan& plan) {
        window = handle.window();
        if (!window) return;
        const auto mailboxes = [&](const std::vector<Index>& start, std::vector<Box>& list) {
            each_share(plan.neighbours, start, [&](int rank, Index first, Index count) {
                if (handle.local_rank_of[rank] >= 0)
                    list.push_back({rank, first * entity_bytes, count * entity_bytes});
            });
        };
        mailboxes(plan.send_start, send_here);
        mailboxes(plan.receive_start, receive_here);
        std::size_t bytes = 0;
        for (const Box& box : receive_here) bytes += Box::bytes(box.length, columns);
        room = SharedAllocation(window, bytes);
        if (room) return tell_places(handle);
        handle.lacks_memory = true;
        window = nullptr;
        send_here.clear();
        receive_here.clear();
    }

    // Tells senders the addresses of their mailboxes.
    void tell_places(Communicator::Handle& handle) {
        std::vector<SharedSlot> mine(receive_here.size()), theirs(send_here.size());
        std::vector<MPI_Request> under_way;
        SharedSlot next = room.place();
        for (std::size_t k = 0; k < mine.size(); ++k) {
            mine[k] = next;
            receive_here[k].memory = window->at(handle.local_rank, next);
            next.offset += static_cast<std::int64_t>(Box::bytes(receive_here[k].length, columns));
            MPI_Isend(&mine[k], sizeof mine[k], MPI_BYTE, receive_here[k].rank, tag, handle.comm,
                      &under_way.emplace_back());
        }
        for (std::size_t k = 0; k < theirs.size(); ++k)
            MPI_Irecv(&theirs[k], sizeof theirs[k], MPI_BYTE, send_here[k].rank, tag, handle.comm,
                      &under_way.emplace_back());
        MPI_Waitall(static_cast<int>(under_way.size()), under_way.data(), MPI_STATUSES_IGNORE);
        for (std::size_t k = 0; k < theirs.size(); ++k)
            send_here[k].memory = window->at(handle.local_rank_of[send_here[k].rank], theirs[k]);
    }

    // The messages that MPI carries: to and from ranks without a mailbox.
    std::vector<Message> messages(const Communicator::Handle& handle,
                                  const std::vector<int>& neighbours,
                                  const std::vector<Index>& start, ElementType type) const {
        std::vector<Message> list;
        each_share(neighbours, start, [&](int rank, Index first, Index count) {
            if (window && handle.local_rank_of[rank] >= 0) return;
            Message message{rank, first * entity_bytes, MPI_DATATYPE_NULL};
            MPI_Type_create_hvector(columns, static_cast<int>(count),
                                    static_cast<MPI_Aint>(start.back() * entity_bytes),
                                    mpi_type(type), &message.type);
            MPI_Type_commit(&message.type);
            list.push_back(message);
        });
        return list;
    }
};

HaloMessages::HaloMessages(const Communicator& comm, Device& device, const HaloPlan& plan,
                           ElementType type, int columns)
    : comm_(comm), device_(device) {
    const CheckedCall call(comm.handle(), "halo");
    // Each halo has its own tag, so that exchanges of several halos may finish in any order.
    int& next = comm.handle().next_halo_tag;
    const int tag = next++;
    if (next > tags::last_halo) next = tags::first_halo;
    if (comm.size() > 1) make_wire(made_route(plan, type, columns), tag, type, columns);
}

HaloMessages::~HaloMessages() = default;

namespace {

// The part of a plan with the neighbours that are kept.
template <class Keep>
HaloPlan part_with(const HaloPlan& plan, const Keep& keep) {
    HaloPlan part;
    for (std::size_t k = 0; k < plan.neighbours.size(); ++k) {
        if (!keep(plan.neighbours[k])) continue;
        part.neighbours.push_back(plan.neighbours[k]);
        part.send.insert(part.send.end(), plan.send.begin() + plan.send_start[k],
                         plan.send.begin() + plan.send_start[k + 1]);
        part.receive.insert(part.receive.end(), plan.receive.begin() + plan.receive_start[k],
                            plan.receive.begin() + plan.receive_start[k + 1]);
        part.send_start.push_back(static_cast<Index>(part.send.size()));
        part.receive_start.push_back(static_cast<Index>(part.receive.size()));
    }
    return part;
}

}  // namespace

// Makes the route between GPUs for the part of the plan that can use it. Returns the rest of the
// plan.
HaloPlan HaloMessages::made_route(const HaloPlan& plan, ElementType type, int columns) {
    Communicator::Handle& handle = comm_.handle();
    const auto is_here = [&](int rank) { return handle.local_rank_of[rank] >= 0; };
    auto window = PeerWindow::of(handle, device_);
    if (window)
        route_ = PeerRoute::make(handle, std::move(window), device_, part_with(plan, is_here), type,
                                 columns);
    if (!route_) return plan;
    if (!route_->has_messages()) route_ = nullptr;
    return part_with(plan, [&](int rank) { return !is_here(rank); });
}

void HaloMessages::make_wire(const HaloPlan& plan, int tag, ElementType type, int columns) {
    auto wire = std::make_unique<Wire>();
    wire->tag = tag;
    wire->columns = columns;
    wire->entity_bytes = bytes_of(type);
    wire->share(comm_.handle(), plan);
    if (plan.neighbours.empty()) return;
    wire->send = wire->messages(comm_.handle(), plan.neighbours, plan.send_start, type);
    wire->receive = wire->messages(comm_.handle(), plan.neighbours, plan.receive_start, type);
    wire->requests.reserve(wire->send.size() + wire->receive.size());
    wire_ = std::move(wire);
    if (!plan.send.empty()) {
        send_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(plan.send));
        outgoing_ = device_.staging(plan.send.size() * columns * bytes_of(type));
    }
    if (!plan.receive.empty()) {
        receive_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(plan.receive));
        incoming_ = device_.staging(plan.receive.size() * columns * bytes_of(type));
    }
}

std::size_t HaloMessages::bytes_per_exchange() const {
    return (outgoing_ ? outgoing_->bytes : 0) + (route_ ? route_->bytes() : 0);
}

bool HaloMessages::is_quick() const {
    // bytes: about 10 us by NVLink, as a launch and what a second pass loses
    constexpr std::size_t least_hidden = std::size_t(1) << 20;
    return has_messages() && !takes_the_host() && bytes_per_exchange() < least_hidden;
}

bool HaloMessages::has_ghosts(Storage& field) {
    const std::size_t column = bytes_of(field.type) * field.size;
    const auto copy = device_.allocate(field.type, field.size, field.columns);
    device_.copy(field, *copy);
    exchange(*copy);
    std::vector<std::byte> here(column), there(column);
    bool is_same = true;
    for (int j = 0; j < field.columns; ++j) {
        field.read(here.data(), j);
        copy->read(there.data(), j);
        is_same &= here == there;
    }
    return is_same;
}

Exchange HaloMessages::start(Storage& field) {
    const CheckedCall call(comm_.handle(), "exchange of ghosts");
    if (!wire_ && !route_) return {};
    if (is_under_way_)
        throw std::logic_error("halo: an exchange started before the last one was finished");
    is_under_way_ = true;
    is_sent_ = !wire_;
    if (wire_) {
        ++wire_->round;
        wire_->requests.clear();
        for (const Message& message : wire_->receive)
            MPI_Irecv(incoming_->data() + message.offset, 1, message.type, message.rank, wire_->tag,
                      comm_.handle().comm, &wire_->requests.emplace_back());
        if (outgoing_) device_.gather(field, send_.storage(), *outgoing_);
    }
    if (route_) {
        route_->send(field);
        count(route_->messages(), route_->bytes());
    }
    if (!is_sent_ && device_.is_synchronous()) send();
    return Exchange(*this, field);
}

void HaloMessages::exchange(Storage& field) {
    const CheckedCall call(comm_.handle(), "exchange of ghosts");
    if (wire_ || !route_) return start(field).finish();
    if (is_under_way_)
        throw std::logic_error("halo: an exchange started before the last one was finished");
    route_->exchange(field);
    count(route_->messages(), route_->bytes());
    ++comm_.handle().traffic.exchanges;
}

void HaloMessages::count(std::size_t messages, std::size_t bytes) {
    bytes_sent_ += bytes;
    Traffic& traffic = comm_.handle().traffic;
    traffic.messages += static_cast<std::int64_t>(messages);
    traffic.bytes += static_cast<std::int64_t>(bytes);
}

void HaloMessages::send() {
    is_sent_ = true;
    if (!outgoing_) return;
    outgoing_->wait();
    send_here();
    for (const Message& message : wire_->send)
        MPI_Isend(outgoing_->data() + message.offset, 1, message.type, message.rank, wire_->tag,
                  comm_.handle().comm, &wire_->requests.emplace_back());
    count(wire_->send.size() + wire_->send_here.size(), outgoing_->bytes);
}

// Writes to the neighbours' mailboxes, once the message before the last has been read.
void HaloMessages::send_here() {
    const std::size_t column = outgoing_->bytes / wire_->columns;
    for (const Box& box : wire_->send_here) {
        if (wire_->round > 2) wire_->window->wait_for(box.taken(), wire_->round - 2);
        std::byte* place = box.place(wire_->round, wire_->columns);
        for (int j = 0; j < wire_->columns; ++j)
            std::memcpy(place + j * box.length, outgoing_->data() + j * column + box.offset,
                        box.length);
        store(box.arrived(), wire_->round);
    }
}

void HaloMessages::receive_here() {
    const std::size_t column = incoming_ ? incoming_->bytes / wire_->columns : 0;
    for (const Box& box : wire_->receive_here) {
        wire_->window->wait_for(box.arrived(), wire_->round);
        const std::byte* place = box.place(wire_->round, wire_->columns);
        for (int j = 0; j < wire_->columns; ++j)
            std::memcpy(incoming_->data() + j * column + box.offset, place + j * box.length,
                        box.length);
        store(box.taken(), wire_->round);
    }
}

void HaloMessages::finish(Storage& field) {
    is_under_way_ = false;
    ++comm_.handle().traffic.exchanges;
    if (!is_sent_) send();
    if (wire_) {
        receive_here();
        MPI_Waitall(static_cast<int>(wire_->requests.size()), wire_->requests.data(),
                    MPI_STATUSES_IGNORE);
        if (incoming_) device_.scatter(*incoming_, receive_.storage(), field);
    }
    if (route_) route_->receive(field);
}

}  // namespace solenoid

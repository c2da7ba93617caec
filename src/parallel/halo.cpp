#include "parallel/halo.hpp"

#include <utility>

#include "parallel/communicator_handle.hpp"

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
    } catch (...) {  // another error is on its way already
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

// One neighbour's share of a staging buffer: `columns` blocks, one in every column.
struct Message {
    int rank;
    std::size_t offset;  // bytes from the start of the staging buffer
    MPI_Datatype type;
};

std::vector<Message> messages_of(const std::vector<int>& neighbours, const std::vector<Index>& start,
                                 ElementType type, int columns) {
    std::vector<Message> messages;
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
        const Index count = start[k + 1] - start[k];
        if (!count) continue;
        Message message{neighbours[k], start[k] * bytes_of(type), MPI_DATATYPE_NULL};
        MPI_Type_create_hvector(columns, static_cast<int>(count),
                                static_cast<MPI_Aint>(start.back() * bytes_of(type)), mpi_type(type),
                                &message.type);
        MPI_Type_commit(&message.type);
        messages.push_back(message);
    }
    return messages;
}

}  // namespace

struct HaloMessages::Wire {
    int tag;
    std::vector<Message> send, receive;
    std::vector<MPI_Request> requests;  // the receives, then the sends

    ~Wire() {
        int is_finalized = 0;
        MPI_Finalized(&is_finalized);
        if (is_finalized) return;
        for (auto* messages : {&send, &receive})
            for (Message& message : *messages) MPI_Type_free(&message.type);
    }
};

HaloMessages::HaloMessages(const Communicator& comm, Device& device, const HaloPlan& plan, ElementType type,
                           int columns)
    : comm_(comm), device_(device) {
    // A tag of its own, so that exchanges of several halos may finish in another order than they started.
    int& next = comm.handle().next_halo_tag;
    const int tag = next++;
    if (next > tags::last_halo) next = tags::first_halo;
    if (plan.neighbours.empty()) return;

    wire_ = std::make_unique<Wire>();
    wire_->tag = tag;
    wire_->send = messages_of(plan.neighbours, plan.send_start, type, columns);
    wire_->receive = messages_of(plan.neighbours, plan.receive_start, type, columns);
    wire_->requests.reserve(wire_->send.size() + wire_->receive.size());
    if (!plan.send.empty()) {
        send_ = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(plan.send));
        outgoing_ = device.staging(plan.send.size() * columns * bytes_of(type));
    }
    if (!plan.receive.empty()) {
        receive_ = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(plan.receive));
        incoming_ = device.staging(plan.receive.size() * columns * bytes_of(type));
    }
}

HaloMessages::~HaloMessages() = default;

std::size_t HaloMessages::bytes_per_exchange() const { return outgoing_ ? outgoing_->bytes : 0; }

Exchange HaloMessages::start(Storage& field) {
    if (!wire_) return {};
    if (is_under_way_) throw std::logic_error("halo: an exchange started before the last one was finished");
    is_under_way_ = true;
    is_sent_ = false;
    wire_->requests.clear();
    for (const Message& message : wire_->receive)
        MPI_Irecv(incoming_->data() + message.offset, 1, message.type, message.rank, wire_->tag,
                  comm_.handle().comm, &wire_->requests.emplace_back());
    if (outgoing_) device_.gather(field, send_.storage(), *outgoing_);
    if (device_.is_synchronous()) send();
    return Exchange(*this, field);
}

void HaloMessages::send() {
    is_sent_ = true;
    if (!outgoing_) return;
    outgoing_->wait();
    for (const Message& message : wire_->send)
        MPI_Isend(outgoing_->data() + message.offset, 1, message.type, message.rank, wire_->tag,
                  comm_.handle().comm, &wire_->requests.emplace_back());
    bytes_sent_ += outgoing_->bytes;
}

void HaloMessages::finish(Storage& field) {
    is_under_way_ = false;
    if (!is_sent_) send();
    MPI_Waitall(static_cast<int>(wire_->requests.size()), wire_->requests.data(), MPI_STATUSES_IGNORE);
    if (incoming_) device_.scatter(*incoming_, receive_.storage(), field);
}

}  // namespace solenoid

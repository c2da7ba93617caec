// Ghost exchange: ghosts are filled from their owners while the interior is computed. GPUs of a
// host write into each other's memory, other ranks of a host into shared memory; MPI carries the
// messages between hosts (Communicator::set_transport).
//
//     Exchange ghosts = halo.start(x);   // receives posted, send buffers filled on the device
//     sweep(interior);
//     ghosts.finish();                   // [owned, all) of x is filled
//     sweep(border);
//
// Launches do so themselves for the arguments that they gather (run_launch).
#pragma once

#include "device/device.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class HaloMessages;  // buffers and requests of MPI
class PeerRoute;     // messages from GPU to GPU

// An exchange in progress. The destructor finishes it. All ranks finish their exchanges in the same
// order.
class Exchange {
  public:
    Exchange() = default;
    Exchange(Exchange&& other) noexcept;
    Exchange& operator=(Exchange&& other) noexcept;
    ~Exchange();
    void finish();  // waits and fills the ghosts of the field; call once

  private:
    friend class HaloMessages;
    Exchange(HaloMessages& messages, Storage& field) : messages_(&messages), field_(&field) {}
    HaloMessages* messages_ = nullptr;
    Storage* field_ = nullptr;
};

// The exchange of fields of any element type; Halo is its typed interface.
class HaloMessages {
  public:
    HaloMessages(const Communicator& comm, Device& device, const HaloPlan& plan, ElementType type,
                 int columns);
    ~HaloMessages();
    Exchange start(Storage& field);
    void finish(Storage& field);
    // start() and finish(); one launch where all messages go from GPU to GPU
    void exchange(Storage& field);
    bool has_messages() const { return wire_ || route_; }
    bool takes_the_host() const { return wire_ != nullptr; }
    std::size_t bytes_sent() const { return bytes_sent_; }
    std::size_t bytes_per_exchange() const;
    // One launch of the device, and less time than a second launch costs.
    bool is_quick() const;
    // Whether `field` has the values that an exchange would bring, on this rank.
    bool has_ghosts(Storage& field);
    // For launches that gather from vectors whose ghosts are always to be brought.
    const Ghosts& ghosts() const { return ghosts_; }

  private:
    struct Wire;
    class VectorGhosts final : public Ghosts {
      public:
        explicit VectorGhosts(HaloMessages& messages) : messages_(messages) {}
        bool are_of(std::string_view entities) const override { return entities == "rows"; }
        bool are_current(Reach) const override { return false; }
        void exchange_ghosts(Storage& values) const override { messages_.exchange(values); }
        void start_exchange(Storage& values) const override {
            under_way_ = messages_.start(values);
        }
        void finish_exchange(Storage&) const override { under_way_.finish(); }
        bool is_quick() const override { return messages_.is_quick(); }
        void verify(Storage&, Reach, std::string_view) const override {}

      private:
        HaloMessages& messages_;
        mutable Exchange under_way_;
    };
    HaloPlan made_route(const HaloPlan& plan, ElementType type, int columns);
    void make_wire(const HaloPlan& plan, int tag, ElementType type, int columns);
    void count(std::size_t messages, std::size_t bytes);
    void send();
    void send_here();
    void receive_here();
    Communicator comm_;
    Device& device_;
    std::unique_ptr<PeerRoute> route_;              // null: no messages
    std::unique_ptr<Wire> wire_;                    // null: no messages
    Buffer<std::uint32_t> send_, receive_;          // entities
    std::unique_ptr<Staging> outgoing_, incoming_;  // columns x entities
    bool is_sent_ = false, is_under_way_ = false;
    std::size_t bytes_sent_ = 0;
    VectorGhosts ghosts_{*this};
};

// Exchanges of fields of one shape, one at a time. Constructed by all ranks in the same order;
// allocates nothing afterwards. Real: float, double or uint32_t.
template <class Real>
class Halo {
  public:
    Halo(const Communicator& comm, Device& device, const HaloPlan& plan, int columns = 1)
        : messages_(
              std::make_unique<HaloMessages>(comm, device, plan, element_type<Real>(), columns)) {}

    Exchange start(Buffer<Real>& field) { return messages_->start(field.storage()); }
    void exchange(Buffer<Real>& field) { messages_->exchange(field.storage()); }
    // A vector as the argument of a kernel that gathers: its ghosts are exchanged at each launch.
    Gathered<Real> ghosts_of(const Buffer<Real>& vector) const {
        return {vector, &messages_->ghosts()};
    }
    bool is_quick() const { return messages_->is_quick(); }
    bool has_ghosts(Buffer<Real>& field) const { return messages_->has_ghosts(field.storage()); }
    bool has_messages() const { return messages_->has_messages(); }  // from or to other ranks
    // false: an exchange consists of launches alone, which may be recorded (Device::repeat)
    bool takes_the_host() const { return messages_->takes_the_host(); }
    std::size_t bytes_sent() const {
        return messages_->bytes_sent();
    }  // by this rank since construction
    std::size_t bytes_per_exchange() const { return messages_->bytes_per_exchange(); }

  private:
    std::unique_ptr<HaloMessages> messages_;
};

}  // namespace solenoid

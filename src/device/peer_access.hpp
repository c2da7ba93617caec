// How devices of a host reach each other's memory: messages from kernel to kernel, which no host
// looks at.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "device/buffer.hpp"
#include "device/device_sums.hpp"

namespace solenoid {

// Memory of one device that others write into, by their kernels: allocated here, or opened from
// another process.
class PeerMemory {
  public:
    virtual ~PeerMemory() = default;
    // as other processes of the host open it; as long for all
    virtual std::vector<std::byte> name() const = 0;
    virtual void clear(std::size_t offset, std::size_t bytes) = 0;  // to zero; returns when it is
};

// Room for messages in one direction, in the receiver's memory: a signal a chunk, then two places
// for messages, so that a fast sender is one ahead. Cleared before the first message.
struct PeerMailbox {
    static constexpr std::size_t line = 128;  // bytes that are written together
    static constexpr Index chunk = 1024;      // entities that one signal stands for
    static std::size_t lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }
    // a message without entities is a signal alone
    static Index chunks(Index count) { return count ? (count + chunk - 1) / chunk : 1; }
    static std::size_t signal_bytes(Index count) {
        return lines(chunks(count) * sizeof(std::uint64_t));
    }
    static std::size_t place_bytes(Index count, std::size_t entity) {
        return lines(count * entity);
    }
    static std::size_t bytes(Index count, std::size_t entity) {
        return signal_bytes(count) + 2 * place_bytes(count, entity);
    }

    const PeerMemory* memory = nullptr;
    std::size_t offset = 0;
    Index first = 0, count = 0;  // entities of the list
};

// Exchanges of one shape of field: a launch to send and one to receive, or one for both. A message
// goes to every neighbour, were it empty: that theirs has come says that the one before has been
// taken out of its place.
class PeerExchange {
  public:
    virtual ~PeerExchange() = default;
    virtual void send(const Storage& field) = 0;
    virtual void receive(Storage& field) = 0;  // the device waits for the neighbours' signals
    virtual void exchange(Storage& field) = 0;
};

// Sums over the ranks of a host that stay on their devices.
class PeerSum {
  public:
    // Room for what a rank sends another, each in the receiver's memory, and its parts.
    static constexpr std::size_t box_bytes = PeerMailbox::line;

    virtual ~PeerSum() = default;
    // elementwise, all of them, with the same bits on every rank; one launch
    virtual void add(DeviceSums& sums) = 0;
};

struct PeerLists {
    std::span<const Index> send, receive;  // entities, by neighbour
    // one a neighbour: in its memory, in this device's
    std::span<const PeerMailbox> outgoing, incoming;
};

class PeerAccess {
  public:
    virtual ~PeerAccess() = default;
    // Throws ComputationError where there is none.
    virtual std::unique_ptr<PeerMemory> allocate_shared(std::size_t bytes) = 0;
    // ComputationError: not from here
    virtual std::unique_ptr<PeerMemory> open_shared(std::span<const std::byte> name) = 0;
    virtual std::unique_ptr<PeerExchange> peer_exchange(const PeerLists& lists, ElementType type,
                                                        int columns) = 0;
    // outgoing, incoming: one box a rank, this one's own among them, of box_bytes.
    virtual std::unique_ptr<PeerSum> peer_sum(std::span<const PeerMailbox> outgoing,
                                              std::span<const PeerMailbox> incoming) = 0;
};

}  // namespace solenoid

// Vectors of plain values as bytes of messages.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "parallel/communicator.hpp"

namespace solenoid {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(values));
}

template <class T>
std::vector<T> values_in(std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

// The values of all ranks on every rank, in rank order. Collective.
template <class T>
std::vector<T> gathered(const Communicator& comm, const std::vector<T>& values) {
    std::vector<std::byte> all;
    for (const auto& part : comm.gather(bytes_of(values)))
        all.insert(all.end(), part.begin(), part.end());
    comm.broadcast(all);
    return values_in<T>(all);
}

// Communicator::exchange for vectors of values. Frees the outgoing ones on the way. Collective.
template <class T>
std::map<int, std::vector<T>> exchange_values(const Communicator& comm,
                                              std::map<int, std::vector<T>>&& outgoing) {
    std::map<int, std::vector<std::byte>> bytes;
    for (auto& [rank, values] : outgoing) {
        const auto view = bytes_of(values);
        bytes[rank].assign(view.begin(), view.end());
        values = {};
    }
    std::map<int, std::vector<std::byte>> messages = comm.exchange(bytes);
    bytes.clear();
    std::map<int, std::vector<T>> incoming;
    for (auto& [rank, message] : messages) {
        incoming[rank] = values_in<T>(message);
        message = {};
    }
    return incoming;
}
template <class T>
std::map<int, std::vector<T>> exchange_values(const Communicator& comm,
                                              const std::map<int, std::vector<T>>& outgoing) {
    return exchange_values(comm, std::map<int, std::vector<T>>(outgoing));
}

}  // namespace solenoid

// Vectors of plain values as messages.
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

// Every rank's values on every rank, in rank order. Collective.
template <class T>
std::vector<T> gathered(const Communicator& comm, const std::vector<T>& values) {
    std::vector<std::byte> all;
    for (const auto& part : comm.gather(bytes_of(values))) all.insert(all.end(), part.begin(), part.end());
    comm.broadcast(all);
    return values_in<T>(all);
}

// Communicator::exchange for vectors of values.
template <class T>
std::map<int, std::vector<T>> exchange_values(const Communicator& comm,
                                              const std::map<int, std::vector<T>>& outgoing) {
    std::map<int, std::vector<std::byte>> bytes;
    for (const auto& [rank, values] : outgoing) {
        const auto view = bytes_of(values);
        bytes[rank].assign(view.begin(), view.end());
    }
    std::map<int, std::vector<T>> incoming;
    for (const auto& [rank, message] : comm.exchange(bytes)) incoming[rank] = values_in<T>(message);
    return incoming;
}

}  // namespace solenoid

// What instructions of PTX compute of their operands: the table that all who run PTX on the host
// read.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>

namespace solenoid::test::ptx {

// A register's content: what is shorter is filled with zeros, a predicate is 0 or 1.
using Bits = std::uint64_t;

template <class T>
T as(Bits bits) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(bits);
    else
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
}
template <class T>
Bits of(T value) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<Bits>(value);
    else
        return std::bit_cast<std::uint32_t>(value);
}

// A result of up to three operands. An immediate operand may be longer than the instruction's type.
using Compute = Bits (*)(const Bits* operands);

// By name, "add.rn.f64".
const std::map<std::string, Compute>& computations();

}  // namespace solenoid::test::ptx

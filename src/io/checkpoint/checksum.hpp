// The checksum of checkpoints: CRC-32 as zlib and PNG have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace solenoid {

std::uint32_t checksum(std::span<const std::byte> bytes);

}  // namespace solenoid

#include "device/row_lanes.hpp"

#include <cstdint>

#include "core/reproducible.hpp"

namespace solenoid {
namespace {

// The mean length of the rows that the kernel adds up, padding included.
std::size_t row_length(const Launch& launch) {
    const auto& arguments = launch.kernel->arguments;
    for (std::size_t n = 0; n < arguments.size(); ++n)
        for (std::size_t table = 0; table < arguments.size() && !arguments[n].rows.empty(); ++table)
            if (arguments[table].name == arguments[n].rows && launch.buffers[table]->size)
                return launch.buffers[n]->size / launch.buffers[table]->size;
    return 0;
}

}  // namespace

int lane_bits(const Launch& launch, Range range, Index invocations) {
    // the bits of a reproducible run do not depend on how many rows a rank has
    if (!launch.kernel->adds_rows || is_reproducible()) return 0;
    const std::size_t length = row_length(launch);
    int bits = 0;
    while (bits < max_lane_bits && std::uint64_t(range.size()) << (bits + 1) <= invocations &&
           std::size_t(2) << bits <= length)
        ++bits;
    return bits;
}

}  // namespace solenoid

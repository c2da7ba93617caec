// The periodic map: nodes of matched sides are one node, and a cell sees each of its corners at the
// node's stored position plus a shift.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// A pair of groups: `to` is `from` moved by `offset`.
struct PeriodicPair {
    std::uint32_t from, to;  // indices into `boundaries`
    Vec3 offset;             // [m]
};

struct PeriodicMap {
    std::vector<PeriodicPair> pairs;
    std::vector<Vec3> shifts;  // the sums of offsets that occur [m]; the first is 0
    // index into shifts of each corner of each cell; empty on a mesh that is not periodic
    std::vector<std::uint8_t> corner_shift;

    bool empty() const { return corner_shift.empty(); }
    // corner: its place in the table of the cells' nodes.
    int code(std::size_t corner) const { return empty() ? 0 : corner_shift[corner]; }
    Vec3 shift(std::size_t corner) const {
        return empty() ? Vec3(0) : shifts[corner_shift[corner]];
    }
    Vec3 moved(const Vec3& point, std::size_t corner) const {
        return empty() ? point : point + shifts[corner_shift[corner]];
    }
};

}  // namespace solenoid

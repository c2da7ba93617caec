// How a periodic mesh is folded up: nodes of matched sides are one, and a cell sees each of its
// corners at the stored position of the node plus a shift. Whatever needs a position relative to a
// cell asks that cell.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// Group `to` is group `from` moved by `offset`.
struct PeriodicPair {
    std::uint32_t from, to;  // indices into `boundaries`
    Vec3 offset;             // [m]
};

struct PeriodicMap {
    std::vector<PeriodicPair> pairs;
    std::vector<Vec3> shifts;  // the sums of offsets that occur [m]; the first is 0
    // index into shifts, one a corner of each cell; none where all are 0
    std::vector<std::uint8_t> corner_shift;

    bool empty() const { return corner_shift.empty(); }
    // corner: its place in the table of the cells' nodes
    int code(std::size_t corner) const { return empty() ? 0 : corner_shift[corner]; }
    Vec3 shift(std::size_t corner) const {
        return empty() ? Vec3(0) : shifts[corner_shift[corner]];
    }
    Vec3 moved(const Vec3& point, std::size_t corner) const {
        return empty() ? point : point + shifts[corner_shift[corner]];
    }
};

}  // namespace solenoid

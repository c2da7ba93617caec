// How the nodes of a block lie in a buffer: row by row, with a ring of ghosts. The rows before and
// behind are there to be read, not to be used: kernels that reach past the ring find zeros or
// numbers that they multiply by zero.
#pragma once

#include "core/types.hpp"

namespace solenoid {

struct ArrayShape {
    int width = 0, height = 0;  // nodes owned
    int pitch = 0, rows = 0;    // entries of a row; rows

    static ArrayShape of(int width, int height) { return {width, height, width + 2, height + 6}; }
    Index size() const { return static_cast<Index>(pitch) * rows; }
    // i from -1 to width, j from -1 to height
    Index entry(int i, int j) const {
        return static_cast<Index>(i + 1) + static_cast<Index>(j + 3) * pitch;
    }
    // from the first to the last node owned, ghosts at the ends of the rows between included
    Range owned() const { return {entry(0, 0), entry(width - 1, height - 1) + 1}; }
    Range with_ring() const { return {entry(-1, -1), entry(width, height) + 1}; }

    // Of a level's array: that of each of its four quarters; shift: 1 in a direction that starts
    // with an odd node.
    ArrayShape quarter(int shift_x, int shift_y) const {
        return of((width + shift_x + 1) / 2, (height + shift_y + 1) / 2);
    }
};

}  // namespace solenoid

// A state for ParaView, read back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

// Values in ascending global number of points or cells, column by column.
struct ReadField {
    std::string name;
    bool is_of_cells = false;
    int columns = 1;
    std::vector<double> values;
};

struct ReadState {
    std::vector<GlobalIndex> points, cells;  // global numbers, ascending
    std::vector<ReadField> fields;           // with the positions of the points, named "points"
};

// Reads all pieces of a .pvtu file that VtkOutput wrote; of points in several pieces, the first.
// Numbers, ranks and marks of ghosts are no fields. Throws InputError.
ReadState read_state(const std::filesystem::path& pvtu);

}  // namespace solenoid

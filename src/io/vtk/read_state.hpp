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

// Reads all pieces of a state that VtkOutput wrote (.pvtu, .pvti, .pvtr, .pvts); of points in
// several pieces, the first. Numbers, ranks and marks of ghosts are no fields, land of a structured
// grid is left out. Throws InputError.
ReadState read_state(const std::filesystem::path& list);

// The mesh of a state, with its fields.
struct ReadGrid {
    int dimension = 3;
    double time = 0;  // [s]; 0: it says none
    // Of all pieces, so that a point may be there several times. Cells have dimension + 1 points.
    std::vector<Vec3> points;
    std::vector<Index> cell_points;
    std::vector<ReadField> fields;  // of points, and of cells
};
// As read_state; a quadrilateral is read as two triangles with its values. Throws InputError where
// a cell is of another shape, or triangles and tets are mixed.
ReadGrid read_grid(const std::filesystem::path& list);

// The file of a state: itself, or the last one listed by the .pvd file of an output folder.
// Throws InputError.
std::filesystem::path last_state_in(const std::filesystem::path& place);

}  // namespace solenoid

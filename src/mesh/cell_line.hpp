// Straight lines through the cells of a mesh, and how many cells they count: for the cells across a
// passage. docs/numerics.md, "Cells across".
#pragma once

#include <cmath>

#include "mesh/mesh.hpp"

namespace solenoid {

// A line from a point of a cell along a unit vector, as far as it has come.
struct CellLine {
    Vec3 start{0}, direction{0};
    // sum over the cells of the line's length in the cell divided by the cell's extent along it
    double cells = 0;
    double length = 0;  // [m]
    Vec3 end() const { return start + length * direction; }
};

// Least cosine of the angle between a line and the outward normal of a face that counts as
// opposite.
constexpr double facing = 0.75;

// The line from next to the centroid of a cell's face along its normal into the cell: on regular
// meshes it passes no node or edge. It does not depend on how the mesh is cut.
CellLine line_from_face(const Mesh& mesh, Index face, Index cell);
// Goes on through the cell, at most to a length of `most`. Returns the place in the cell of the
// face through which the line leaves it; -1: it leaves through none; cell_faces.width: it ends
// before.
int pass_cell(const Mesh& mesh, Index cell, CellLine& line, double most = HUGE_VAL);

}  // namespace solenoid

// How many cells lie across the passages of a domain: straight through from a boundary face to the
// one opposite. Of the whole mesh, without periodic sides.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

// The narrowest one that begins at a boundary: of the lines from its faces along their normals into
// the domain, and from the rims of plates inside on in the plate's plane, to a face that stands
// across (within 41 degrees) or to another rim. What meets in a corner is none.
struct Passage {
    std::size_t from;  // Mesh::boundaries
    std::size_t to;    // likewise; their number: a face in no group
    // sum over the cells of the line's part in one over the cell's extent along it: layers where
    // the mesh has some, diameters over edges elsewhere
    double cells = 0;
    double length = 0;  // [m]
    Vec3 place{0};      // its middle [m]
};
// One a boundary, but those that face none. Faces in groups inside the domain count as walls.
std::vector<Passage> narrowest_passages(const Mesh& mesh);

}  // namespace solenoid

// The number of cells across the passages of a domain: on lines from a boundary face to the
// opposite one. For a whole mesh; periodic sides are not followed.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

// The narrowest passage at a boundary. Lines start from its faces along their normals into the
// domain, and from the rims of plates inside in the plate's plane. They end at a face whose normal
// is within 41 degrees, or at another rim. Faces that meet in a corner form no passage.
struct Passage {
    std::size_t from;  // index into Mesh::boundaries
    std::size_t to;    // index into Mesh::boundaries; their number: a face in no group
    // sum over the cells of the length of the line in the cell divided by the cell's extent along
    // it: layers where the mesh has layers, elsewhere diameters over edge length
    double cells = 0;
    double length = 0;  // [m]
    Vec3 place{0};      // of its middle [m]
};
// One passage for each boundary that faces another one. Faces in groups inside the domain count as
// walls.
std::vector<Passage> narrowest_passages(const Mesh& mesh);

}  // namespace solenoid

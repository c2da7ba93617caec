// What is done to a whole mesh between its file and its checks: bodies joined, regions left out.
#pragma once

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct Glued {
    std::size_t nodes = 0, faces = 0;  // nodes that are no more; faces that lie inside now
};
// Joins nodes nearer than `length` [m]. Sides that had one cell and have two now leave their
// groups. Throws InputError, naming `place`, unless the length is below every edge, and where
// bodies touch that are not meshed alike. The mesh wants its checks again.
Glued glue(SimplexMesh& mesh, double length, const std::string& place);

// Leaves out the cells of all other regions. Faces between the kept and the others that lie in no
// group get one, "interface_REGION" by the region left out. Throws InputError, naming `place`, for
// a name that the mesh lacks.
void keep_regions(SimplexMesh& mesh, const std::vector<std::string>& names,
                  const std::string& place);

}  // namespace solenoid

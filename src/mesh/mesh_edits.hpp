// Edits of a whole mesh between its file and its checks: joining of bodies, choice of regions.
#pragma once

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct Glued {
    std::size_t nodes = 0, faces = 0;  // nodes removed; faces that are inside now
};
// Joins nodes nearer than `length` [m]. Faces that get a second cell leave their groups. The mesh
// must be checked afterwards. Throws InputError at `place` unless the length is below every edge,
// and where bodies touch with different meshes.
Glued glue(SimplexMesh& mesh, double length, const std::string& place);

// Removes the cells of all other regions. A face between a kept cell and a removed one that is in
// no group joins the group "interface_REGION", by the region removed. Throws InputError at `place`
// for an unknown name.
void keep_regions(SimplexMesh& mesh, const std::vector<std::string>& names,
                  const std::string& place);

}  // namespace solenoid

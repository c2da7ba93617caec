// Slits: faces inside the domain that become boundary, such as thin walls. Cells touch them on both
// sides, and nothing passes.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct Slits {
    std::vector<std::size_t> faces;  // faces of each boundary that were inside
    // additional nodes and cells; cells come from edges and faces that slit() splits
    std::size_t nodes = 0, cells = 0;
    CoupledNodes copies;  // the copied nodes
    bool empty() const;
};

// Slits the mesh along the sides of the given groups (indices into `boundaries`) that have two
// cells. Each cell gets its own side, in the same group. The cells at a node that are connected
// through other faces share a copy of it: those of the lowest cell keep the node, other copies are
// appended. So the free edge of a slit stays whole, crossings and junctions open, and a region
// enclosed by slits becomes a separate part.
// An edge inside a slit with both ends on its free edge (at the corners of a plate), and a slit of
// one face, are first split in the middle, with all their cells: otherwise their two sides would
// have the same nodes. A mesh is made periodic before it is slit.
Slits slit(SimplexMesh& mesh, const std::vector<std::uint16_t>& groups);

}  // namespace solenoid

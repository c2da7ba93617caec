// Faces inside the domain made boundary: thin walls, which cells on both sides touch and nothing
// passes.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct Slits {
    std::vector<std::size_t> faces;  // of each boundary, those that were inside
    // more than before; cells: of edges and faces that had to be split, see slit()
    std::size_t nodes = 0, cells = 0;
    CoupledNodes copies;  // the nodes at each place of which it made several
    bool empty() const;
};

// Slits the mesh along those sides of these groups (indices into `boundaries`) that have two cells:
// both cells keep the side, each as one of its own, of the same group. Of a node the cells that
// hang together through other faces share a copy: those of the lowest cell keep it, the others are
// appended. So the free edge of a slit stays whole, crossings and junctions open, and what a slit
// encloses is a part of its own. An edge inside a slit whose ends both lie on its free edge (at the
// corners of a plate), and a slit of one face, are split in the middle before, with all cells
// there: else nothing would tell their two sides apart. Periodic meshes: fold them before.
Slits slit(SimplexMesh& mesh, const std::vector<std::uint16_t>& groups);

}  // namespace solenoid

#include "io/vtk/written_points.hpp"

namespace solenoid {

WrittenPoints::WrittenPoints(const DistributedMesh& distributed, int rank)
    : distributed_(distributed),
      periodic_geometry_(distributed.mesh, distributed.range(Kind::cell).owned) {
    if (periodic_geometry_.is_trivial()) return;
    const Mesh& mesh = distributed.mesh;
    for (Index p = 0; p < periodic_geometry_.size(); ++p) {
        positions_.push_back(periodic_geometry_.position(p));
        numbers_.push_back(periodic_geometry_.number(p, distributed.global_count[0]));
        nodes_.push_back(periodic_geometry_.node(p));
    }
    // A point belongs to the lowest owner of the cells that see the node there; all these cells are
    // held.
    is_own_.assign(periodic_geometry_.size(), true);
    for (Index c = distributed.range(Kind::cell).owned; c < mesh.cells(); ++c)
        for (int j = 0; j <= mesh.dimension && distributed.cell_owner[c] < rank; ++j)
            if (const Index p =
                    periodic_geometry_.find(mesh.cell_nodes(c, j), mesh.corner_code(c, j));
                p != none)
                is_own_[p] = false;
}

}  // namespace solenoid

// Which cell contains a point, and the weights of its nodes there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct PointInCell {
    Index point;                   // index into the points asked for
    Index cell;                    // owned cell
    std::array<double, 4> weight;  // of the cell's nodes: their linear shape functions at the point
};

struct LocatedPoints {
    std::vector<PointInCell> here;  // points claimed by this rank, ascending
    std::vector<char> found;        // of every point: 1 where some rank claimed it
};

// Every point inside the mesh is claimed by one rank: the owner of the cell with the smallest
// global number among those that contain it to 1e-9 of the mesh's diagonal. So the answer does not
// depend on the number of ranks, and a point off the boundary by round-off still counts as inside.
// Visits each cell once and builds nothing over the cells. Collective.
LocatedPoints locate(const Communicator& comm, const DistributedMesh& distributed,
                     std::span<const Vec3> points);

}  // namespace solenoid

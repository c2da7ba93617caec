// Search for the cell that contains a point, with the weights of its nodes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "parallel/topology.hpp"

namespace solenoid {

struct PointInCell {
    Index point;                   // index into the given points
    Index cell;                    // owned cell
    std::array<double, 4> weight;  // shape functions of the cell's nodes at the point: linear, of
                                   // a quadrilateral bilinear
};

struct LocatedPoints {
    std::vector<PointInCell> here;  // points claimed by this rank, ascending
    std::vector<char> found;        // for each point 1 where a rank claims it
};

// Each point inside the mesh is claimed by one rank: the owner of the cell with the smallest global
// number among those that contain it, within 1e-9 of the mesh's diagonal. The result is independent
// of the number of ranks, and a point outside the boundary by round-off counts as inside. Visits
// each cell once and stores nothing for cells. Collective.
LocatedPoints locate(const Communicator& comm, const Topology& topology,
                     std::span<const Vec3> points);

}  // namespace solenoid

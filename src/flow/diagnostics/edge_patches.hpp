// Functions that are 1 at the sharp edges of a boundary and fall to 0 within a few cells, by which
// forces near such edges are taken by the weak form of momentum: pressure and friction on the faces
// there are unbounded, the momentum that flows into the cells round them is not. docs/numerics.md,
// "Pressure at sharp edges".
#pragma once

#include <array>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/boundary/sharp_edges.hpp"
#include "operators/domain.hpp"

namespace solenoid {

struct EdgePatches {
    struct Node {
        Index node;
        std::uint16_t boundary;
        double value;  // of the function
        double size;   // of the cells round the node, the mean of their V^(1/d) [m]
    };
    using AtNodes = std::array<double, 3>;

    // Collective: `exist` is the same on every rank.
    EdgePatches(const Domain& domain, const FlowBoundaries& boundaries, const SharpEdges& edges);

    std::vector<Node> nodes;  // owned, where a function is not 0
    // of each of Mesh::sides: the function of its boundary at the nodes of its face
    std::vector<AtNodes> on_side;
    bool exist = false;
};

}  // namespace solenoid

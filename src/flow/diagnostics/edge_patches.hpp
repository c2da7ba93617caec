// Functions that are 1 at the sharp edges of a boundary and fall to 0 within a few cells. Forces
// near such edges are taken from the weak form of momentum with these functions: pressure and
// friction on the faces are unbounded there, the momentum flow into the cells round the edge is
// not. docs/numerics.md, "Pressure at sharp edges".
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
        double size;   // mean V^(1/d) of the cells at the node [m]
    };
    using AtNodes = std::array<double, 3>;

    // Collective; `exist` is equal on all ranks.
    EdgePatches(const Domain& domain, const FlowBoundaries& boundaries, const SharpEdges& edges);

    std::vector<Node> nodes;  // owned ones where a function is not 0
    // for each of Mesh::sides its boundary's function at the nodes of its face
    std::vector<AtNodes> on_side;
    std::vector<char> of;  // whether each of Mesh::boundaries has a function; equal on all ranks
    bool exist = false;
};

}  // namespace solenoid

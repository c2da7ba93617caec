// Values between nodes by a parabola that is fitted to the node values around.
#pragma once

#include "io/monitors/point_locator.hpp"

namespace solenoid {

// Row i is of the i-th point asked for: its value is the sum of weight times the value at the node.
struct SampleRows {
    std::vector<std::size_t> start{0};
    std::vector<Index> node;
    std::vector<double> weight;
};

// In each point's cell the linear interpolant of the cell's nodes, plus a multiple of l_a l_b for
// every edge ab (l: shape functions), fitted by least squares to the nodes of the cells round it,
// of the same region: exact for quadratics inside. Along the domain's boundary values stay linear,
// those that are given there exact. Linear, too, where the nodes around determine no parabola.
// Exchanges nothing and does not depend on the number of ranks. parts: of the cells held; cells of
// another number take no part. Empty: all do.
SampleRows parabolic_rows(const DistributedMesh& distributed, std::span<const PointInCell> points,
                          std::span<const GlobalIndex> parts = {});

}  // namespace solenoid

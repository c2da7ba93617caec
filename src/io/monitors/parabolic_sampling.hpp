// Interpolation between nodes by a parabola fitted to the surrounding node values.
#pragma once

#include "io/monitors/point_locator.hpp"

namespace solenoid {

// Row i belongs to the i-th point: its value is the sum of weight times the value at the node.
struct SampleRows {
    std::vector<std::size_t> start{0};
    std::vector<Index> node;
    std::vector<double> weight;
};

// The rows of points. In a point's cell the value is the linear interpolant plus a multiple of l_a
// l_b for each edge ab (l: shape functions), fitted by least squares to the nodes of the
// surrounding cells of the same region. It is exact for quadratics inside the domain. Along the
// boundary values are linear, so that given values are exact; so they are where the nodes do not
// determine a parabola. In a quadrilateral they are bilinear. No communication; independent of the
// number of ranks. parts: a number for each cell held; only cells with the point's number count.
// Empty: all count.
SampleRows parabolic_rows(const Topology& topology, std::span<const PointInCell> points,
                          std::span<const GlobalIndex> parts = {});

}  // namespace solenoid

// Sharp edges (nodes in 2D): codim-2 entities of the boundary where pressure and shear of a slow
// flow grow without bound as r^(e - 1) with the distance r. They are edges of walls with more than
// 180 degrees of fluid, and edges where a wall meets a boundary that slips or is open, with more
// than 90 degrees.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// The least exponent e of the stream function r^(e + 1) between two walls at rest that enclose the
// angle w of fluid [rad], sin(e w) = -e sin(w): 1 up to 180 degrees, 0.5445 at 270, 0.5 at 360
// (Dean & Montagnon 1949; Moffatt 1964).
double edge_exponent(double angle);

struct SharpEdges {
    // Collective; `exist` is equal on all ranks.
    SharpEdges(const Domain& domain, const FlowBoundaries& boundaries);

    // for each node held the least exponent of its edges, 1 where it has none; valid at nodes of
    // the rank's own cells
    std::vector<double> exponent;
    bool exist = false;
};

}  // namespace solenoid

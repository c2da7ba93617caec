// A channel that given pressures drive (classical method).
#pragma once

#include "support/flows.hpp"

namespace solenoid::test {

inline FlowSolvers loose() {
    FlowSolvers solvers;
    solvers.pressure.tolerance = solvers.momentum.tolerance = 1e-8;
    return solvers;
}

inline FlowSettings classical() {
    FlowSettings settings;
    settings.method = "classical";
    return settings;
}

// Along x between "xmin" and "xmax", where the pressure is given; walls below and above, planes of
// symmetry beside.
inline std::vector<FlowBoundary> channel(const std::string& at_start, const std::string& at_end) {
    std::vector<FlowBoundary> all;
    for (const char* name : {"ymin", "ymax"}) all.push_back(boundary(name, "wall"));
    for (const char* name : {"zmin", "zmax"}) all.push_back(boundary(name, "symmetry"));
    all.push_back(boundary("xmin", "pressure", {}, {}, Formula(at_start, "test")));
    all.push_back(boundary("xmax", "pressure", {}, {}, Formula(at_end, "test")));
    return all;
}

}  // namespace solenoid::test

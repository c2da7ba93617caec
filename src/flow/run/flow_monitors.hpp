// The monitors of a flow: the kinds of a case, one file each, listed in
// FlowPhysics::monitor_kinds(), and a table that every run writes.
#pragma once

#include "case/monitor_kinds.hpp"
#include "flow/settings/flow_case.hpp"
#include "flow/solver/flow_solver.hpp"
#include "run/monitor.hpp"

namespace solenoid {

MonitorKind force_monitor();
MonitorKind energy_monitor();
MonitorKind nusselt_monitor();

// monitors/boundaries.csv: the net flux through each boundary.
std::unique_ptr<Monitor> boundary_flows(const MonitorParts& parts);

// What a scalar did in the last step, a quantity of this name. The solver must outlive its use.
inline std::string scalar_balance_of(const std::string& scalar) { return scalar + "_balance"; }
void add_scalar_balance(Quantities& all, const Run& run, FlowSolver& solver, int scalar,
                        const std::string& name);

// The warning where the forces by the surface and by the weak form differ by more than a tenth;
// else empty.
std::string forces_warning(const ForceComparison& forces, int dimension);

}  // namespace solenoid

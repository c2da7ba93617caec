// The kinds of monitors of a flow, one file each, listed in FlowPhysics::monitor_kinds().
#pragma once

#include "case/monitor_kinds.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid {

MonitorKind force_monitor();
MonitorKind energy_monitor();
MonitorKind nusselt_monitor();

}  // namespace solenoid

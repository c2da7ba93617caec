// Monitors of type "energy": the budget of kinetic energy.
#include <fmt/format.h>

#include "flow/collocated/time_scheme.hpp"
#include "flow/momentum_kinds.hpp"
#include "flow/run/flow_monitors.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

void read(const TableReader& table, const CaseSettings& settings, MonitorSettings&) {
    const FlowSettings& flow = settings_of<FlowCase>(settings).flow;
    if (!momentum_kind(flow.momentum).has_energy_budget)
        table.fail("type", fmt::format("\"energy\" is the budget of collocated momentum, and "
                                       "flow.momentum is \"{}\": leave one of them out",
                                       flow.momentum));
    if (!kind_of(time_scheme_kinds(), flow.time_scheme).has_energy_budget)
        table.fail("type", fmt::format("\"energy\" is the budget of steps by \"bdf2\", and "
                                       "flow.time_scheme is \"{}\": leave one of them out",
                                       flow.time_scheme));
}

}  // namespace

MonitorKind energy_monitor() {
    return {.name = "energy",
            .keys = {},
            .help = "the budget of kinetic energy, every step",
            .read = read,
            .check = [](const MonitorSettings&, const CaseSettings&, const MeshNames&) {},
            .make =
                [](const MonitorSettings& settings, MonitorParts& parts) {
                    if (!settings.when.is_given())
                        parts.simulation.quantities().ask("energy_budget",
                                                          QuantityInfo::Of::number);
                    return number_table(parts, settings.name, {"energy_budget"});
                }};
}

}  // namespace solenoid

// Monitors of type "nusselt": the diffusive flow of a scalar through a boundary, relative to pure
// conduction.
#include <fmt/format.h>

#include <algorithm>

#include "case/quote.hpp"
#include "flow/case/monitor_kinds.hpp"

namespace solenoid {
namespace {

const Keys<NusseltMonitor>& nusselt_keys() {
    static const auto keys =
        Keys<NusseltMonitor>()
            .key("boundary", &NusseltMonitor::boundary, value::text(), "required",
                 "the boundary group")
            .other("scalar", "string", "the first scalar", "of what")
            .key("difference", &NusseltMonitor::difference, value::positive(), "`1`",
                 "reference difference of the scalar")
            .key("length", &NusseltMonitor::length, value::positive(), "`1`", "[m], likewise");
    return keys;
}

void read_nusselt(const TableReader& table, const CaseSettings& settings,
                  MonitorSettings& monitor) {
    const std::vector<std::string> scalars = names_of(settings_of<FlowCase>(settings).scalars);
    NusseltMonitor nusselt = nusselt_keys().read(table);
    nusselt.scalar = table.has("scalar") ? table.choice("scalar", scalars) : scalars.front();
    const auto& all = settings_of<FlowCase>(settings).scalars;
    if (const Formula& diffusivity =
            std::ranges::find(all, nusselt.scalar, &ScalarSettings::name)->diffusivity;
        !diffusivity.is_constant())
        table.fail("type",
                   fmt::format("\"nusselt\" refers to one diffusivity, and that of {} varies: "
                               "leave the monitor out; the flows are in monitors/{}.csv",
                               quoted(nusselt.scalar), nusselt.scalar));
    monitor.own = nusselt;
}

void check_nusselt(const MonitorSettings& monitor, const CaseSettings&, const MeshNames& mesh) {
    refuse_unknown_boundaries(monitor, {settings_of<NusseltMonitor>(monitor).boundary}, mesh);
}

}  // namespace

MonitorKind nusselt_monitor() {
    return {"nusselt",
            nusselt_keys().declared(),
            "the diffusive flow of a scalar through a boundary, and its Nusselt number, every step",
            read_nusselt,
            check_nusselt,
            [](const CaseSettings& settings) {
                return !settings_of<FlowCase>(settings).scalars.empty();
            }};
}

}  // namespace solenoid

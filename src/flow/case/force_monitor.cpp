// Monitors of type "force": the force of the fluid on boundaries.
#include <fmt/format.h>

#include <glm/geometric.hpp>

#include "case/named.hpp"
#include "flow/case/monitor_kinds.hpp"

namespace solenoid {
namespace {

ValueReader<std::vector<std::string>> names() { return {"list of strings", &TableReader::texts}; }

ValueReader<Vec3> direction() {
    return {"point", [](const TableReader& table, const std::string& key) {
                const Vec3 v = table.point(key);
                if (v == Vec3{0}) table.fail(key, "must not be zero");
                return glm::normalize(v);
            }};
}

const Keys<ForceMonitor>& force_keys() {
    static const auto keys =
        Keys<ForceMonitor>()
            .key("boundaries", &ForceMonitor::boundaries, names(), "required",
                 "the boundary groups on which the force acts; they count together")
            .key("reference_speed", &ForceMonitor::speed, value::positive(), "none",
                 "U [m/s]: if given, the coefficients 2 F·d / (ρ U² A) are written too")
            .key("reference_area", &ForceMonitor::area, value::positive(), "`1`",
                 "A [m²], in two dimensions a length [m]")
            .key("drag", &ForceMonitor::drag, direction(), "`[1, 0, 0]`",
                 "direction d of the drag coefficient")
            .key("lift", &ForceMonitor::lift, direction(), "`[0, 1, 0]`",
                 "direction d of the lift coefficient")
            .key("centre", &ForceMonitor::centre, value::point(), "the origin",
                 "reference point of the moment [m]");
    return keys;
}

// Forces are measured on walls and symmetry planes only.
void check_force(const MonitorSettings& monitor, const CaseSettings& settings,
                 const MeshNames& mesh) {
    const ForceMonitor& force = settings_of<ForceMonitor>(monitor);
    refuse_out_of_plane(monitor, {force.drag, force.lift, force.centre}, mesh);
    refuse_unknown_boundaries(monitor, force.boundaries, mesh);
    for (const FlowBoundary& b : settings_of<FlowCase>(settings).boundaries)
        if (contains(force.boundaries, b.name) && b.condition->lets_through())
            throw InputError(monitor.place,
                             fmt::format("the monitor \"{}\": a force is measured at walls and in "
                                         "symmetry, and [boundary.{}] lets the flow pass: "
                                         "take \"{}\" out of boundaries",
                                         monitor.name, b.name, b.name));
}

}  // namespace

MonitorKind force_monitor() {
    return {"force", force_keys().declared(), "the force of the fluid on boundaries, every step",
            [](const TableReader& table, const CaseSettings&, MonitorSettings& monitor) {
                monitor.own = force_keys().read(table);
            },
            check_force};
}

}  // namespace solenoid

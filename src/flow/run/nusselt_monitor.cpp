// Monitors of type "nusselt": the diffusive flow of a scalar through a boundary, relative to pure
// conduction.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "case/quote.hpp"
#include "flow/run/flow_monitors.hpp"
#include "mesh/geometry.hpp"
#include "parallel/sum_over_ranks.hpp"
#include "run/run.hpp"
#include "run/simplices/simplices.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

const Keys<NusseltMonitor>& nusselt_keys() {
    static const auto keys =
        Keys<NusseltMonitor>()
            .key("boundary", &NusseltMonitor::boundary, value::text(), "required",
                 "the boundary group")
            .other("scalar", "string", "the first scalar", "whose Nusselt number it is")
            .key("difference", &NusseltMonitor::difference, value::positive(), "`1`",
                 "reference difference of the scalar")
            .key("length", &NusseltMonitor::length, value::positive(), "`1`",
                 "reference length [m]");
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

double boundary_area(const Run& run, std::size_t boundary) {
    const Geometry& g = simplices_of(run).domain->geometry;
    std::vector<RankSum> area(1);
    for (const Side& side : simplices_of(run).mesh.mesh.sides)
        if (side.boundary == boundary && side.face < simplices_of(run).mesh.range(Kind::face).owned)
            area[0] += glm::length(g.face_area[side.face]);
    return totals(run.comm, std::move(area))[0];
}

class NusseltTable final : public TableMonitor {
  public:
    NusseltTable(const MonitorSettings& settings, const MonitorParts& parts)
        : TableMonitor(parts, settings.name, {"flow", "nusselt"}),
          all_(parts.simulation.quantities()),
          scalar_(settings_of<NusseltMonitor>(settings).scalar) {
        const NusseltMonitor& asked = settings_of<NusseltMonitor>(settings);
        const auto& scalars = settings_of<FlowCase>(parts.run.settings).scalars;
        const auto& boundaries = parts.run.topology().boundaries();
        boundary_ = std::ranges::find(boundaries, asked.boundary) - boundaries.begin();
        const double conducted =
            std::ranges::find(scalars, scalar_, &ScalarSettings::name)->diffusivity(Vec3(0)) *
            asked.difference * boundary_area(parts.run, boundary_);
        scale_ = conducted > 0 ? asked.length / conducted : 0;
    }

  private:
    std::vector<double> values() override {
        const double flow = all_.values(scalar_, QuantityInfo::Of::boundaries)[boundary_];
        return {flow, scale_ * flow};
    }

    Quantities& all_;
    const std::string scalar_;
    std::size_t boundary_;
    double scale_;  // Nu = scale x flow: length / (diffusivity difference area)
};

}  // namespace

MonitorKind nusselt_monitor() {
    return {
        .name = "nusselt",
        .keys = nusselt_keys().declared(),
        .help =
            "the diffusive flow of a scalar through a boundary, and its Nusselt number, "
            "every step",
        .read = read_nusselt,
        .check = check_nusselt,
        .make = [](const MonitorSettings& settings,
                   MonitorParts& parts) { return std::make_unique<NusseltTable>(settings, parts); },
        .is_offered =
            [](const CaseSettings& settings) {
                return !settings_of<FlowCase>(settings).scalars.empty();
            }};
}

}  // namespace solenoid

#include "flow/run/scalar_flows.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "mesh/geometry.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

std::vector<double> boundary_areas(const Communicator& comm, const DistributedMesh& distributed) {
    const Mesh& mesh = distributed.mesh;
    const Geometry g = geometry(mesh);
    std::vector<RankSum> areas(mesh.boundaries.size());
    for (const Side& side : mesh.sides)
        if (side.face < distributed.range(Kind::face).owned)
            areas[side.boundary] += glm::length(g.face_area[side.face]);
    return totals(comm, std::move(areas));
}

}  // namespace

ScalarFlows::ScalarFlows(const Run& run, FlowSolver& solver, const RunOutput& output)
    : solver_(solver) {
    const auto& scalars = settings_of<FlowCase>(run.settings).scalars;
    if (scalars.empty()) return;
    const auto& boundaries = run.mesh.mesh.boundaries;
    for (const ScalarSettings& scalar : scalars) {
        std::vector<std::string> columns{"time"};
        columns.insert(columns.end(), boundaries.begin(), boundaries.end());
        series_.push_back(output.series(scalar.name, columns));
    }
    const std::vector<double> areas = boundary_areas(run.comm, run.mesh);
    for (const MonitorSettings& m : run.settings.monitors) {
        if (m.type != "nusselt") continue;
        const NusseltMonitor& asked = settings_of<NusseltMonitor>(m);
        const auto scalar = std::ranges::find(scalars, asked.scalar, &ScalarSettings::name);
        const std::size_t boundary =
            std::ranges::find(boundaries, asked.boundary) - boundaries.begin();
        const double conducted = scalar->diffusivity(Vec3(0)) * asked.difference * areas[boundary];
        nusselt_.push_back({static_cast<int>(scalar - scalars.begin()), boundary,
                            conducted > 0 ? asked.length / conducted : 0,
                            output.series(m.name, {"time", "flow", "nusselt"})});
    }
}

void ScalarFlows::append() {
    for (int i = 0; i < static_cast<int>(series_.size()); ++i) {
        const std::vector<double> flows = solver_.scalar_diffused_in(i);
        CsvRow row{solver_.time()};
        row.insert(row.end(), flows.begin(), flows.end());
        series_[i].append(row);
        for (Nusselt& n : nusselt_)
            if (n.scalar == i)
                n.series.append({solver_.time(), flows[n.boundary], n.scale * flows[n.boundary]});
    }
}

}  // namespace solenoid

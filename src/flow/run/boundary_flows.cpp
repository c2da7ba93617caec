#include "flow/run/boundary_flows.hpp"

#include "parallel/group_locations.hpp"

namespace solenoid {
namespace {

std::vector<std::size_t> of_the_domain(const Run& run) {
    const GroupLocations locations = group_locations(run.comm, run.mesh);
    std::vector<std::size_t> boundaries;
    for (std::size_t b = 0; b < locations.on_boundary.size(); ++b)
        if (locations.on_boundary[b]) boundaries.push_back(b);
    return boundaries;
}

std::vector<std::string> columns(const Run& run, const std::vector<std::size_t>& boundaries) {
    std::vector<std::string> names{"time"};
    for (const std::size_t b : boundaries) names.push_back(run.mesh.mesh.boundaries[b]);
    names.push_back("imbalance");
    return names;
}

}  // namespace

BoundaryFlows::BoundaryFlows(const Run& run, FlowSolver& solver, const RunOutput& output)
    : solver_(solver),
      boundaries_(of_the_domain(run)),
      series_(output.series("boundaries", columns(run, boundaries_))) {}

void BoundaryFlows::append() {
    const std::vector<double> inflow = solver_.boundary_inflow();
    CsvRow row{solver_.time()};
    double sum = 0;
    for (const std::size_t b : boundaries_) {
        row.push_back(inflow[b]);
        sum += inflow[b];
    }
    row.push_back(sum);
    series_.append(row);
}

}  // namespace solenoid

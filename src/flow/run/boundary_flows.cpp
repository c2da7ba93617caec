#include "flow/run/flow_monitors.hpp"
#include "parallel/group_locations.hpp"
#include "run/run.hpp"
#include "run/simplices/simplices.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

// The boundaries of the domain, as indices into Mesh::boundaries.
std::vector<std::size_t> of_the_domain(const Run& run) {
    const GroupLocations locations = group_locations(run.comm, simplices_of(run).mesh);
    std::vector<std::size_t> boundaries;
    for (std::size_t b = 0; b < locations.on_boundary.size(); ++b)
        if (locations.on_boundary[b]) boundaries.push_back(b);
    return boundaries;
}

std::vector<std::string> columns_of(const Run& run, const std::vector<std::size_t>& boundaries) {
    std::vector<std::string> names;
    for (const std::size_t b : boundaries) names.push_back(run.topology().boundaries()[b]);
    names.emplace_back("imbalance");
    return names;
}

class BoundaryFlows final : public TableMonitor {
  public:
    BoundaryFlows(const MonitorParts& parts, const std::vector<std::size_t>& boundaries)
        : TableMonitor(parts, "boundaries", columns_of(parts.run, boundaries)),
          all_(parts.simulation.quantities()),
          boundaries_(boundaries) {}

  private:
    std::vector<double> values() override {
        const std::vector<double>& inflow = all_.values("inflow", QuantityInfo::Of::boundaries);
        std::vector<double> row;
        double sum = 0;
        for (const std::size_t b : boundaries_) {
            row.push_back(inflow[b]);
            sum += inflow[b];
        }
        row.push_back(sum);
        return row;
    }

    Quantities& all_;
    const std::vector<std::size_t> boundaries_;
};

}  // namespace

// A number a column: of each boundary what is convected and what diffuses into the domain there,
// then what sources make, what is stored, and what of the sum is left.
void add_scalar_balance(Quantities& all, const Run& run, FlowSolver& solver, int scalar,
                        const std::string& name) {
    const std::vector<std::size_t> boundaries = of_the_domain(run);
    QuantityInfo info{.name = scalar_balance_of(name),
                      .of = QuantityInfo::Of::number,
                      .unit = "its own times m³/s, in 2D m²/s",
                      .help = "what passes each boundary, is made and is stored, over the step"};
    for (const std::size_t b : boundaries)
        for (const char* how : {"_convection", "_diffusion"})
            info.table_columns.push_back(run.topology().boundaries()[b] + how);
    for (const char* column : {"source", "divergence", "storage", "imbalance"})
        info.table_columns.emplace_back(column);
    info.columns = static_cast<int>(info.table_columns.size());
    all.add(info, [&solver, boundaries, scalar] {
        const ScalarBalance balance = solver.scalar_balance(scalar);
        std::vector<double> row;
        double sum = balance.source + balance.divergence - balance.storage;
        for (const std::size_t b : boundaries)
            for (const double in : {balance.convected_in[b], balance.diffused_in[b]}) {
                row.push_back(in);
                sum += in;
            }
        row.insert(row.end(), {balance.source, balance.divergence, balance.storage, sum});
        return row;
    });
}

std::unique_ptr<Monitor> boundary_flows(const MonitorParts& parts) {
    return std::make_unique<BoundaryFlows>(parts, of_the_domain(parts.run));
}

}  // namespace solenoid

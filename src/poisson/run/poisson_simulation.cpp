// A case of Poisson's equation at work: its solve and what it tells.
#include <fmt/format.h>

#include "core/log.hpp"
#include "grid/run/grid_mesh.hpp"
#include "poisson/case/poisson_physics.hpp"
#include "poisson/poisson_solver.hpp"
#include "run/monitor.hpp"
#include "run/run.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"
#include "run/text.hpp"

namespace solenoid {
namespace {

using Of = QuantityInfo::Of;

QuantityInfo on_nodes(const std::string& name, int columns, const std::string& unit,
                      const std::string& help, std::vector<std::string> table_columns) {
    return {.name = name,
            .columns = columns,
            .unit = unit,
            .help = help,
            .in_files = true,
            .is_drawn = true,
            .table_columns = std::move(table_columns)};
}
const QuantityInfo potential = on_nodes("U", 1, "of U", "the solution U", {"U"}),
                   gradient = on_nodes("gradient", 3, "of U/m", "grad U",
                                       {"gradient_x", "gradient_y", "gradient_z"}),
                   flux =
                       on_nodes("flux", 3, "of k U/m", "-k grad U", {"flux_x", "flux_y", "flux_z"}),
                   curl = on_nodes("curl", 3, "of U/m",
                                   "(dU/dy, -dU/dx): the velocity where U is a stream function",
                                   {"curl_x", "curl_y", "curl_z"});

QuantityInfo balance_of(const std::vector<std::string>& boundaries) {
    QuantityInfo info{.name = "balance",
                      .of = Of::number,
                      .unit = "",
                      .help =
                          "what flows in through the boundaries, is made by the source and "
                          "taken by the reaction"};
    info.table_columns = boundaries;
    for (const char* name : {"source", "reaction", "imbalance"}) info.table_columns.push_back(name);
    return info;
}

template <class Real>
class PoissonSimulation final : public Simulation {
  public:
    explicit PoissonSimulation(Run& run)
        : run_(run),
          solver_(run.comm, *run.device, grid_of(run), settings_of<PoissonCase>(run.settings),
                  run.settings.place) {
        quantities_.add(potential, [this] { return solver_.potential(); });
        quantities_.add(gradient, [this] { return solver_.gradient(); });
        quantities_.add(flux, [this] { return solver_.flux(quantities_.values("gradient")); });
        quantities_.add(curl, [this] {
            std::vector<double> values = quantities_.values("gradient");
            const std::size_t n = values.size() / 3;
            for (std::size_t i = 0; i < n; ++i) {
                std::swap(values[i], values[n + i]);
                values[n + i] *= -1;
            }
            return values;
        });
        quantities_.add(balance_of(run.topology().boundaries()), [this] {
            const auto balance = solver_.balance();
            std::vector<double> values = balance.boundaries;
            values.insert(values.end(), {balance.source, balance.reaction, balance.imbalance()});
            return values;
        });
    }

    StateRegistry& state() override { return state_; }
    double time() const override { return 0; }
    void advance(double) override {}
    void solve_steady() override { solver_.solve(); }
    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(number_table(parts, "boundaries", {"balance"}));
        return tables;
    }
    std::vector<SolveSummary> solves() const override {
        const SolveTotals& s = solver_.solves();
        return {{"U", s.count, s.iterations, s.residual, s.preconditioner.setup_seconds}};
    }
    void report(const Summary& summary) override {
        const GridSolveSettings& settings = settings_of<PoissonCase>(run_.settings).solver;
        const SolveSummary& s = summary.solves.front();
        log::info("solved   {}, residual {:.1e}, {:.2f} s",
                  settings.method == "cg"       ? plural(s.iterations, "CG iteration")
                  : settings.method == "cycles" ? plural(s.iterations, "cycle")
                  : s.iterations == 0           ? std::string("full multigrid")
                                      : "full multigrid and " + plural(s.iterations, "cycle"),
                  s.residual, summary.seconds.solve);
        log::info("         {} grids, {} points a node, {} cycles, smoother: {}", solver_.levels(),
                  solver_.stencil_points(), settings.cycle, solver_.smoother());
        if (solver_.floating_parts() > 0)
            log::info(
                "         land cuts off {} where no condition says where U is zero: its mean over "
                "each is",
                plural(solver_.floating_parts(), "part"));
        else if (solver_.is_singular())
            log::info("         no condition says where U is zero: its mean is");
        report_ranges(summary);
        const auto balance = solver_.balance();
        std::string line;
        for (std::size_t b = 0; b < balance.boundaries.size(); ++b)
            line +=
                fmt::format("{} {:.5g}, ", run_.topology().boundaries()[b], balance.boundaries[b]);
        if (balance.source != 0) line += fmt::format("source {:.5g}, ", balance.source);
        if (balance.reaction != 0) line += fmt::format("reaction {:.5g}, ", -balance.reaction);
        log::info("flows in {}imbalance {:.1e}", line, balance.imbalance());
    }

  private:
    Run& run_;
    PoissonSolver<Real> solver_;
    StateRegistry state_;
};

}  // namespace

QuantityList PoissonPhysics::quantities(const CaseSettings*, int) const {
    return {potential, gradient, flux, curl};
}

std::vector<MonitorKind> PoissonPhysics::monitor_kinds() const { return placed_monitor_kinds(); }

std::unique_ptr<RunMesh> PoissonPhysics::make_mesh(Run& run) const {
    refuse_mixed_precision(run);
    return make_grid_mesh(run, usual_cut);
}

std::unique_ptr<Simulation> PoissonPhysics::simulation_in_single(Run& run) const {
    return std::make_unique<PoissonSimulation<float>>(run);
}
std::unique_ptr<Simulation> PoissonPhysics::simulation_in_double(Run& run) const {
    return std::make_unique<PoissonSimulation<double>>(run);
}

}  // namespace solenoid

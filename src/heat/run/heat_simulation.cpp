// A heat case at work: its steps, what it tells, its balance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "heat/case/heat_physics.hpp"
#include "heat/case/heat_settings.hpp"
#include "heat/heat_solver.hpp"
#include "heat/run/heat_time_data.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run.hpp"
#include "run/simplices/simplices.hpp"
#include "run/simulation.hpp"
#include "run/step_repeats.hpp"
#include "run/text.hpp"
#include "run/time_step.hpp"

namespace solenoid {
namespace {

using Of = QuantityInfo::Of;

const QuantityInfo temperature{.name = "temperature",
                               .unit = "K",
                               .help = "temperature",
                               .in_files = true,
                               .is_drawn = true,
                               .table_columns = {"temperature"}};

// Heat by boundaries of the case, contacts too, which a mesh does not know.
QuantityInfo balance_of(const HeatBoundaries& boundaries) {
    QuantityInfo info{.name = "balance",
                      .of = Of::number,
                      .unit = "W, in 2D W/m",
                      .help = "heat through the boundaries, made, and stored"};
    for (const BoundaryPart& part : boundaries.parts())
        info.table_columns.push_back(part.boundary.name);
    for (const char* name : {"source", "storage", "imbalance"}) info.table_columns.push_back(name);
    return info;
}

// A step may leave a datum that depends on time by so much of its range: TR-BDF2 evaluates it three
// times in a step.
constexpr double followed = 1e-2;

// Its steps have a fixed length, or one by the error estimate.
template <class Real>
class HeatSimulation final : public Simulation {
  public:
    explicit HeatSimulation(Run& run)
        : run_(run),
          time_(run.settings.time),
          heat_(settings_of<HeatSettings>(run.settings)),
          solver_(*simplices_of(run).domain, materials_of(heat_, run.topology().regions()),
                  heat_.boundaries, heat_.initial, heat_.solver, simplices_of(run).coupled),
          data_(run.comm, heat_time_data(run), time_, followed),
          repeats_(run),
          step_(time_.step.value_or(time_.first_step.value_or(1e-4 * time_.end))) {
        if (time_.steady) solver_.anchor();
        const StateValues state(solver_.state());
        data_.register_state(state.part("time_data"));
        if (!time_.step) state.part("steps").off_stack().add("step", step_, not_negative);
        if (time_.step || data_.has_integrated())
            solver_.integrate_over(
                [this](double from, double to) { return data_.parts(from, to); });
        quantities_.add(temperature, [this] { return solver_.temperature(); });
        quantities_.add(balance_of(solver_.boundaries()), [this] {
            const HeatBalance& balance = solver_.balance();
            std::vector<double> values = balance.boundary;
            values.insert(values.end(), {balance.source, balance.storage, balance.imbalance()});
            return values;
        });
    }

    StateRegistry& state() override { return solver_.state(); }
    double time() const override { return solver_.time(); }
    const TimeData* data() const override { return &data_; }
    void set_clock(double time) override {
        repeats_.forget(solver_);
        solver_.set_clock(time);
    }
    void restart() override {
        repeats_.forget(solver_);
        solver_.restart();
    }
    void solve_steady() override { solver_.solve_steady(); }

    // A step from the present time to `target` [s] at the latest. One that fails is repeated
    // (StepRepeats). Of a step that is chosen the error over time.tolerance is at most 1, else it
    // is undone and made shorter. Throws ComputationError where it gets too short.
    void advance(double target) override {
        if (time_.step) {
            const double left = target - solver_.time();
            repeats_.make(solver_, *time_.step >= left * (1 - 1e-9) ? left : *time_.step, target,
                          [this](double length) {
                              solver_.step(length, false);
                              check_finite();
                          });
        } else {
            const double longest =
                std::min(data_.longest_step(solver_.time(), target - solver_.time()),
                         time_.largest_step.value_or(HUGE_VAL));
            for (int halvings = 0; !try_step(target, longest, halvings);) {
            }
            check_finite();
        }
    }

    std::string figures() override {
        return fmt::format("T = {:.5g} to {:.5g} K", extrema_[0], extrema_[1]);
    }

    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(number_table(parts, "boundaries", {"balance"}));
        return tables;
    }
    std::vector<SolveSummary> solves() const override {
        const SolveTotals& s = solver_.solves();
        return {{"temperature", s.count, s.iterations, s.residual, s.preconditioner.setup_seconds}};
    }
    void report(const Summary& summary) override;

  private:
    // A trial of a step that is chosen. Returns false where it was taken back; halvings: counts
    // failures of the present step.
    bool try_step(double target, double longest, int& halvings) {
        const double now = solver_.time(), left = target - now;
        const double wanted = longest < left ? std::min(step_, longest) : step_;
        double length = fitted_step(now, wanted, target);
        if (length >= left * (1 - 1e-9)) length = left;
        run_.comm.agree([&] {
            if (wanted < 1e-13 * time_.end)
                throw ComputationError(fmt::format(
                    "the time step fell to {:.3g} s at t = {:.6g} s: raise time.tolerance, "
                    "or give time.step",
                    wanted, now));
        });
        solver_.keep_state();
        double error = 0;
        try {
            error = solver_.step(length, true) / time_.tolerance;
        } catch (const AgreedError& failure) {
            if (!repeats_.repeats(failure, halvings, now, length)) throw;
            ++halvings;
            step_ = length / 2;
            solver_.take_back();
            return false;
        }
        const double next = StepControl::next(length, error);
        const bool accepted = StepControl::accepted(error);
        step_ = accepted && length < step_ ? std::max(step_, next) : next;
        if (accepted)
            solver_.let_go();
        else
            solver_.take_back();
        return accepted;
    }
    void check_finite() {
        extrema_ = solver_.extrema();
        run_.comm.agree([&] {
            if (!std::isfinite(extrema_[0]) || !std::isfinite(extrema_[1]))
                throw ComputationError(fmt::format(
                    "the temperature is no longer finite at t = {:.6g} s: take a smaller time.step",
                    solver_.time()));
        });
    }

    Run& run_;
    const TimeSettings& time_;
    const HeatSettings& heat_;
    HeatSolver<Real> solver_;
    TimeData data_;
    StepRepeats repeats_;
    double step_;                      // length of the next chosen step [s]
    std::array<double, 2> extrema_{};  // after the last step
};

// "21 steps, 677 CG iterations in 63 solves, residual 1.0e-10, 4.34 s"; a steady case has one solve
// and no step.
void report_solves(const Summary& summary, bool steady) {
    const SolveSummary& s = summary.solves.front();
    std::string line = plural(s.iterations, "CG iteration");
    if (!steady)
        line = plural(summary.steps, "step") + ", " + line + " in " + plural(s.count, "solve");
    log::info("solved   {}, residual {:.1e}, {:.2f} s", line, s.residual, summary.seconds.solve);
}

// Heat into the body, through each boundary that lets some pass; in two dimensions for each metre
// of depth.
void report_balance(const HeatBoundaries& boundaries, const HeatBalance& balance, int dimension) {
    const char* unit = dimension == 3 ? "W" : "W/m";
    std::string line;
    const auto add = [&](const std::string& name, double heat) {
        line += fmt::format("{} {:.5g} {}, ", name, heat, unit);
    };
    for (std::size_t p = 0; p < balance.boundary.size(); ++p)
        if (boundaries.parts()[p].condition().lets_heat_pass())
            add(boundaries.parts()[p].boundary.name, balance.boundary[p]);
    if (balance.source != 0) add("sources", balance.source);
    if (balance.storage != 0) add("stored", balance.storage);
    log::info("heat in  {}imbalance {:.1e} {}", line, balance.imbalance(), unit);
    line.clear();
    for (std::size_t p = 0; p < balance.boundary.size(); ++p)
        if (balance.is_contact[p])
            line += fmt::format("{}{} {:.5g} {}", line.empty() ? "" : ", ",
                                boundaries.parts()[p].boundary.name, balance.boundary[p], unit);
    if (!line.empty()) log::info("across   {}", line);
}

template <class Real>
void HeatSimulation<Real>::report(const Summary& summary) {
    const auto [low, high] = solver_.extrema();
    report_solves(summary, time_.steady);
    report_hierarchy("temperature", heat_.solver, solver_.solves());
    log::info("         temperature {:.6g} to {:.6g} K", low, high);
    report_balance(solver_.boundaries(), solver_.balance(), run_.topology().dimension());
}

}  // namespace

QuantityList HeatPhysics::quantities(const CaseSettings*, int) const { return {temperature}; }

std::vector<MonitorKind> HeatPhysics::monitor_kinds() const { return placed_monitor_kinds(); }

std::unique_ptr<RunMesh> HeatPhysics::make_mesh(Run& run) const { return make_simplices(run); }

std::unique_ptr<Simulation> HeatPhysics::simulation_in_single(Run& run) const {
    return std::make_unique<HeatSimulation<float>>(run);
}
std::unique_ptr<Simulation> HeatPhysics::simulation_in_double(Run& run) const {
    return std::make_unique<HeatSimulation<double>>(run);
}

}  // namespace solenoid

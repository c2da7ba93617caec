// The run of a heat case: steps, output, monitors, pictures, summary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "heat/case/heat_physics.hpp"
#include "heat/case/heat_settings.hpp"
#include "heat/heat_solver.hpp"
#include "heat/run/heat_time_data.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run_output.hpp"
#include "run/text.hpp"
#include "run/time_loop.hpp"
#include "run/time_step.hpp"

namespace solenoid {
namespace {

std::vector<std::string> balance_columns(const HeatBoundaries& boundaries) {
    std::vector<std::string> columns{"time"};
    for (const BoundaryPart& part : boundaries.parts()) columns.push_back(part.boundary.name);
    for (const char* name : {"source", "storage", "imbalance"}) columns.push_back(name);
    return columns;
}

// The results of a heat run: the temperature, and the balance of the boundaries.
class HeatOutput {
  public:
    HeatOutput(Run& run, const HeatBoundaries& boundaries)
        : common(run, "temperature"),
          balance_(common.series("boundaries", balance_columns(boundaries))) {}

    void write(double time, std::int64_t step, std::span<const double> temperature, bool final) {
        const std::vector<OutputField> fields{{"temperature", temperature, 1}};
        common.write(step, {time, fields, {}, fields, {{"temperature", temperature}}}, final);
    }
    void record_balance(double time, const HeatBalance& balance) {
        CsvRow row{time};
        row.insert(row.end(), balance.boundary.begin(), balance.boundary.end());
        row.insert(row.end(), {balance.source, balance.storage, balance.imbalance()});
        balance_.append(row);
    }

    RunOutput common;

  private:
    CsvSeries balance_;
};

// A step may leave a datum that depends on time by so much of its range: TR-BDF2 evaluates it three
// times in a step.
constexpr double followed = 1e-2;

// What drives the steps in time: their length, fixed or chosen by the error estimate, and their
// output.
template <class Real>
class HeatEvolution : public Evolution {
  public:
    HeatEvolution(Run& run, HeatSolver<Real>& solver, HeatOutput& output)
        : run_(run),
          time_(run.settings.time),
          solver_(solver),
          output_(output),
          data_(run.comm, heat_time_data(run), time_, followed),
          step_(time_.step.value_or(time_.first_step.value_or(1e-4 * time_.end))) {
        const StateValues state(solver_.state());
        data_.register_state(state.part("time_data"));
        if (!time_.step) state.part("steps").off_stack().add("step", step_);
        if (time_.step)
            solver_.integrate_over(
                [this](double from, double to) { return data_.parts(from, to); });
    }

    double time() const override { return solver_.time(); }
    const TimeData* data() const override { return &data_; }
    void set_clock(double time) override { solver_.set_clock(time); }
    void restart() override { solver_.restart(); }

    // A step from the present time to `target` [s] at the latest. Its error over time.tolerance is
    // at most 1, else it is undone and made shorter. Throws ComputationError where it gets too
    // short.
    void advance(double target) override {
        const double longest =
            time_.step ? step_
                       : std::min(data_.longest_step(solver_.time(), target - solver_.time()),
                                  time_.largest_step.value_or(HUGE_VAL));
        for (;;) {
            const double left = target - solver_.time();
            double length =
                time_.step ? step_ : fitted_step(solver_.time(), std::min(step_, longest), target);
            if (length >= left * (1 - 1e-9)) length = left;
            run_.comm.agree([&] {
                if (length < 1e-13 * time_.end)
                    throw ComputationError(fmt::format(
                        "the time step fell to {:.3g} s at t = {:.6g} s: raise time.tolerance, "
                        "or give time.step",
                        length, solver_.time()));
            });
            if (!time_.step) solver_.keep_state();
            const double error = solver_.step(length, !time_.step) / time_.tolerance;
            if (time_.step) return;
            const double next = StepControl::next(length, error);
            const bool accepted = StepControl::accepted(error);
            step_ = accepted && length < step_ ? std::max(step_, next) : next;
            if (accepted) return solver_.let_go();
            solver_.take_back();
        }
    }

    std::string after_step() override {
        output_.record_balance(solver_.time(), solver_.balance());
        const auto [low, high] = solver_.extrema();
        run_.comm.agree([&] {
            if (!std::isfinite(low) || !std::isfinite(high))
                throw ComputationError(fmt::format(
                    "the temperature is no longer finite at t = {:.6g} s: take a smaller time.step",
                    solver_.time()));
        });
        return fmt::format("T = {:.5g} to {:.5g} K", low, high);
    }

    void write(std::int64_t step, bool final) override {
        output_.write(solver_.time(), step, solver_.temperature(), final);
    }
    void view() override {
        if (output_.common.wants_view()) output_.common.view(solver_.temperature(), solver_.time());
    }

  private:
    Run& run_;
    const TimeSettings& time_;
    HeatSolver<Real>& solver_;
    HeatOutput& output_;
    TimeData data_;
    double step_;  // length of the next step [s]
};

template <class Real>
std::string solve_in_time(Run& run, HeatSolver<Real>& solver, HeatOutput& output) {
    HeatEvolution<Real> evolution(run, solver, output);
    TimeLoop loop(run, evolution);
    while (loop.begins_step()) {
        evolution.advance(loop.target());
        loop.end_step();
    }
    return loop.finish();
}

template <class Real>
std::string solve_steady(Run& run, HeatSolver<Real>& solver, HeatOutput& output) {
    Stopwatch watch;
    solver.solve_steady();
    set_stop_patience(HUGE_VAL);
    run.summary.seconds.solve = watch.seconds();
    output.record_balance(0, solver.balance());
    const auto temperature = solver.temperature();
    output.write(0, 0, temperature, true);
    output.common.view(temperature, 0);
    return run.comm.any(stop_requested()) ? "stopped" : "done";
}

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
void run_heat(Run& run) {
    Stopwatch watch;
    const HeatSettings& heat = settings_of<HeatSettings>(run.settings);
    HeatSolver<Real> solver(*run.domain, materials_of(heat, run.mesh.mesh.regions), heat.boundaries,
                            heat.initial, heat.solver, run.coupled);
    if (run.settings.time.steady) solver.anchor();
    run.summary.seconds.setup = watch.seconds();
    HeatOutput output(run, solver.boundaries());
    const auto totals = [&] {
        const SolveTotals& s = solver.solves();
        run.summary.solves = {
            {"temperature", s.count, s.iterations, s.residual, s.preconditioner.setup_seconds}};
    };
    const auto compute = [&] {
        return run.settings.time.steady ? solve_steady(run, solver, output)
                                        : solve_in_time(run, solver, output);
    };
    const std::string status = output.common.conclude(compute, totals);
    const auto [low, high] = solver.extrema();
    report_solves(run.summary, run.settings.time.steady);
    report_hierarchy("temperature", heat.solver, solver.solves());
    log::info("         temperature {:.6g} to {:.6g} K", low, high);
    report_balance(solver.boundaries(), solver.balance(), run.mesh.mesh.dimension);
    output.common.report(status);
    output.common.keep_view_open();
}

}  // namespace

void HeatPhysics::run_in_single(Run& run) const { run_heat<float>(run); }
void HeatPhysics::run_in_double(Run& run) const { run_heat<double>(run); }

}  // namespace solenoid

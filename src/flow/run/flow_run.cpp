// The run of a flow case: steps, output, summary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/log.hpp"
#include "flow/case/flow_physics.hpp"
#include "flow/make_flow_solver.hpp"
#include "flow/run/boundary_flows.hpp"
#include "flow/run/divergence_guard.hpp"
#include "flow/run/energy_monitors.hpp"
#include "flow/run/flow_fields.hpp"
#include "flow/run/flow_scales.hpp"
#include "flow/run/flow_steps.hpp"
#include "flow/run/flow_time_data.hpp"
#include "flow/run/force_monitors.hpp"
#include "flow/run/scalar_flows.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run_output.hpp"
#include "run/text.hpp"
#include "run/time_loop.hpp"

namespace solenoid {
namespace {

// The largest departure of a datum, within a step, from the line between its values at the step's
// ends, relative to its range; a step sees only its end. Where steps are chosen by errors it
// follows from the tolerance: for an oscillation that turns by the angle w in a step BDF2 has an
// error of 2/9 w^3, and the datum departs from the line by w^2/8.
constexpr double followed = 5e-4, most_followed = 1e-2;
double followed_part(double tolerance, bool controls) {
    return controls ? std::clamp(0.3 * std::pow(tolerance, 2.0 / 3), followed, most_followed)
                    : followed;
}

constexpr double most_swing = 0.2;  // angle of a buoyant oscillation in a step [rad]

class FlowEvolution : public Evolution {
  public:
    // rounding: the relative rounding of the precision.
    FlowEvolution(Run& run, FlowSolver& solver, RunOutput& output, double rounding)
        : run_(run),
          solver_(solver),
          output_(output),
          flow_(settings_of<FlowCase>(run.settings)),
          data_(run.comm, run.mesh, run.domain->geometry, flow_),
          controls_(!run.settings.time.step && solver.follow_errors()),
          time_data_(run.comm, flow_time_data(run), run.settings.time,
                     followed_part(run.settings.time.tolerance, controls_)),
          scales_(flow_, data_, time_data_, solver, run.settings.time.end, rounding),
          steps_(run.comm, data_, run.settings.time, flow_.courant, controls_),
          watch_(run, solver, data_),
          figures_(output.series("flow", columns())),
          boundary_flows_(run, solver, output),
          scalar_flows_(run, solver, output),
          forces_(run, solver, output),
          energy_budget_(run, solver, output),
          courant_rate_(solver.courant(1)) {
        note_divergence();
        if (!run.settings.time.step) return;
        const TimeParts parts = [this](double from, double to) {
            return time_data_.parts(from, to);
        };
        solver.integrate_over(parts);
        watch_.integrate_over(parts);
    }

    double time() const override { return solver_.time(); }
    const TimeData* data() const override { return &time_data_; }
    void set_clock(double time) override { solver_.set_clock(time); }
    void restart() override {
        solver_.restart();
        steps_.restart(length_);
    }

    void advance(double target) override {
        while (!try_step(target)) solver_.take_back();
        if (controls_) solver_.let_go();
        courant_rate_ = solver_.courant(1);
        energy_ = solver_.kinetic_energy();
        watch_.after_step(length_, courant_rate_, energy_);
        if (controls_) scales_.sample();
    }

    std::string after_step() override {
        const double divergence = note_divergence(), courant = courant_rate_ * length_;
        note_changes();
        const GradientIntegrals g = solver_.gradient_integrals();
        CsvRow row{solver_.time(), length_,       courant,    energy_,
                   g.enstrophy,    g.dissipation, divergence, solver_.rate_of_change()};
        for (const SectionFlow& section : solver_.cut_surfaces()) {
            row.push_back(section.flux);
            if (section.pressure_rise) row.push_back(flow_.fluid.density * *section.pressure_rise);
        }
        figures_.append(row);
        boundary_flows_.append();
        scalar_flows_.append();
        forces_.append();
        energy_budget_.append();
        return fmt::format("Courant {:.3g}, max_divergence {:.1e}", courant, divergence);
    }

    std::vector<Change> changes() const override { return changes_; }
    void check_change(const CaseSettings& changed, const std::string& place) const override {
        check_courant(changed, solver_, place);
    }

    // Node values and a recovered pressure cost as much as one or two steps; they are computed only
    // where they are written.
    void write(std::int64_t step, bool final) override {
        if (final) {
            energy_budget_.finish(scales_);
            run_.summary.forces = forces_.compared();
        }
        if (output_.wants_states()) return write_fields(step, final);
        if (final) write_cells(step);
    }

    void view() override {
        if (!output_.wants_view()) return;
        const FlowFields fields(solver_, *run_.domain, flow_);
        output_.view(fields.pictured(output_.viewed_field()), solver_.time());
    }

  private:
    // Makes a step. Returns false where the step must be undone: its error is too large, or a solve
    // or a value failed.
    bool try_step(double target) {
        const double now = solver_.time(),
                     length = steps_.next(now, target, courant_rate_, longest_step(now, target));
        length_ = length;
        watch_.before_step(steps_.asked(), length, courant_rate_);
        if (controls_) solver_.keep_state();
        try {
            solver_.step(length);
        } catch (const AgreedError& error) {
            if (!controls_ || error.exit_code() != 1 || !steps_.shortens(length)) throw;
            watch_.take_back();
            return false;
        }
        if (!controls_) return true;
        if (steps_.starts()) energy_budget_.sample();
        const std::optional<StepErrors> errors =
            steps_.starts() ? errors_of_start(target) : solver_.step_errors();
        const bool stays = !errors || steps_.accepts(length, agreed_error(*errors), errors->order);
        if (!stays) watch_.take_back();
        return stays;
    }
    // The error relative to the tolerance, with the same bits on all ranks.
    double agreed_error(const StepErrors& errors) const {
        const double error = scales_.relative(errors) / run_.settings.time.tolerance;
        return run_.comm.max(std::isnan(error) ? HUGE_VAL : error);
    }
    // The error of a first step, from a second trial step of its length, which is undone.
    std::optional<StepErrors> errors_of_start(double target) {
        const double now = solver_.time(), length = std::min(length_, longest_step(now, target));
        if (!(length > 1e-3 * length_) || !(now + length <= target * (1 + 1e-12))) return {};
        std::optional<StepErrors> errors;
        solver_.keep_state();
        try {
            solver_.step(length);
            errors = solver_.step_errors();
        } catch (const AgreedError& error) {
            if (error.exit_code() != 1) throw;
            errors = StepErrors{1, HUGE_VAL, std::vector<double>(flow_.scalars.size(), 0.0)};
        }
        solver_.take_back();
        return errors;
    }
    double longest_step(double now, double target) {
        if (run_.settings.time.step) return HUGE_VAL;
        const double by_data = time_data_.longest_step(now, target - now),
                     by_buoyancy = scales_.buoyancy_rate() > 0
                                       ? most_swing / scales_.buoyancy_rate()
                                       : HUGE_VAL;
        return std::min({by_data, by_buoyancy, solver_.step_limit()});
    }
    void write_fields(std::int64_t step, bool final) {
        const FlowFields fields(solver_, *run_.domain, flow_);
        RunState state = fields.state();
        std::vector<std::vector<double>> pictured;
        const std::vector<std::string> names = picture_fields_of(run_.settings);
        pictured.reserve(names.size());
        for (const std::string& name : names) {
            if (!output_.wants_picture_of(name)) continue;
            pictured.push_back(fields.pictured(name));
            state.pictured.push_back({name, pictured.back()});
        }
        output_.write(step, state, final);
    }
    // For a run that writes no states but reports ranges.
    void write_cells(std::int64_t step) {
        const FlowCellFields fields(solver_, run_.mesh.mesh.dimension, flow_);
        output_.write(step, fields.state(), true);
    }
    std::vector<std::string> columns() const {
        std::vector<std::string> names{"time",           "step_length",   "courant",
                                       "kinetic_energy", "enstrophy",     "dissipation",
                                       "max_divergence", "rate_of_change"};
        for (const SectionFlow& section : solver_.cut_surfaces()) {
            names.push_back("flux_" + section.from);
            if (section.pressure_rise) names.push_back("pressure_rise_" + section.from);
        }
        return names;
    }
    void note_changes() {
        if (!(run_.settings.time.steady_tolerance > 0)) return;
        changes_.clear();
        for (const RateOfChange& change : solver_.changes())
            changes_.push_back({change.of, change.size_of, change.relative()});
    }
    double note_divergence() {
        const double divergence = solver_.max_divergence();
        auto& largest = run_.summary.max_divergence;
        largest = std::max(largest.value_or(0), divergence);
        return divergence;
    }

    Run& run_;
    FlowSolver& solver_;
    RunOutput& output_;
    const FlowCase& flow_;
    FlowData data_;
    const bool controls_;  // steps are chosen by errors
    TimeData time_data_;
    FlowScales scales_;
    FlowSteps steps_;
    DivergenceGuard watch_;
    CsvSeries figures_;
    BoundaryFlows boundary_flows_;
    ScalarFlows scalar_flows_;
    ForceMonitors forces_;
    EnergyMonitors energy_budget_;
    double courant_rate_;  // Courant number of a step of one second
    double length_ = 0, energy_ = 0;
    std::vector<Change> changes_;
};

// Makes the solver. Writes a summary also where this fails, for example if the initial velocity
// cannot be projected.
template <class Real>
std::unique_ptr<FlowSolver> made_solver(Run& run) {
    try {
        return make_flow_solver<Real>(*run.domain, settings_of<FlowCase>(run.settings));
    } catch (const AgreedError& error) {
        if (error.exit_code() == 1) RunOutput(run, "speed").finish_early(error);
        throw;
    }
}

void add_totals(Run& run, FlowSolver& solver) {
    for (const auto& [name, totals] : solver.solves())
        run.summary.solves.push_back({name, totals.count, totals.iterations, totals.residual,
                                      totals.preconditioner.setup_seconds});
}

const SolverSettings& solver_named(const std::string& name, const FlowSolvers& s) {
    if (name == "stream_function") return s.stream_function;
    if (name == "pressure") return s.pressure;
    return name == "momentum" ? s.momentum : s.scalar;
}

void report_solves(const Summary& summary) {
    std::string line = plural(summary.steps, "step");
    for (const SolveSummary& s : summary.solves) {
        std::string name = s.name;
        std::replace(name.begin(), name.end(), '_', ' ');
        line += fmt::format(", {} {} in {}", name, plural(s.iterations, "iteration"),
                            plural(s.count, "solve"));
    }
    log::info("solved   {}, {:.2f} s", line, summary.seconds.solve);
}

// Reports the energy removed by friction and the scheme, and compares forces.
void report_losses(const Run& run) {
    const int dimension = run.mesh.mesh.dimension;
    if (const auto& loss = run.summary.energy_loss) {
        log::info("losses   {}", losses_line(*loss, dimension));
        if (const std::string warning = losses_warning(*loss, settings_of<FlowCase>(run.settings),
                                                       run.settings.mesh.file.filename().string());
            !warning.empty())
            log::warning("{}", warning);
    }
    for (const ForceComparison& forces : run.summary.forces)
        if (const std::string warning = forces_warning(forces, dimension); !warning.empty())
            log::warning("{}", warning);
}

template <class Real>
void run_flow(Run& run) {
    Stopwatch watch;
    const std::unique_ptr<FlowSolver> solver = made_solver<Real>(run);
    run.summary.seconds.setup = watch.seconds();
    check_courant(run, *solver);
    RunOutput output(run, "speed");
    const std::string status = output.conclude(
        [&] {
            FlowEvolution evolution(run, *solver, output, std::numeric_limits<Real>::epsilon());
            TimeLoop loop(run, evolution);
            while (loop.begins_step()) {
                evolution.advance(loop.target());
                loop.end_step();
            }
            return loop.finish();
        },
        [&] { add_totals(run, *solver); });
    report_solves(run.summary);
    for (const auto& [name, totals] : solver->solves())
        report_hierarchy(name, solver_named(name, settings_of<FlowCase>(run.settings).solvers),
                         totals);
    output.report_ranges();
    report_losses(run);
    log::info("         max_divergence {:.1e}", run.summary.max_divergence.value_or(0));
    if (const double held = solver->held_cells(); held > 0)
        log::info(
            "         cells constrained by their fluxes: {:.2g} % of all in each step",
            100 * held / (double(run.summary.steps) * run.mesh.global_count[int(Kind::cell)]));
    output.report(status);
    output.keep_view_open();
}

}  // namespace

void FlowPhysics::run_in_single(Run& run) const { run_flow<float>(run); }
void FlowPhysics::run_in_double(Run& run) const { run_flow<double>(run); }

}  // namespace solenoid

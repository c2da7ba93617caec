// A flow case at work: its steps, what it tells, its reports.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/log.hpp"
#include "flow/case/flow_physics.hpp"
#include "flow/make_flow_solver.hpp"
#include "flow/run/data_slips.hpp"
#include "flow/run/divergence_guard.hpp"
#include "flow/run/energy_samples.hpp"
#include "flow/run/flow_monitors.hpp"
#include "flow/run/flow_quantities.hpp"
#include "flow/run/flow_scales.hpp"
#include "flow/run/flow_steps.hpp"
#include "flow/run/flow_time_data.hpp"
#include "flow/run/held_scalars.hpp"
#include "flow/run/place_of_largest.hpp"
#include "flow/run/thin_cells.hpp"
#include "flow/run/wall_passages.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run_output.hpp"
#include "run/simplices/simplices.hpp"
#include "run/simulation.hpp"
#include "run/step_repeats.hpp"
#include "run/text.hpp"

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

using Of = QuantityInfo::Of;

class FlowSimulation final : public Simulation {
  public:
    // rounding: the relative rounding of the precision.
    FlowSimulation(Run& run, std::unique_ptr<FlowSolver> solver, double rounding)
        : run_(run),
          owned_(std::move(solver)),
          solver_(*owned_),
          flow_(settings_of<FlowCase>(run.settings)),
          data_(run.comm, simplices_of(run).mesh, simplices_of(run).domain->geometry, flow_),
          controls_(!run.settings.time.step && solver_.follow_errors()),
          time_data_(run.comm, flow_time_data(run), run.settings.time,
                     followed_part(run.settings.time.tolerance, controls_)),
          scales_(flow_, data_, time_data_, solver_, run.settings.time.end, rounding),
          steps_(run.comm, data_, run.settings.time, flow_.courant, controls_),
          repeats_(run),
          watch_(run, solver_, data_),
          energy_samples_(solver_, quantities_, flow_.fluid),
          held_scalars_(flow_, run.topology().boundaries()),
          mach_(run.comm, simplices_of(run).mesh, flow_),
          courant_rate_(solver_.courant(1)) {
        if (is_passed_through(flow_)) passages_.emplace(run.comm, simplices_of(run).mesh, flow_);
        add_all_quantities();
        register_state();
        note_divergence();
        for (const std::string& warning :
             missing_references(run.comm, simplices_of(run).mesh, flow_, data_))
            log::warning("{}", warning);
        for (const std::string& warning : coarse_slip_walls(
                 run.comm, simplices_of(run).mesh, simplices_of(run).domain->geometry, flow_))
            log::warning("{}", warning);
        if (!run.settings.time.step && !time_data_.has_integrated()) return;
        const TimeParts parts = [this](double from, double to) {
            return time_data_.parts(from, to);
        };
        solver_.integrate_over(parts);
        watch_.integrate_over(parts);
    }

    StateRegistry& state() override { return solver_.state(); }
    double time() const override { return solver_.time(); }
    const TimeData* data() const override { return &time_data_; }
    void set_clock(double time) override {
        repeats_.forget(solver_);
        solver_.set_clock(time);
    }
    void restart() override {
        repeats_.forget(solver_);
        solver_.restart();
        steps_.restart(length_);
    }

    // One step, or where one of the case's length fails the shorter ones in its place. One of the
    // run's choice is shorter then.
    void advance(double target) override {
        const auto step = [this](double length) {
            make_step(length);
            check_step(length);
        };
        int halvings = 0;
        if (run_.settings.time.step) {
            repeats_.make(solver_, next_length(target), target, step);
        } else if (controls_) {
            while (!try_step(target, halvings)) {
            }
            scales_.sample();
        } else {
            for (double length = next_length(target);
                 !repeats_.makes(solver_, length, halvings, step); length = next_length(target)) {
                ++halvings;
                steps_.shortens(length);
            }
            steps_.stays();
        }
    }

    void end_step() override {
        note_divergence();
        note_changes();
        energy_samples_.end_step();
        if (held_scalars_.are_watched())
            held_scalars_.add(quantities_.values("inflow", Of::boundaries), length_);
        mach_.note(solver_);
    }
    std::string figures() override {
        return fmt::format("Courant {:.3g}, max_divergence {:.1e}", courant_rate_ * length_,
                           number("max_divergence"));
    }
    std::vector<Change> changes() const override { return changes_; }
    void check_change(const CaseSettings& changed, const std::string& place) const override {
        check_courant(changed, solver_, place);
    }

    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(
            number_table(parts, "flow",
                         {"step_length", "courant", "kinetic_energy", "gradient_integrals",
                          "max_divergence", "rate_of_change", "periodic_pairs"}));
        tables.push_back(boundary_flows(parts));
        for (const ScalarSettings& scalar : flow_.scalars) {
            const std::string balance = scalar_balance_of(scalar.name);
            tables.push_back(boundary_table(parts, scalar.name, scalar.name));
            tables.push_back(number_table(parts, balance, {balance}));
        }
        return tables;
    }
    void conclude(Summary& summary) override {
        summary.energy_loss = energy_samples_.means(scales_);
        summary.courant = largest_courant();
        wall_cell_ = coarsest_wall_cell(run_.comm, simplices_of(run_).mesh,
                                        simplices_of(run_).domain->geometry, flow_, solver_);
        if (!passages_ || !scales_.moves()) return;
        summary.cells_across = passages_->narrowest(solver_.cell_velocity(), solver_.time());
        if (summary.energy_loss)
            error_of_flow_ = energy_samples_.error_of_flow();
        else if (summary.cells_across && !solver_.has_energy_budget() && solver_.has_pressure())
            error_of_flow_ = error_of_cells_across(summary.cells_across->cells);
    }
    std::vector<SolveSummary> solves() const override;
    void report(const Summary& summary) override;

  private:
    void register_state() {
        const StateValues state(solver_.state());
        time_data_.register_state(state.part("time_data"));
        data_.register_state(state.part("data"));
        scales_.register_state(state.part("scales"));
        steps_.register_state(state.part("steps"));
        watch_.register_state(state.part("guard"));
        energy_samples_.register_state(state.part("energy_samples"));
        held_scalars_.register_state(state.part("held_scalars"));
        state.part("steps").off_stack().add("length", length_, not_negative);
        state.part("summary").off_stack().add<double>(
            "max_divergence", [this] { return run_.summary.max_divergence.value_or(0); },
            [this](const double& largest) { run_.summary.max_divergence = largest; }, not_negative);
        state.off_stack().remade([this] {
            courant_rate_ = solver_.courant(1);
            note_changes();
        });
    }
    double next_length(double target) {
        const double now = solver_.time();
        return steps_.next(now, target, courant_rate_, longest_step(now, target));
    }
    // May throw half-way, also where the step goes against what the data account for.
    void make_step(double length) {
        length_ = length;
        watch_.before_step(steps_.asked(), length, courant_rate_);
        solver_.step(length);
        quantities_.state_changed();
    }
    void check_step(double length) {
        const double rate = solver_.courant(1);
        watch_.after_step(length, rate, number("kinetic_energy"));
        courant_rate_ = rate;
    }
    // A trial of a step that is chosen by errors. Returns false where it was taken back: its error
    // is too large, or it failed. halvings: counts failures of the present step.
    bool try_step(double target, int& halvings) {
        const double from = solver_.time(), length = next_length(target);
        solver_.keep_state();
        bool stays = false;
        try {
            make_step(length);
            stays = is_accepted(target);
            if (stays) check_step(length);
        } catch (const AgreedError& error) {
            if (!repeats_.repeats(error, halvings++, from, length)) throw;
            steps_.shortens(length);
            stays = false;
        }
        if (stays)
            solver_.let_go();
        else
            solver_.take_back();
        return stays;
    }
    // Whether the error of the last step is small enough. In a short pulse of the data steps are as
    // the tolerance wants them for the pulse, and all alike: the sum over them is exact then.
    bool is_accepted(double target) {
        if (!steps_.starts() && time_data_.pulse_at(solver_.time() - length_)) {
            steps_.stays();
            energy_samples_.leave_out();
            return true;
        }
        if (steps_.starts()) energy_samples_.leave_out();
        const std::optional<StepErrors> errors =
            steps_.starts() ? errors_of_start(target) : solver_.step_errors();
        return !errors || steps_.accepts(length_, agreed_error(*errors), errors->order);
    }
    // The error relative to the tolerance, with the same bits on all ranks.
    double agreed_error(const StepErrors& errors) const {
        const double error = scales_.relative(errors) / run_.settings.time.tolerance;
        return run_.comm.max(std::isnan(error) ? HUGE_VAL : error);
    }
    // The error of a first step, from a second trial step of its length, which is undone.
    std::optional<StepErrors> errors_of_start(double target) {
        const double now = solver_.time(),
                     length = std::min({length_, target - now, longest_step(now, target)});
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
    // Not the way to the target, which holds back this step alone.
    double longest_step(double now, double target) {
        if (run_.settings.time.step) return HUGE_VAL;
        const double by_data =
                         std::min(time_data_.longest_step(now, target - now), pulse_step(now)),
                     by_buoyancy = scales_.buoyancy_rate() > 0
                                       ? most_swing / scales_.buoyancy_rate()
                                       : HUGE_VAL;
        return std::min(
            {by_data < target - now ? by_data : HUGE_VAL, by_buoyancy, solver_.step_limit()});
    }
    // In a short pulse of the data a length at which the boundaries' Courant number stays below the
    // limit all along, unless the pulse takes too many steps of it.
    double pulse_step(double now) {
        const auto pulse = time_data_.pulse_at(now);
        if (!pulse) return HUGE_VAL;
        if (pulse != pulse_) {
            constexpr int samples = 32, most_steps = 1000;
            pulse_ = pulse;
            const double length = pulse->to - pulse->from;
            double rate = 0;
            for (int i = 0; i <= samples; ++i) {
                const double t =
                    std::clamp(pulse->from + i * length / samples, 0.0, run_.settings.time.end);
                rate = std::max({rate, data_.boundary_rate(t), data_.imposed_rate(t)});
            }
            pulse_step_ = length * rate < most_steps * 0.8 * flow_.courant
                              ? 0.8 * flow_.courant / rate
                              : HUGE_VAL;
        }
        return pulse_step_;
    }
    double number(const std::string& name) { return quantities_.values(name, Of::number)[0]; }
    void add_all_quantities() {
        add_quantities({solver_, *simplices_of(run_).domain, flow_, quantities_});
        const auto add = [this](QuantityInfo info, Quantities::Compute compute) {
            info.of = Of::number;
            if (info.table_columns.empty()) info.table_columns = {info.name};
            quantities_.add(std::move(info), std::move(compute));
        };
        add({.name = "step_length", .unit = "s", .help = "length of the last step"},
            [this] { return std::vector{length_}; });
        add({.name = "courant", .unit = "1", .help = "largest Courant number of a cell in it"},
            [this] { return std::vector{courant_rate_ * length_}; });
        for (int i = 0; i < static_cast<int>(flow_.scalars.size()); ++i)
            add_scalar_balance(quantities_, run_, solver_, i, flow_.scalars[i].name);
        QuantityInfo pairs{.name = "periodic_pairs",
                           .of = Of::number,
                           .unit = "m³/s, Pa, in 2D m²/s, Pa",
                           .help = "flux of each pair, and where it is imposed the pressure rise"};
        for (const SectionFlow& section : solver_.cut_surfaces()) {
            pairs.table_columns.push_back("flux_" + section.from);
            if (section.pressure_rise)
                pairs.table_columns.push_back("pressure_rise_" + section.from);
        }
        quantities_.add(pairs, [this] {
            std::vector<double> values;
            for (const SectionFlow& section : solver_.cut_surfaces()) {
                values.push_back(section.flux);
                if (section.pressure_rise)
                    values.push_back(flow_.fluid.density * *section.pressure_rise);
            }
            return values;
        });
    }
    // Of the last step, by its fluxes; nothing at rest or without a step.
    std::optional<LargestCourant> largest_courant() {
        const double number = courant_rate_ * length_;
        if (!(number > 0)) return {};
        const DistributedMesh& mesh = simplices_of(run_).mesh;
        const auto place = centroid_of_largest(run_.comm, mesh, cell_courant_rates(solver_, mesh));
        if (!place) return {};
        return LargestCourant{number, {place->x, place->y, place->z}};
    }
    void note_changes() {
        if (!(run_.settings.time.steady_tolerance > 0)) return;
        changes_.clear();
        for (const RateOfChange& change : solver_.changes())
            changes_.push_back({change.of, change.size_of, change.relative()});
    }
    void note_divergence() {
        auto& largest = run_.summary.max_divergence;
        largest = std::max(largest.value_or(0), number("max_divergence"));
    }

    Run& run_;
    const std::unique_ptr<FlowSolver> owned_;
    FlowSolver& solver_;
    const FlowCase& flow_;
    FlowData data_;
    const bool controls_;  // steps are chosen by errors
    TimeData time_data_;
    FlowScales scales_;
    FlowSteps steps_;
    StepRepeats repeats_;
    DivergenceGuard watch_;
    EnergySamples energy_samples_;
    HeldScalars held_scalars_;
    LargestMach mach_;
    std::optional<WallPassages> passages_;  // where fluid passes through
    double error_of_flow_ = 0;              // in the narrowest of them
    double courant_rate_;                   // Courant number of a step of one second
    double length_ = 0;                     // of the last step [s]
    std::optional<TimeData::Span> pulse_;   // of the data, the last
    double pulse_step_ = HUGE_VAL;          // in it [s]
    std::optional<WallCell> wall_cell_;     // at the end
    std::vector<Change> changes_;
};

std::vector<SolveSummary> FlowSimulation::solves() const {
    std::vector<SolveSummary> all;
    for (const auto& [name, totals] : solver_.solves())
        all.push_back({name, totals.count, totals.iterations, totals.residual,
                       totals.preconditioner.setup_seconds});
    return all;
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
    const int dimension = run.topology().dimension();
    if (const auto& loss = run.summary.energy_loss) {
        log::info("losses   {}", losses_line(*loss, dimension));
        if (const std::string meaning = losses_meaning(*loss); !meaning.empty())
            log::info("         {}", meaning);
        if (const std::string warning = losses_warning(*loss, settings_of<FlowCase>(run.settings),
                                                       run.settings.mesh.file.filename().string());
            !warning.empty())
            log::warning("{}", warning);
    }
    for (const ForceComparison& forces : run.summary.forces)
        if (const std::string warning = forces_warning(forces, dimension); !warning.empty())
            log::warning("{}", warning);
}

// percent: of the cells, whose velocity was limited by the fluxes through their faces
// (docs/numerics.md, "Cells held to their fluxes").
void report_held(double percent) {
    constexpr double few = 1;
    log::info(
        "         velocity limited in {:.2g} % of the cells, on average over the steps{}", percent,
        percent < few ? " (up to 1 % is usual: nothing to do)"
                      : ": the mesh is too coarse for the flow there; refine it in corners of "
                        "walls and inflows");
}

void FlowSimulation::report(const Summary& summary) {
    report_solves(summary);
    for (const auto& [name, totals] : solver_.solves())
        report_hierarchy(name, solver_named(name, flow_.solvers), totals);
    report_ranges(summary);
    report_losses(run_);
    if (summary.cells_across) {
        log::info("         {}", passage_line(*summary.cells_across));
        if (const std::string warning = passage_warning(
                *summary.cells_across, error_of_flow_, run_.settings.mesh.file.filename().string());
            !warning.empty())
            log::warning("{}", warning);
    }
    if (scales_.has_moved())
        for (const std::string& warning : held_scalars_.warnings()) log::warning("{}", warning);
    if (const std::string warning = mach_.warning(); !warning.empty()) log::warning("{}", warning);
    if (wall_cell_)
        if (const std::string warning = wall_warning(*wall_cell_); !warning.empty())
            log::warning("{}", warning);
    log::info("         max_divergence {:.1e}", summary.max_divergence.value_or(0));
    if (const double held = solver_.held_cells(); held > 0)
        report_held(100 * held /
                    (double(summary.steps) * double(run_.topology().count(Kind::cell))));
    if (const auto& courant = summary.courant) {
        const auto& [x, y, z] = courant->place;
        log::info("         Courant number of the last step at most {:.3g}, at {}", courant->number,
                  position_text({x, y, z}));
    }
}

template <class Real>
std::unique_ptr<Simulation> made(Run& run) {
    tell_thin_cells(run);
    auto solver =
        make_flow_solver<Real>(*simplices_of(run).domain, settings_of<FlowCase>(run.settings));
    if (const std::string form = solver->chosen_form(); !form.empty())
        log::info("         {}", form);
    check_courant(run, *solver);
    return std::make_unique<FlowSimulation>(run, std::move(solver),
                                            std::numeric_limits<Real>::epsilon());
}

}  // namespace

QuantityList FlowPhysics::quantities(const CaseSettings* settings, int dimension) const {
    QuantityList list;
    for (FlowQuantity& q :
         flow_quantities(settings ? &settings_of<FlowCase>(*settings) : nullptr, dimension))
        list.push_back(std::move(q.info));
    return list;
}

std::vector<MonitorKind> FlowPhysics::monitor_kinds() const {
    std::vector<MonitorKind> kinds = placed_monitor_kinds();
    for (const auto make : {force_monitor, energy_monitor, nusselt_monitor})
        kinds.push_back(make());
    return kinds;
}

std::unique_ptr<RunMesh> FlowPhysics::make_mesh(Run& run) const { return make_simplices(run); }

std::unique_ptr<Simulation> FlowPhysics::simulation_in_single(Run& run) const {
    return made<float>(run);
}
std::unique_ptr<Simulation> FlowPhysics::simulation_in_double(Run& run) const {
    return made<double>(run);
}

}  // namespace solenoid

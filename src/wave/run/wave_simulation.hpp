// A wave case at work: its steps and what it tells.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"
#include "run/step_repeats.hpp"
#include "run/text.hpp"
#include "run/time_step.hpp"
#include "wave/wave_case.hpp"

namespace solenoid {

std::vector<TimeDatum> wave_time_data(const Run& run);
const QuantityInfo& wave_displacement();
const QuantityInfo& wave_velocity();

// Its steps have a fixed length, or one by the limit of the scheme and the data.
// Solver: WaveSolver on a mesh, GridWaveSolver on a grid.
template <class Solver>
class WaveSimulation final : public Simulation {
  public:
    // run must outlive this.
    WaveSimulation(Run& run, std::unique_ptr<Solver> solver)
        : run_(run),
          solver_(std::move(solver)),
          data_(run.comm, wave_time_data(run), run.settings.time, followed),
          repeats_(run) {
        const StateValues state(solver_->state());
        data_.register_state(state.part("time_data"));
        state.part("steps").off_stack().add("length", length_, not_negative);
        if (run.settings.time.step)
            solver_->check_step(*run.settings.time.step, run.settings.place);
        quantities_.add(wave_displacement(), [this] { return solver_->displacement(); });
        quantities_.add(wave_velocity(), [this] { return solver_->velocity(); });
        quantities_.add({.name = "step_length",
                         .of = QuantityInfo::Of::number,
                         .unit = "s",
                         .help = "length of the last step",
                         .table_columns = {"step_length"}},
                        [this] { return std::vector{length_}; });
        quantities_.add({.name = "energies",
                         .of = QuantityInfo::Of::number,
                         .columns = 3,
                         .unit = "m⁴/s², in 3D m⁵/s²",
                         .help = "kinetic energy, potential energy, and both",
                         .table_columns = {"kinetic_energy", "potential_energy", "energy"}},
                        [this] { return energies(); });
    }

    StateRegistry& state() override { return solver_->state(); }
    double time() const override { return solver_->time(); }
    const TimeData* data() const override { return &data_; }
    void set_clock(double time) override {
        repeats_.forget(*solver_);
        solver_->set_clock(time);
    }
    void restart() override {
        repeats_.forget(*solver_);
        solver_->restart();
    }

    // A step from the present time to `target` [s] at the latest. One that fails is repeated
    // (StepRepeats).
    void advance(double target) override {
        const auto& given = run_.settings.time.step;
        const double left = target - solver_->time();
        length_ = given ? *given
                        : fitted_step(solver_->time(),
                                      std::min(automatic_part * solver_->step_limit(),
                                               data_.longest_step(solver_->time(), left)),
                                      target);
        if (length_ >= left * (1 - 1e-9)) length_ = left;
        const auto step = [this](double length) { solver_->step(length); };
        if (solver_->may_fail())
            length_ = repeats_.make(*solver_, length_, target, step);
        else
            step(length_);
    }

    bool push(const Vec3& at, double radius, double height) override {
        repeats_.forget(*solver_);
        solver_->push(at, radius, height);
        return true;
    }

    std::string figures() override {
        return fmt::format("energy {:.6g}",
                           quantities_.values("energies", QuantityInfo::Of::number)[2]);
    }

    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(number_table(parts, "wave", {"step_length", "energies"}, true));
        return tables;
    }
    std::vector<SolveSummary> solves() const override {
        const SolveTotals& s = solver_->solves();
        if (s.count == 0) return {};
        return {
            {"displacement", s.count, s.iterations, s.residual, s.preconditioner.setup_seconds}};
    }
    void report(const Summary& summary) override;

  private:
    // The part of the limit that a step takes where the case gives no time.step.
    static constexpr double automatic_part = 0.9;
    // A step may leave a datum that depends on time by so much of its range: it is evaluated at the
    // end of a step alone.
    static constexpr double followed = 1e-3;

    // Kinetic, potential, and both. Throws ComputationError where they are not finite.
    std::vector<double> energies() {
        const auto e = solver_->energy();
        run_.comm.agree([&] {  // a table takes no infinity
            if (std::isfinite(e.total())) return;
            throw ComputationError(
                fmt::format("the energy is no longer finite at t = {:.6g} s: take smaller "
                            "displacements and sources, or a smaller time.step",
                            solver_->time()));
        });
        return {e.kinetic, e.potential, e.total()};
    }

    Run& run_;
    const std::unique_ptr<Solver> solver_;
    TimeData data_;
    StepRepeats repeats_;
    double length_ = 0;  // of the last step [s]
};

template <class Solver>
void WaveSimulation<Solver>::report(const Summary& summary) {
    std::string line = plural(summary.steps, "step");
    for (const SolveSummary& s : summary.solves)
        line += fmt::format(", {} in {}, residual {:.1e}", plural(s.iterations, "CG iteration"),
                            plural(s.count, "solve"), s.residual);
    log::info("solved   {}, {:.2f} s", line, summary.seconds.solve);
    if (std::isfinite(solver_->step_limit()))
        log::info("         longest stable step {:.6g} s", solver_->step_limit());
    report_hierarchy("displacement", settings_of<WaveCase>(run_.settings).solver,
                     solver_->solves());
    report_ranges(summary);
    const auto e = solver_->energy();
    log::info("energy   kinetic {:.6g}, potential {:.6g}, together {:.6g} {}", e.kinetic,
              e.potential, e.total(), run_.topology().dimension() == 3 ? "m^5/s^2" : "m^4/s^2");
}

}  // namespace solenoid

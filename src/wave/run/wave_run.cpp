// The run of a wave case: steps, output, summary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "run/hierarchy_table.hpp"
#include "run/run_output.hpp"
#include "run/sample_points.hpp"
#include "run/text.hpp"
#include "run/time_loop.hpp"
#include "run/time_step.hpp"
#include "wave/case/wave_physics.hpp"
#include "wave/wave_solver.hpp"

namespace solenoid {
namespace {

// The part of the limit that a step takes where the case gives no time.step.
constexpr double automatic_part = 0.9;
// A step may leave a datum that depends on time by so much of its range: it is evaluated at the end
// of a step alone.
constexpr double followed = 1e-3;

std::vector<TimeDatum> time_data_of(const Run& run) {
    const WaveCase& wave = settings_of<WaveCase>(run.settings);
    std::vector<TimeDatum> data;
    if (wave.wave.source.depends_on_time())
        data.push_back({"wave.source", wave.wave.source, cell_samples(run.comm, run.mesh)});
    for (const WaveBoundary& b : wave.boundaries)
        if (const Formula* given = b.condition->displacement(); given && given->depends_on_time())
            data.push_back({"boundary." + b.name + ".value", *given,
                            boundary_samples(run.comm, run.mesh, b.name)});
    return data;
}

// What drives the steps in time: their length, fixed or by the limit of the scheme and the data,
// and their output.
template <class Real>
class WaveEvolution : public Evolution {
  public:
    WaveEvolution(Run& run, WaveSolver<Real>& solver, RunOutput& output)
        : run_(run),
          solver_(solver),
          output_(output),
          data_(run.comm, time_data_of(run), run.settings.time, followed),
          figures_(output.series(
              "wave", {"time", "step_length", "kinetic_energy", "potential_energy", "energy"})) {
        data_.register_state(StateValues(solver_.state()).part("time_data"));
        record();
    }

    double time() const override { return solver_.time(); }
    const TimeData* data() const override { return &data_; }
    void set_clock(double time) override { solver_.set_clock(time); }
    void restart() override { solver_.restart(); }

    // A step from the present time to `target` [s] at the latest.
    void advance(double target) override {
        const auto& given = run_.settings.time.step;
        const double left = target - solver_.time();
        length_ = given ? *given
                        : fitted_step(solver_.time(),
                                      std::min(automatic_part * solver_.step_limit(),
                                               data_.longest_step(solver_.time(), left)),
                                      target);
        if (length_ >= left * (1 - 1e-9)) length_ = left;
        solver_.step(length_);
    }

    std::string after_step() override { return fmt::format("energy {:.6g}", record()); }

    void write(std::int64_t step, bool final) override {
        const std::vector<double> displacement = solver_.displacement(),
                                  velocity = solver_.velocity();
        const std::vector<OutputField> fields{{"displacement", displacement, 1},
                                              {"velocity", velocity, 1}};
        output_.write(step,
                      {solver_.time(),
                       fields,
                       {},
                       fields,
                       {{"displacement", displacement}, {"velocity", velocity}}},
                      final);
    }
    void view() override {
        if (output_.wants_view())
            output_.view(
                output_.viewed_field() == "velocity" ? solver_.velocity() : solver_.displacement(),
                solver_.time());
    }

  private:
    // Appends the energies to the table and returns their sum. Throws ComputationError where it is
    // not finite.
    double record() {
        const WaveEnergy e = solver_.energy();
        run_.comm.agree([&] {  // a table takes no infinity
            if (std::isfinite(e.total())) return;
            throw ComputationError(
                fmt::format("the energy is no longer finite at t = {:.6g} s: take smaller "
                            "displacements and sources, or a smaller time.step",
                            solver_.time()));
        });
        figures_.append({solver_.time(), length_, e.kinetic, e.potential, e.total()});
        return e.total();
    }

    Run& run_;
    WaveSolver<Real>& solver_;
    RunOutput& output_;
    TimeData data_;
    CsvSeries figures_;
    double length_ = 0;  // of the last step [s]
};

template <class Real>
void add_totals(Run& run, const WaveSolver<Real>& solver) {
    const SolveTotals& s = solver.solves();
    if (s.count > 0)
        run.summary.solves = {
            {"displacement", s.count, s.iterations, s.residual, s.preconditioner.setup_seconds}};
}

template <class Real>
void report(const Run& run, const WaveSolver<Real>& solver) {
    std::string line = plural(run.summary.steps, "step");
    for (const SolveSummary& s : run.summary.solves)
        line += fmt::format(", {} in {}, residual {:.1e}", plural(s.iterations, "CG iteration"),
                            plural(s.count, "solve"), s.residual);
    log::info("solved   {}, {:.2f} s", line, run.summary.seconds.solve);
    if (std::isfinite(solver.step_limit()))
        log::info("         longest stable step {:.6g} s", solver.step_limit());
    report_hierarchy("displacement", settings_of<WaveCase>(run.settings).solver, solver.solves());
}

template <class Real>
void run_wave(Run& run) {
    Stopwatch watch;
    WaveSolver<Real> solver(*run.domain, settings_of<WaveCase>(run.settings));
    run.summary.seconds.setup = watch.seconds();
    if (run.settings.time.step) solver.check_step(*run.settings.time.step, run.settings.place);
    RunOutput output(run, "displacement");
    const std::string status = output.conclude(
        [&] {
            WaveEvolution<Real> evolution(run, solver, output);
            TimeLoop loop(run, evolution);
            while (loop.begins_step()) {
                evolution.advance(loop.target());
                loop.end_step();
            }
            return loop.finish();
        },
        [&] { add_totals(run, solver); });
    report(run, solver);
    output.report_ranges();
    const WaveEnergy e = solver.energy();
    log::info("energy   kinetic {:.6g}, potential {:.6g}, together {:.6g} {}", e.kinetic,
              e.potential, e.total(), run.mesh.mesh.dimension == 3 ? "m^5/s^2" : "m^4/s^2");
    output.report(status);
    output.keep_view_open();
}

}  // namespace

void WavePhysics::run_in_single(Run& run) const { run_wave<float>(run); }
void WavePhysics::run_in_double(Run& run) const { run_wave<double>(run); }

}  // namespace solenoid

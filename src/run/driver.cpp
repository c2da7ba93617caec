#include "run/driver.hpp"

#include "core/stop_signal.hpp"
#include "run/run_output.hpp"
#include "run/time_loop.hpp"

namespace solenoid {
namespace {

// Also where this fails there is a summary, for example if an initial velocity cannot be projected.
std::unique_ptr<Simulation> made(Run& run,
                                 const std::function<std::unique_ptr<Simulation>()>& make) {
    try {
        const PhaseClock::In phase(run.phases, &PhaseSeconds::setup);
        return make();
    } catch (const AgreedError& error) {
        if (error.exit_code() == 1) RunOutput(run).finish_early(error);
        throw;
    }
}

std::string solve_in_time(Run& run, Simulation& simulation, RunOutput& output) {
    TimeLoop loop(run, simulation, output);
    while (loop.begins_step()) {
        simulation.advance(loop.target());
        loop.end_step();
    }
    return loop.finish();
}

std::string solve_steady(Run& run, Simulation& simulation, RunOutput& output) {
    {
        const PhaseClock::In phase(run.phases, &PhaseSeconds::solve);
        simulation.solve_steady();
        simulation.quantities().state_changed();
    }
    set_stop_patience(HUGE_VAL);
    output.finish({});
    output.view(0);
    return run.comm.any(stop_requested()) ? "stopped" : "done";
}

}  // namespace

void run_simulation(Run& run, const std::function<std::unique_ptr<Simulation>()>& make) {
    const std::unique_ptr<Simulation> simulation = made(run, make);
    run.phases.turn_to(&PhaseSeconds::other);
    RunOutput output(run);
    const std::string status = output.conclude(
        [&] {
            output.open(*simulation);
            return run.settings.time.steady ? solve_steady(run, *simulation, output)
                                            : solve_in_time(run, *simulation, output);
        },
        [&] { run.summary.solves = simulation->solves(); });
    simulation->report(run.summary);
    output.report(status);
    output.keep_view_open();
}

}  // namespace solenoid

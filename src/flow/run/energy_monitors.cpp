#include "flow/run/energy_monitors.hpp"

#include "flow/settings/flow_case.hpp"

namespace solenoid {
namespace {

// A sample takes about as long as a step, mostly for the pressure at boundaries.
constexpr std::int64_t steps_a_sample = 100;

}  // namespace

EnergyMonitors::EnergyMonitors(Run& run, FlowSolver& solver, const RunOutput& output)
    : run_(run), solver_(solver), losses_(settings_of<FlowCase>(run.settings).fluid.density) {
    for (const MonitorSettings& m : run.settings.monitors)
        if (m.type == "energy")
            series_.push_back(output.series(
                m.name, {"time", "kinetic_energy", "rate", "viscous", "convection", "jump_penalty",
                         "coupling", "time_scheme", "boundary", "force", "residual"}));
}

void EnergyMonitors::sample() {
    if (writes()) seen_ = solver_.energy_terms();
    starts_ = true;
}

EnergyTerms EnergyMonitors::terms() { return seen_ ? *seen_ : solver_.energy_terms(); }

void EnergyMonitors::append() {
    ++steps_;
    // The first step, also after a jump of the data, is an Euler step: no sample.
    const bool is_sample =
        !starts_ && solver_.has_energy_budget() && (writes() || steps_ % steps_a_sample == 0);
    is_last_sampled_ = is_sample;
    if (writes() || is_sample) {
        const EnergyTerms e = terms();
        if (is_sample) losses_.add(solver_.time(), e);
        for (CsvSeries& series : series_)
            series.append({solver_.time(), e.kinetic_energy, e.rate, e.viscous, e.convection,
                           e.jump_penalty, e.coupling, e.time_scheme, e.boundary, e.force,
                           e.residual()});
    }
    seen_.reset();
    starts_ = false;
}

void EnergyMonitors::finish(const FlowScales& scales) {
    if (!solver_.has_energy_budget() || steps_ < 2 || !scales.moves()) return;
    if (!is_last_sampled_) losses_.add(solver_.time(), solver_.energy_terms());
    run_.summary.energy_loss = losses_.until(solver_.time());
}

}  // namespace solenoid

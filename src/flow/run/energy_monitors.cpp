#include "flow/run/energy_monitors.hpp"

namespace solenoid {

EnergyMonitors::EnergyMonitors(const Run& run, FlowSolver& solver, const RunOutput& output) : solver_(solver) {
    for (const MonitorSettings& m : run.settings.monitors)
        if (m.type == "energy")
            series_.push_back(output.series(m.name, {"time", "kinetic_energy", "rate", "viscous", "convection", "jump_penalty", "coupling", "time_scheme", "boundary", "force", "residual"}));
    if (!series_.empty()) solver_.follow_energy();
}

void EnergyMonitors::append() {
    if (series_.empty()) return;
    const EnergyTerms e = solver_.energy_terms();
    for (CsvSeries& series : series_)
        series.append({solver_.time(), e.kinetic_energy, e.rate, e.viscous, e.convection, e.jump_penalty, e.coupling, e.time_scheme, e.boundary, e.force, e.residual()});
}

}  // namespace solenoid

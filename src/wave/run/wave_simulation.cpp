// What a wave case tells on any mesh, and the physics that runs it.
#include "wave/run/wave_simulation.hpp"

#include "run/sample_points.hpp"
#include "run/simplices/simplices.hpp"
#include "wave/case/wave_physics.hpp"
#include "wave/run/grid_wave_solver.hpp"
#include "wave/wave_solver.hpp"

namespace solenoid {
namespace {

QuantityInfo on_nodes(const std::string& name, const std::string& unit, const std::string& help) {
    return {.name = name,
            .unit = unit,
            .help = help,
            .in_files = true,
            .is_drawn = true,
            .table_columns = {name}};
}

template <class Real>
std::unique_ptr<Simulation> simulation(Run& run) {
    const WaveCase& wave = settings_of<WaveCase>(run.settings);
    if (run.settings.grid)
        return std::make_unique<WaveSimulation<GridWaveSolver<Real>>>(
            run, std::make_unique<GridWaveSolver<Real>>(run.comm, *run.device, grid_of(run), wave));
    return std::make_unique<WaveSimulation<WaveSolver<Real>>>(
        run, std::make_unique<WaveSolver<Real>>(*simplices_of(run).domain, wave));
}

}  // namespace

const QuantityInfo& wave_displacement() {
    static const QuantityInfo info = on_nodes("displacement", "m", "displacement y");
    return info;
}

const QuantityInfo& wave_velocity() {
    static const QuantityInfo info = on_nodes("velocity", "m/s", "its rate dy/dt");
    return info;
}

std::vector<TimeDatum> wave_time_data(const Run& run) {
    const WaveCase& wave = settings_of<WaveCase>(run.settings);
    std::vector<TimeDatum> data;
    if (wave.wave.source.depends_on_time())
        data.push_back({"wave.source", wave.wave.source, cell_samples(run.comm, run.topology())});
    for (const WaveBoundary& b : wave.boundaries)
        if (const Formula* given = b.condition->displacement(); given && given->depends_on_time())
            data.push_back({"boundary." + b.name + ".value", *given,
                            boundary_samples(run.comm, run.topology(), b.name)});
        else if (const Formula* wave_in = b.condition->incident();
                 wave_in && wave_in->depends_on_time())
            data.push_back({"boundary." + b.name + ".incident", *wave_in,
                            boundary_samples(run.comm, run.topology(), b.name)});
    return data;
}

QuantityList WavePhysics::quantities(const CaseSettings*, int) const {
    return {wave_displacement(), wave_velocity()};
}

std::vector<MonitorKind> WavePhysics::monitor_kinds() const { return placed_monitor_kinds(); }

std::unique_ptr<RunMesh> WavePhysics::make_mesh(Run& run) const {
    if (!run.settings.grid) return make_simplices(run);
    refuse_mixed_precision(run);
    return make_grid_mesh(run, usual_cut);
}

std::unique_ptr<Simulation> WavePhysics::simulation_in_single(Run& run) const {
    return simulation<float>(run);
}
std::unique_ptr<Simulation> WavePhysics::simulation_in_double(Run& run) const {
    return simulation<double>(run);
}

}  // namespace solenoid

// Waves on the structured grid of a run, as WaveSimulation drives them: what WaveSolver is on a
// mesh.
#pragma once

#include <string>
#include <vector>

#include "core/state_registry.hpp"
#include "grid/run/grid_mesh.hpp"
#include "grid/run/node_fields.hpp"
#include "wave/grid/grid_wave.hpp"
#include "wave/wave_case.hpp"

namespace solenoid {

template <class Real>
class GridWaveSolver {
  public:
    // References must outlive this. Throws InputError where a value is not finite or c not
    // positive. Collective, as all below.
    GridWaveSolver(const Communicator& comm, Device& device, const GridMesh& mesh,
                   const WaveCase& wave);

    // See GridWave.
    double step_limit() const { return wave_.step_limit(); }
    void check_step(double dt, const std::string& place) const { wave_.check_step(dt, place); }
    void step(double dt) { wave_.step(dt); }
    double time() const { return wave_.time(); }
    void set_clock(double time) { wave_.set_clock(time); }
    void restart() { wave_.begin_anew(); }  // after a jump of the data
    GridWaveEnergy energy() { return wave_.energy(); }
    const SolveTotals& solves() const { return wave_.solves(); }

    // Adds height (1 - r^2 / radius^2)^3 [m] to the displacement at the distance r < radius [m]
    // from a point, but where it is given; what is added is at rest.
    void push(const Vec3& at, double radius, double height);
    // At the nodes of the topology held here.
    std::vector<double> displacement() { return fields_.values(wave_.state().displacement); }
    std::vector<double> velocity();

    StateRegistry& state() { return registry_; }
    bool may_fail() const { return solves_; }  // whether a step solves a system
    void keep_state() { registry_.take(); }
    void take_back() { registry_.restore(); }
    void let_go() { registry_.drop(); }

  private:
    void register_state();

    const GridMesh& mesh_;
    const bool solves_;
    const Grid<Real> grid_;
    const NodeFields<Real> fields_;
    GridWave<Real> wave_;
    Buffer<Real> velocity_;  // of the last call
    StateRegistry registry_, of_velocity_;
};

}  // namespace solenoid

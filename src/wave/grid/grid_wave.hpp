// Waves on a structured grid (docs/grids.md):
//   d2U/dt2 = div(c^2 grad U) + f
// M is the area round each node, A the stencil of -div(c^2 grad U), B that of absorbing sides. By
// central differences, or by Crank and Nicolson's scheme centred at the middle of three levels.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device/expression.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "solvers/krylov/solve_report.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "wave/grid/grid_wave_data.hpp"

namespace solenoid {

enum class GridWaveScheme {
    leapfrog,    // explicit, up to a largest step
    trapezoidal  // A at the weights 1/4, 1/2, 1/4; a solve each step, any length
};

struct GridWaveSettings {
    GridWaveScheme scheme = GridWaveScheme::leapfrog;
    // of the trapezoidal scheme's solves
    std::optional<double> tolerance;  // none: 1e-10, in single precision 1e-5
    int max_iterations = 1000;
    GridCycle cycle;  // the preconditioner
};

// What a step leaves to the next.
template <class Real>
struct GridWaveState {
    double time = 0, before = 0;        // and that of the level before [s]
    double step = 0;                    // the last [s]; 0: none, and `change` is the velocity [m/s]
    Buffer<Real> displacement, change;  // U and what it has changed by in the last step [m]
    // of the trapezoidal scheme: its first guess [m], and the residual of the last solve [m^3/s^2]
    Buffer<Real> second_difference, left_over;
};

// Over the mass of an area [m^4/s^2].
struct GridWaveEnergy {
    double kinetic = 0, potential = 0;
    double total() const { return kinetic + potential; }
};

template <class Real>
class GridWave {
  public:
    // At rest, U = 0 but where it is given. grid must outlive this. Throws InputError where the
    // problem makes no waves. Collective, as all below.
    GridWave(const Grid<Real>& grid, const GridWaveProblem& problem,
             const GridWaveSettings& settings = {});
    ~GridWave();

    // U and dU/dt at t = 0; none: 0. Throws InputError where a value is not finite.
    void start(const PlaneFunction& displacement, const PlaneFunction& velocity = nullptr);
    // The longest stable step [s]: leapfrog's by Gershgorin's bound, on the safe side.
    double step_limit() const { return limit_; }
    // Throws InputError(place, ...), which names the limit, where the step is beyond it.
    void check_step(double dt, const std::string& place = "") const;
    // One step of length dt [s], second order, also where it is another one than the last; a
    // difference by the rounding of times is none. Throws as check_step; ComputationError where a
    // solve fails.
    void step(double dt);

    double time() const { return state_.time; }          // [s]
    void set_clock(double time) { state_.time = time; }  // of the state as it is [s]
    // After a jump of the data, or of the state: the next step starts from U and dU/dt as they are.
    void begin_anew();
    // Adds a function of the place to U, but where it is given; what is added is at rest [m].
    void push(const PlaneFunction& height);
    // 0 on nodes that are no part of the domain.
    const Buffer<Real>& displacement() const { return state_.displacement; }
    Buffer<Real> velocity();  // of second order [m/s]
    // Without loads, and with values given for good, every step keeps it (the trapezoidal scheme to
    // its tolerance) where no side absorbs:
    //   1/2 |(U - U')/dt|_M^2, U' a step before, and of the leapfrog scheme 1/2 U'.A U,
    //   of the trapezoidal one 1/2 |(U + U')/2|_A^2
    GridWaveEnergy energy();
    const SolveTotals& solves() const { return solves_; }

    // Whoever loads a state calls restart().
    GridWaveState<Real>& state() { return state_; }
    void restart();

  private:
    struct Implicit;
    Stencil<Real> stiffness();
    void find_limit();
    void set_changes(double dt);
    void keep_velocity_alone();
    // Of functions of the place, on the nodes of this rank's block.
    void set_field(const PlaneFunction& f, const char* what, Buffer<Real>& field);
    void advance_explicitly(double dt, bool is_first);
    void advance_by_solve(double dt, bool is_first);
    Implicit& implicit(double dt);
    void update_residual(const Buffer<Real>& load, Buffer<Real>& u);
    Over nodes() const { return {grid_.device(), grid_.layout().nodes()}; }

    const Grid<Real>& grid_;
    const GridWaveSettings settings_;
    const GridWaveData<Real> data_;
    Stencil<Real> stiffness_;
    // 1 on unknowns and 0 elsewhere; the same but where U is given and on land
    Buffer<Real> free_, kept_;
    Buffer<Real> mass_, inverse_mass_, damping_;   // M on all nodes, 1 / M on unknowns, B
    Buffer<Real> load_before_, load_, load_next_;  // at the last two times, and the next
    Buffer<Real> residual_, work_;
    GridWaveState<Real> state_;
    std::unique_ptr<Implicit> implicit_;
    SolveTotals solves_;
    double limit_;
};

}  // namespace solenoid

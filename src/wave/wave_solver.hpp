// Waves on nodes:
//   d2y/dt2 = div(c^2 grad y) + s
// y is a membrane's displacement, or the surface of a layer of depth c^2 / g. WaveSystem is the
// discretization in space, WaveTimeScheme that in time; this drives them: the initial state, the
// limit of the steps, what follows a step, restarts.
#pragma once

#include "wave/time_scheme.hpp"

namespace solenoid {

template <class Real>
class WaveSolver {
  public:
    // References must outlive the solver. Throws InputError where a value is not finite or c not
    // positive. Collective, as all below.
    WaveSolver(const Domain& domain, const WaveCase& wave);

    // The longest stable step [s].
    double step_limit() const { return scheme_->step_limit(); }
    // Throws InputError(place, ...), which names the limit, where the step is beyond it.
    void check_step(double dt, const std::string& place = "") const;
    // One step of length dt [s], second order. Throws as check_step; ComputationError where a solve
    // fails.
    void step(double dt);

    double time() const { return state_.time; }          // [s]
    void set_clock(double time) { state_.time = time; }  // of the state as it is [s]
    void restart();                                      // after a jump of the data: evaluates them
    // Adds height (1 - r^2 / radius^2)^3 [m] to the displacement at the distance r < radius [m]
    // from a point, but where it is given; what is added is at rest.
    void push(const Vec3& at, double radius, double height);
    // On the nodes held here, ghosts filled.
    std::vector<double> displacement() const { return held(state_.y); }
    std::vector<double> velocity() const { return held(state_.v); }
    WaveEnergy energy() const { return system_.energy(state_); }
    SolveTotals solves() const { return scheme_->solves(); }
    // All that a step leaves to the next. Who drives the steps adds what it keeps itself.
    StateRegistry& state() { return state_registry_; }
    // Whether a step solves a system, which may fail.
    bool may_fail() const { return !kind_.is_explicit; }
    void keep_state() { state_registry_.take(); }    // pushes the present state on a stack
    void take_back() { state_registry_.restore(); }  // pops the last kept state and restores it
    void let_go() { state_registry_.drop(); }        // pops the last kept state

  private:
    WaveSolver(const Domain& domain, const WaveCase& wave, NodeDifferences stiffness);
    static std::vector<double> held(const Field<Real>& field);
    void register_state();

    const Domain& domain_;
    const Communicator& comm_;
    const WaveTimeSchemeKind& kind_;
    WaveSystem<Real> system_;
    const std::unique_ptr<WaveTimeScheme<Real>> scheme_;
    WaveState<Real> state_;
    StateRegistry state_registry_;
};

}  // namespace solenoid

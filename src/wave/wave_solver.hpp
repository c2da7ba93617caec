// Waves: d2y/dt2 = div(c^2 grad y) + s on nodes, which is c^2 lap y + s where c is constant. A
// membrane's displacement, or the surface of a layer of depth c^2 / g.
//
// In space linear finite elements with the mass lumped, M_i the volume of the dual cell
// (docs/numerics.md, "Wave equation"). In time central differences in their one-step form (Hairer,
// Lubich & Wanner 2003, "Geometric numerical integration illustrated by the Stoermer-Verlet
// method", eq. 1.17), or the trapezoidal rule (Newmark 1959 with beta = 1/4, gamma = 1/2).
#pragma once

#include <string>

#include "heat/heat_discretization.hpp"
#include "operators/entity_access.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"
#include "wave/case/wave_case.hpp"
#include "wave/given_displacements.hpp"

namespace solenoid {

struct WaveEnergy {        // of a membrane by its mass per area [m^4/s^2], in 3D [m^5/s^2]
    double kinetic = 0;    // 1/2 integral of v^2
    double potential = 0;  // 1/2 integral of c^2 |grad y|^2
    double total() const { return kinetic + potential; }
};

template <class Real>
class WaveSolver {
  public:
    // References must outlive the solver. Throws InputError where a value is not finite or c not
    // positive. Collective, as all below.
    WaveSolver(const Domain& domain, const WaveCase& wave);

    // The longest stable step [s]: 2 / sqrt(largest eigenvalue of M^-1 K), infinite by the
    // trapezoidal rule.
    double step_limit() const { return limit_; }
    // Throws InputError(place, ...), which names the limit, where the step is beyond it.
    void check_step(double dt, const std::string& place = "") const;
    // One step of length dt [s], second order. Throws as check_step; ComputationError where a solve
    // fails.
    void step(double dt);

    double time() const { return time_; }
    void set_clock(double time) { time_ = time; }  // of the state as it is [s]
    void restart();                                // the data have jumped: they are seen anew
    // on the nodes held here, ghosts filled
    std::vector<double> displacement() const { return held(y_); }
    std::vector<double> velocity() const { return held(v_); }
    WaveEnergy energy();  // all ranks
    const SolveTotals& solves() const { return solves_; }

  private:
    HeatDiscretization discretized() const;
    double longest_step() const;
    std::vector<double> at_nodes(const Formula& formula, double t) const;
    Field<Real> field(const Formula& initial) const;
    static std::vector<double> held(const Field<Real>& field);
    Over own() const { return domain_.own(Kind::node); }

    void constrain(double t);
    void impose_rates(double t, double span);
    void update_load(double t);
    void find_force() { matrix_.residual_everywhere(no_shift_, load_, y_.write(), force_); }
    void update_end(double dt);
    void step_explicitly(double dt);
    void step_implicitly(double dt);
    void solve_for_change(double dt);
    void prepare(double s);

    const Domain& domain_;
    const WaveCase& wave_;
    GivenDisplacements given_;
    HeatDiscretization discretization_;
    const double limit_;
    GraphLaplacian<Real> matrix_;  // K, and 4 / dt^2 M + K of the trapezoidal rule
    DiffusionPreconditioner<Real> diffusion_;
    Preconditioner<Real>* preconditioner_ = nullptr;
    ConjugateGradients<Real> cg_;
    BoundaryWrite<Real> given_write_;
    Buffer<Real> mass_, no_shift_;
    // Displacement, velocity, acceleration; a is 0 where the displacement is given. force: M s - K
    // y.
    Field<Real> y_, v_;
    Buffer<Real> a_, load_, force_, rhs_, change_, inverse_, before_;
    double time_ = 0, prepared_ = 0;  // prepared: the factor of M
    SolveTotals solves_;
};

}  // namespace solenoid

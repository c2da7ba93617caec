// The discrete wave equation on nodes (docs/numerics.md, "Wave equation"):
//   M d2y/dt2 + B dy/dt = f,   f = M s + l - K y,   y = g at nodes where it is given
// M is the lumped mass: the volume of the dual cell. K is the stiffness matrix of linear finite
// elements with c^2 of each cell. B and l are those of absorbing sides.
#pragma once

#include "heat/heat_discretization.hpp"
#include "operators/entity_access.hpp"
#include "operators/state.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "wave/absorbing_sides.hpp"
#include "wave/given_displacements.hpp"
#include "wave/wave_case.hpp"

namespace solenoid {

// What a step leaves to the next one.
template <class Real>
struct WaveState {
    double time = 0;   // [s]
    Field<Real> y, v;  // displacement [m] and velocity [m/s] of nodes
    // Of owned nodes: acceleration [m/s^2], 0 where y is given; f = M s + l - K y [m^3/s^2, in 3D
    // m^4/s^2].
    Buffer<Real> a, f;
};

struct WaveEnergy {        // over the mass of an area [m^4/s^2], in 3D of a volume [m^5/s^2]
    double kinetic = 0;    // 1/2 integral of v^2
    double potential = 0;  // 1/2 integral of c^2 |grad y|^2
    double total() const { return kinetic + potential; }
};

// K of the owned nodes, on the host. Throws InputError where c is not positive at a cell's
// centroid. Collective.
NodeDifferences wave_stiffness(const Domain& domain, const Formula& speed);

template <class Real>
class WaveSystem {
  public:
    // References must outlive this. Throws InputError where the mesh lacks a boundary. Collective,
    // as all below.
    WaveSystem(const Domain& domain, const WaveCase& wave, const NodeDifferences& stiffness);
    ~WaveSystem();

    // y and v of the case at t = 0, a and f of these. Throws InputError where a value is not
    // finite.
    WaveState<Real> initial_state();
    // Sets y = g(t) where it is given and the load M s + l, t in s; both only where they have
    // changed. Throws InputError where a value is not finite.
    void update_data(double t, Field<Real>& y);
    // f = M s + l - K y.
    void update_force(WaveState<Real>& state);
    // f of y, and a = (f - B v) / M, 0 where y is given.
    void update_acceleration(WaveState<Real>& state);
    // Where y is given and depends on time: v = dg/dt at state.time, of second order in dt [s].
    void impose_rates(WaveState<Real>& state, double dt);

    WaveEnergy energy(const WaveState<Real>& state) const;  // over all ranks

    void register_state(const State<Real>& state);

    const Domain& domain() const { return domain_; }
    Over own() const { return domain_.own(Kind::node); }
    const Buffer<Real>& mass() const { return mass_; }  // M of owned nodes [m^2, in 3D m^3]
    const std::vector<double>& host_mass() const { return host_mass_; }
    // B of owned nodes, 0 elsewhere than on absorbing sides [m^2/s, in 3D m^3/s]
    const Buffer<Real>& damping() const { return damping_; }
    const std::vector<double>& host_damping() const { return absorbing_.damping(); }
    GraphLaplacian<Real>& stiffness() { return stiffness_; }  // K; the shift is a time scheme's
    // 1 at owned nodes whose y is unknown, 0 where it is given; and the latter
    const Buffer<Real>& free() { return stiffness_.free(); }
    const std::vector<Index>& given_nodes() const { return given_.nodes(); }

  private:
    std::vector<double> at_nodes(const Formula& formula, double t) const;
    Field<Real> field(const Formula& initial) const;
    void impose_displacements(double t, Field<Real>& y);
    void update_load(double t);
    bool load_depends_on_time() const {
        return wave_.wave.source.depends_on_time() || absorbing_.depends_on_time();
    }

    const Domain& domain_;
    const WaveCase& wave_;
    GivenDisplacements given_;
    BoundaryWrite<Real> given_write_;
    const std::vector<double> host_mass_;
    const AbsorbingSides absorbing_;
    GraphLaplacian<Real> stiffness_;
    Buffer<Real> mass_, damping_, load_, no_shift_;  // M, B, M s + l, 0
    double load_time_ = 0;                           // of load_ [s]
};

}  // namespace solenoid

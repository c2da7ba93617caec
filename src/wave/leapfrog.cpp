// Central differences in their one-step form (Hairer, Lubich & Wanner 2003, "Geometric numerical
// integration illustrated by the Stoermer-Verlet method", eq. 1.17), second order, explicit:
//   y' = y + dt v + dt^2/2 a,   M a' = M s' + l' - B v' - K y',   v' = v + dt/2 (a + a')
// B is a diagonal, so that a' = (M s' + l' - K y' - B (v + dt/2 a)) / (M + dt/2 B).
// Stable up to dt = 2 / sqrt(l), l the largest eigenvalue of M^-1 K on free nodes.
#include <cmath>

#include "core/hash.hpp"
#include "device/expression.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"
#include "wave/time_scheme.hpp"

namespace solenoid {
namespace {

constexpr double limit_tolerance = 1e-3;  // of l, relative: l is estimated from above

// The limit [s].
template <class Real>
double longest_step(const WaveSystem<Real>& system, const NodeDifferences& k) {
    const Domain& domain = system.domain();
    const std::vector<double>& mass = system.host_mass();
    const HostMatrix stiffness =
        matrix_of_differences(k.neighbours, k.weights, std::vector<double>(mass.size(), 0.0));
    const ParallelMatrix free = parallel_matrix(
        domain.comm, domain.nodes, domain.mesh.halo(Kind::node), stiffness, system.given_nodes());
    std::vector<double> start(mass.size());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = scattered(domain.mesh.mesh.points[i]);
    return 2 / std::sqrt(settled_largest_eigenvalue(
                   domain.comm, free, halo_plan(domain.comm, free.partition, free.ghosts), mass,
                   start, limit_tolerance));
}

template <class Real>
class Leapfrog final : public WaveTimeScheme<Real> {
  public:
    Leapfrog(WaveSystem<Real>& system, const NodeDifferences& stiffness, const SolverSettings&)
        : system_(system), limit_(longest_step(system, stiffness)) {}

    double step_limit() const override { return limit_; }

    void step(WaveState<Real>& state, double dt) override {
        auto& [t, y, v, a, f] = state;
        const auto &mass = system_.mass(), &damping = system_.damping(), &free = system_.free();
        const Over own = system_.own();

        // y' = y + dt v + dt^2/2 a
        own[y] = y + dt * v + (0.5 * dt * dt) * a;
        // y' = g' where it is given; s'
        system_.update_data(t + dt, y);
        // f' = M s' + l' - K y'
        system_.update_force(state);
        // v' = v + dt/2 (a + a'),   (M + dt/2 B) a' = f' - B (v + dt/2 a) on free nodes
        own[v] += (0.5 * dt) *
                  (a + free * (f - damping * (v + (0.5 * dt) * a)) / (mass + (0.5 * dt) * damping));
        // M a' = f' - B v'
        own[a] = free * (f - damping * v) / mass;
    }

  private:
    WaveSystem<Real>& system_;
    const double limit_;
};

}  // namespace

WaveTimeSchemeKind leapfrog_kind() {
    return wave_time_scheme_kind<Leapfrog>(
        "leapfrog", "central differences, explicit, up to a largest step that the mesh sets", true);
}

}  // namespace solenoid

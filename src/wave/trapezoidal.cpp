// The trapezoidal rule (Newmark 1959 with beta = 1/4, gamma = 1/2), second order, implicit, stable
// at any step:
//   y' = y + dt/2 (v + v'),   v' = v + dt/2 (a + a'),   M a' = M s' + l' - B v' - K y'
// Where s = 0 and the boundary is at rest and absorbs nothing it keeps the energy of a wave.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"
#include "wave/time_scheme.hpp"

namespace solenoid {
namespace {

template <class Real>
class Trapezoidal final : public WaveTimeScheme<Real> {
  public:
    Trapezoidal(WaveSystem<Real>& system, NodeDifferences stiffness, const SolverSettings& solver)
        : system_(system),
          domain_(system.domain()),
          solver_(solver),
          matrix_(system.stiffness()),
          diffusion_(domain_.comm, domain_.device, domain_.nodes, domain_.mesh.halo(Kind::node),
                     std::move(stiffness.neighbours), std::move(stiffness.weights),
                     system.given_nodes(),
                     {.kind = &preconditioner_kind(solver.preconditioner),
                      .is_mixed = solver.is_mixed,
                      .max_levels = solver.levels}),
          cg_(domain_.comm, matrix_),
          change_(domain_.device.buffer<Real>(domain_.nodes.all)) {
        for (auto* part : {&rhs_, &inverse_, &before_})
            *part = domain_.device.buffer<Real>(domain_.nodes.owned);
    }

    SolveTotals solves() const override { return solves_; }

    void register_state(const State<Real>& state) override {
        solves_.register_state(state);
        diffusion_.register_state(state.part("preconditioner"), Kind::node);
        state.remade([this] { prepared_ = 0; });
    }

    // With y' = y* + change:
    //   v' = v* + 2/dt change,     v* = 2/dt (y* - y) - v
    //   a' = a* + 4/dt^2 change,   a* = 4/dt^2 (y* - y - dt v) - a
    //   (4/dt^2 M + 2/dt B + K) change = M s' + l' - K y* - B v* - M a*
    // y* is one of two guesses, the one whose right-hand side is smaller. That of y* = y + dt v +
    // dt^2/2 a is of third order in dt, so that neither the solve's tolerance nor rounding weighs
    // on y. Where c dt is many mesh widths it would cancel against its change: there y* = y.
    void step(WaveState<Real>& state, double dt) override {
        auto& [t, y, v, a, f] = state;
        const auto &mass = system_.mass(), &damping = system_.damping(), &free = system_.free();
        const Over own = system_.own();
        const double end = t + dt;

        // y' = g' where it is given; s'
        system_.update_data(end, y);
        // y* = y:   a* = -a - 4/dt v,   v* = -v
        system_.update_force(state);
        own[rhs_] = free * (f + mass * (a + (4 / dt) * v) + damping * v);
        own[before_] = y;
        // y* = y + dt v + dt^2/2 a:   a* = a,   v* = v + dt a
        own[y] += free * (dt * v + (0.5 * dt * dt) * a);
        system_.update_force(state);
        own[change_] = free * (f - mass * a - damping * (v + dt * a));

        std::array<double, 2> squares{own.dot(domain_.comm, change_, change_),
                                      own.dot(domain_.comm, rhs_, rhs_)};
        domain_.comm.sum(squares);
        if (squares[0] < squares[1]) {
            own[rhs_] = change_;
            solve_for_change(y, dt, end);
            // v' = v + dt/2 (a + a') = v + dt a + 2/dt change
            own[v] += dt * a + (2 / dt) * change_;
            // a' = a + 4/dt^2 change
            own[a] += 4 / (dt * dt) * change_;
        } else {
            own[y] = before_;
            solve_for_change(y, dt, end);
            // a' = 4/dt^2 change - 4/dt v - a
            own[a] = free * (4 / (dt * dt) * change_ - (4 / dt) * v - a);
            // v' = 2/dt change - v
            own[v] = free * ((2 / dt) * change_ - v);
        }
        // y' = y* + change,   f' = M s' + l' - K y'
        own[y] += change_;
        system_.update_force(state);
    }

  private:
    // change = (4/dt^2 M + 2/dt B + K)^-1 rhs on free nodes. `end` is the time that a message tells
    // [s].
    void solve_for_change(const Field<Real>& y, double dt, double end) {
        prepare(dt);
        const Over own = system_.own();
        own[change_] = 0;
        CgSettings how{solver_.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                       solver_.max_iterations};
        // rhs holds the rounding of K y
        how.rounding = std::numeric_limits<Real>::epsilon() *
                       std::sqrt(domain_.comm.sum(
                           own.dot(domain_.comm, matrix_.diagonal() * y, matrix_.diagonal() * y)));
        const SolveReport report = cg_.solve(*preconditioner_, rhs_, change_, how);
        solves_.add(report);
        domain_.comm.agree([&] {
            if (!report.converged())
                throw ComputationError(fmt::format("displacement at t = {:.6g} s: {}", end,
                                                   report.explanation("displacement")));
        });
    }

    // The matrix 4/dt^2 M + 2/dt B + K and its preconditioner.
    void prepare(double dt) {
        if (dt == prepared_) return;
        prepared_ = dt;
        const double s = 4 / (dt * dt), r = 2 / dt;
        system_.own()[matrix_.shift()] = s * system_.mass() + r * system_.damping();
        system_.own()[inverse_] = matrix_.free() / (matrix_.shift() + matrix_.diagonal());
        std::vector<double> shift = system_.host_mass();
        for (std::size_t i = 0; i < shift.size(); ++i)
            shift[i] = s * shift[i] + r * system_.host_damping()[i];
        preconditioner_ = &diffusion_.prepare(
            shift, preconditioner_kind(solver_.preconditioner).scales_by_diagonal ? inverse_
                                                                                  : matrix_.free());
        solves_.preconditioner = diffusion_.summary();
    }

    WaveSystem<Real>& system_;
    const Domain& domain_;
    const SolverSettings& solver_;
    GraphLaplacian<Real>& matrix_;
    DiffusionPreconditioner<Real> diffusion_;
    Preconditioner<Real>* preconditioner_ = nullptr;
    ConjugateGradients<Real> cg_;
    Buffer<Real> rhs_, inverse_, before_, change_;  // of nodes; before_: y at the step's start
    double prepared_ = 0;                           // the step dt of the matrix [s]
    SolveTotals solves_;
};

}  // namespace

WaveTimeSchemeKind trapezoidal_kind() {
    return wave_time_scheme_kind<Trapezoidal>(
        "trapezoidal", "any step, a solve each; it keeps the energy of a free wave", false);
}

}  // namespace solenoid

// The discrete heat equation on nodes at one time:
//   M dT/dt = b - (K + H) T
// with mass M, stiffness K, exchange H and load b, the fixed values of T, and the solve of
// (s M + K + H) x = b.
#pragma once

#include "core/time_parts.hpp"
#include "heat/heat_boundaries.hpp"
#include "heat/heat_discretization.hpp"
#include "operators/entity_access.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"

namespace solenoid {

template <class Real>
class HeatSystem {
  public:
    // regions: the material of each of the mesh's regions. The domain must outlive this.
    // Collective, as all below.
    HeatSystem(const Domain& domain, const std::vector<MaterialSettings>& regions,
               const std::vector<HeatBoundary>& boundaries, const SolverSettings& settings,
               const CoupledNodes& coupled = {});

    Field<Real> temperature(const Formula& initial) const;
    Over own() const { return domain_.own(Kind::node); }
    const Communicator& comm() const { return domain_.comm; }

    // The mean of integrable loads over a step, by `points`, less the quadrature of its `stages`.
    // update_boundary() adds it to b until take_lack(). Collective.
    struct Lack {
        // [W] at owned nodes, and through boundary parts, of this rank.
        std::vector<double> at_nodes, flow;
        double source = 0;
    };
    bool loads_vary() const { return sources_vary_ || boundaries_.depends_on_time(); }
    void set_lack(const std::vector<TimePoint>& points, const std::vector<TimePoint>& stages);
    const Lack& lack() const { return lack_; }
    const Buffer<Real>& lack_values() const { return lack_values_; }  // at_nodes
    void take_lack() { lack_ = {}; }

    // Evaluates b and H at a time [s]. Whole fields are uploaded only where sources vary in time.
    void update_boundary(double when);
    // Sets the fixed values of a time in t.
    void impose_fixed_values(double when, Field<Real>& t);
    // Prepares s M + K + H [W/K] and its preconditioner, s [1/s]. After update_boundary().
    void prepare(double s);
    // (s M + K + H) x = b on free nodes, from the guess in x. Throws ComputationError.
    void solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& how, double when);
    CgSettings cg_settings() const;

    // F = b - (K + H) T into every node [W].
    void net_flow(Field<Real>& t, Buffer<Real>& f) {
        matrix_.residual_everywhere(exchange_, load_, t.write(), f);
    }
    // r = b - (s M + K + H) T on free nodes, by the prepared matrix.
    void residual(Field<Real>& t, Buffer<Real>& r) { matrix_.residual(load_, t.write(), r); }

    // Heat through boundary parts and from sources on this rank [W], and the temperatures at
    // HeatBoundaries::watched_nodes().
    struct Watch {
        std::vector<double> flow, temperature;
        double source = 0;
    };
    Watch watch(double when, const Field<Real>& t, const Buffer<Real>& f);

    // A steady problem on a connected part without fixed or exchanged temperature has a solution
    // only where its loads cancel, unique up to a constant: the mean of the initial temperature
    // fixes it. Throws InputError.
    void anchor_components(const Field<Real>& t);
    void restore_means(Field<Real>& t) const;
    // The scale of errors: the range of temperatures of the body so far and of its surroundings
    // [K].
    double temperature_range(const Field<Real>& t, double time);
    std::array<double, 2> extrema(const Field<Real>& t) const;

    const Buffer<Real>& mass() const { return mass_; }  // M, lumped [J/K], of owned nodes
    const std::vector<double>& host_mass() const { return heat_.mass; }
    double total_mass() const { return total_mass_; }
    const Buffer<Real>& free() { return matrix_.free(); }
    const HeatBoundaries& boundaries() const { return boundaries_; }
    SolveTotals& solves() { return solves_; }

  private:
    HeatDiscretization discretized(const std::vector<MaterialSettings>& regions) const;
    void find_parts();

    const Domain& domain_;
    const SolverSettings settings_;
    HeatBoundaries boundaries_;
    // in time, of any region: the same on every rank, whatever regions it holds
    const bool sources_vary_;
    HeatDiscretization heat_;
    GraphLaplacian<Real> matrix_;
    DiffusionPreconditioner<Real> diffusion_;
    Preconditioner<Real>* preconditioner_ = nullptr;  // of the matrix that is prepared
    ConjugateGradients<Real> cg_;
    // nodes where boundary parts load the body or exchange heat with it
    std::vector<Index> loaded_;
    Probe<Real> watched_, fixed_;
    BoundaryWrite<Real> fixed_write_, load_write_, exchange_write_;
    Buffer<Real> mass_, load_, exchange_, inverse_;
    std::vector<double> host_load_, host_exchange_;
    Lack lack_;
    Buffer<Real> lack_values_;       // of marked nodes
    Index parts_ = 1;                // connected ones, by cells or contacts
    std::vector<Index> part_;        // of each node held
    std::vector<double> free_mean_;  // wanted mean of components without an anchor, steady
    std::vector<bool> anchored_;
    // see() has been called: the same on every rank, also on one without nodes
    bool has_seen_ = false;
    double source_total_ = 0, total_mass_ = 0, seen_low_ = 1e300, seen_high_ = -1e300;
    SolveTotals solves_;
};

}  // namespace solenoid

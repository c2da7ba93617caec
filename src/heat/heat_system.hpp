// The discrete heat equation on nodes (docs/numerics.md, "Heat"):
//   M dT/dt = F,   F = b - (K + H) T,   T = g at nodes where it is fixed
// with the lumped capacity M, stiffness K, exchange H and load b; and the matrix s M + K + H of
// implicit steps with its preconditioner.
#pragma once

#include "core/time_parts.hpp"
#include "heat/floating_parts.hpp"
#include "heat/heat_boundaries.hpp"
#include "heat/heat_discretization.hpp"
#include "operators/entity_access.hpp"
#include "operators/state.hpp"
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
    ~HeatSystem();

    // A formula's values at nodes [K]. Throws InputError where one is not finite.
    Field<Real> temperature(const Formula& initial) const;
    Over own() const { return domain_.own(Kind::node); }
    const Domain& domain() const { return domain_; }
    const Communicator& comm() const { return domain_.comm; }

    // ---- data that depend on time

    // b and H at a time [s]; evaluated where they have changed.
    void update_boundary(double when);
    // T = g(when) at the fixed nodes.
    void impose_fixed_values(double when, Field<Real>& t);
    bool loads_vary() const { return sources_vary_ || boundaries_.depends_on_time(); }

    // The mean of loads that can be integrated over a step, by quadrature at `points`, less their
    // weighted sum at `stages`, the times at which the step evaluates b. update_boundary() adds it
    // to b until end_load_correction().
    struct LoadCorrection {
        // [W] at owned nodes, and through each boundary part, on this rank
        std::vector<double> at_nodes, flow;
        double source = 0;  // [W]
    };
    void begin_load_correction(const std::vector<TimePoint>& points,
                               const std::vector<TimePoint>& stages);
    const LoadCorrection& load_correction() const { return correction_; }
    const Buffer<Real>& load_correction_at_nodes() const { return correction_at_nodes_; }
    void end_load_correction() { correction_ = {}; }

    // ---- operators

    // F = b - (K + H) T into every owned node [W].
    void net_flow(Field<Real>& t, Buffer<Real>& f) {
        matrix_.residual_everywhere(exchange_, load_, t.write(), f);
    }
    // Sets the matrix s M + K + H [W/K] on free nodes, s in 1/s, and returns its preconditioner,
    // valid until the next call. After update_boundary().
    Preconditioner<Real>& prepare(double s);
    GraphLaplacian<Real>& matrix() { return matrix_; }
    PreconditionerSummary preconditioner_summary() const { return diffusion_.summary(); }
    // r = b - (s M + K + H) T on free nodes, 0 on fixed ones, by the prepared matrix.
    void residual(Field<Real>& t, Buffer<Real>& r) {
        matrix_.residual(comm(), load_, t.write(), r);
    }

    const Buffer<Real>& mass() const { return mass_; }  // M of owned nodes [J/K]
    const std::vector<double>& host_mass() const { return heat_.mass; }
    double total_mass() const { return total_mass_; }
    // 1 at owned nodes whose T is unknown, 0 where it is fixed.
    const Buffer<Real>& free() { return matrix_.free(); }

    // ---- results

    // Heat through boundary parts and from sources on this rank [W], and the temperatures [K] at
    // HeatBoundaries::watched_nodes(). f: net_flow() of t.
    struct Watch {
        std::vector<double> flow, temperature;
        double source = 0;
    };
    Watch watch(double when, const Field<Real>& t, const Buffer<Real>& f);
    // The scale of errors: the range of temperatures of the body so far and of its surroundings
    // [K].
    double temperature_range(const Field<Real>& t, double time);
    std::array<double, 2> extrema(const Field<Real>& t) const;

    // Of a steady problem, after update_boundary() (FloatingParts). Throws InputError where it has
    // no solution.
    void find_floating_parts(const Field<Real>& t);
    void restore_means(Field<Real>& t) const;

    const HeatBoundaries& boundaries() const { return boundaries_; }
    // All of it is left by steps that are taken back.
    void register_state(const State<Real>& state);

  private:
    HeatDiscretization discretized(const std::vector<MaterialSettings>& regions) const;

    const Domain& domain_;
    const SolverSettings settings_;
    HeatBoundaries boundaries_;
    const bool sources_vary_;  // in time, of any region: on every rank alike
    HeatDiscretization heat_;
    FloatingParts floating_;
    GraphLaplacian<Real> matrix_;
    DiffusionPreconditioner<Real> diffusion_;
    std::vector<Index>
        loaded_;  // nodes where boundary parts load the body or exchange heat with it
    Probe<Real> watched_, fixed_;
    BoundaryWrite<Real> fixed_write_, load_write_, exchange_write_;
    // Of owned nodes: M, b [W], H [W/K], the inverse of the matrix's diagonal.
    Buffer<Real> mass_, load_, exchange_, inverse_;
    std::vector<double> host_load_, host_exchange_;
    LoadCorrection correction_;
    Buffer<Real> correction_at_nodes_;
    bool is_updated_ = false;                             // update_boundary() was called
    double source_total_ = 0;                             // heat made on this rank [W]
    double total_mass_ = 0;                               // over all ranks [J/K]
    double least_seen_ = 1e300, greatest_seen_ = -1e300;  // of temperature_range() [K]
};

}  // namespace solenoid

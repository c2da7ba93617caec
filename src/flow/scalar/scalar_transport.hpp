// Transport of a scalar T of cells by the flow:
//   dT/dt + div(u T) = div(D grad T) + source
// Discretization in space and time is that of momentum; "bounded" convection limits the fluxes.
// docs/numerics.md, "Scalars".
#pragma once

#include <array>

#include "core/time_parts.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/convection/flux_limiter.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/scalar/entering_fluid.hpp"
#include "flow/scalar/scalar_boundaries.hpp"
#include "flow/scalar/scalar_diffusion.hpp"
#include "flow/scalar/scalar_faces.hpp"
#include "flow/scalar/scalar_flows.hpp"
#include "flow/scalar/scalar_recovery.hpp"
#include "flow/solver/bdf2.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class ScalarTransport {
  public:
    // All references must outlive this. Collective.
    ScalarTransport(const Domain& domain, const FlowBoundaries& flow,
                    const CellStencil<Real>& stencil, const ScalarSettings& settings,
                    const SolveSettings& solver);
    ~ScalarTransport();

    // A step from `time` to time + dt [s] with the face fluxes at `time`. ratio: dt over the last
    // step; 0 before the first one (Euler's step). Bounded convection divides long steps. The
    // solver's tolerance is relative to the residual of the last values. Throws ComputationError.
    // Collective.
    void advance(const Field<Real>& flux, double time, double dt, double ratio);
    // found: preconditioners
    void register_state(const State<Real>& motion, const State<Real>& found);
    // From now on steps take the integral of sources and given fluxes over these parts of time.
    void integrate_over(const TimeParts& parts) { time_parts_ = parts; }

    const ScalarSettings& settings() const { return settings_; }
    const ConvectionScheme& scheme() const { return scheme_; }
    const Buffer<Real>& values() const { return state_.now; }  // of cells
    int parts() const { return parts_; }  // into which the last step was divided
    // Least and greatest value of all cells. Collective.
    std::array<double, 2> extremes() const { return extremes(state_.now); }
    // Largest change of a cell in the last advance(), and the range of initial and given values,
    // widened by sources. Collective.
    struct Change {
        double most, range;
    };
    Change change() const;
    std::vector<double> cell_values();  // ghosts filled
    // Of cells: KinkedNodes::parts().
    const std::vector<GlobalIndex>& parts_between_kinks() const { return faces_.kinks().parts(); }
    std::vector<double> node_values();  // recovered, second order; ghosts filled
    // Diffusive inflow through each of Mesh::boundaries [unit of T times m^3/s, in 2D m^2/s].
    std::vector<double> diffused_in();
    // Of the last advance(). Collective.
    ScalarBalance balance();
    const SolveTotals& solves() const { return diffusion_.totals(); }

  private:
    void set_initial();
    void update(double time);
    void sort_faces();
    struct GivenValues {
        std::vector<double> at_faces, at_nodes;  // of ScalarBoundaries::given() and nodes()
    };
    GivenValues set_boundary(double time);
    void widen_range(const std::vector<double>& values);
    void update_transport(const Field<Real>& flux);
    void step(const Field<Real>& flux, double time, const Bdf2& bdf2);
    void extrapolate(const Field<Real>& flux, double later);
    double courant_rate(const Field<Real>& flux) const;
    void add_up(const Field<Real>& rate, Field<Real>& before, Field<Real>& passed,
                const Bdf2& bdf2);
    void note_unsolved();
    void add_gain(const Bdf2& bdf2, double when);
    void add_gains(const TimePoint& point, std::vector<double>& of_cells,
                   typename ScalarFlows<Real>::Gains& sums) const;
    void solve(const Field<Real>& carried, double rate, CellField<Real>& x, double when,
               bool is_whole);
    void solve_low(double dt, double when);
    void bound(double dt, double when);
    std::array<double, 2> extremes(const Buffer<Real>& values) const;
    typename FluxLimiter<Real>::ValueRange range() const;

    const Domain& domain_;
    const FlowBoundaries& flow_;
    const CellStencil<Real>& stencil_;
    const ScalarSettings settings_;
    const ConvectionScheme& scheme_;
    const int d_;
    ScalarBoundaries boundaries_;
    ScalarFaces<Real> faces_;
    ScalarDiffusion<Real> diffusion_;
    ScalarRecovery<Real> recovery_;
    const std::unique_ptr<Convection<Real>> convection_;
    std::unique_ptr<DeferredDiffusion<Real>> deferred_;  // where all of diffusion is implicit
    std::unique_ptr<FluxLimiter<Real>> flux_limiter_;    // of a scheme that keeps the range
    std::unique_ptr<EnteringFluid<Real>> entering_;      // where boundaries have inflow values
    ScalarFlows<Real> flows_;

    // The state that a step passes on to the next one.
    struct Passed {
        CellField<Real> now;
        // Faces, along the normal: transported scalar and volume in the last step.
        Field<Real> carried, flowed;
        // Cells: gain by sources and given fluxes in the last step; residual of its solve.
        Field<Real> gained, left;
        Field<Real> transport, flux;  // faces: rates at that step's start
        Field<Real> given_flux;       // faces: of the last advance()
        // Range of initial and given values, and how far sources have widened it in the last step
        // and in all steps.
        double least = HUGE_VAL, greatest = -HUGE_VAL, least_gained = 0, most_gained = 0;
        double range = 0, last_step = 0;  // of the values themselves; [s]
    };
    Passed state_;
    // Cells: the values at the start of the last advance().
    Field<Real> before_;
    Field<Real> left_, rhs_, wall_, rate_of_gain_, net_;  // cells
    Field<Real> defect_;                                  // cells, with boundary values
    CellField<Real> high_, low_;                          // second order, monotone
    Field<Real> transport_, low_carried_, excess_;        // faces
    Field<Real> growth_, extrapolated_;                   // faces: of the flux
    std::vector<double> given_at_faces_;  // at ScalarBoundaries::given(), by set_boundary()
    int parts_ = 1;
    double advanced_ = 0;  // length of the last advance() [s]
    // in it: made by the flux's divergence, and left by solves
    std::array<double, 2> unsolved_{};
    // of initial and boundary values
    double seen_ = 0, least_given_ = HUGE_VAL, greatest_given_ = -HUGE_VAL;
    bool is_seen_ = false, has_gain_ = false, gain_varies_ = false;  // in time
    TimeParts time_parts_;
};

}  // namespace solenoid

// What the steps of a scalar carry through the boundary, by convection and by diffusion, and what
// its sources make: the sums whose total is what the cells gain. docs/numerics.md, "Scalars".
#pragma once

#include "flow/scalar/scalar_boundaries.hpp"
#include "flow/solver/bdf2.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/entity_access.hpp"
#include "operators/state.hpp"

namespace solenoid {

// Times along a step are those of a BDF2 step; a ScalarTransport::advance() has one or more.
template <class Real>
class ScalarFlows {
  public:
    // All references must outlive this.
    ScalarFlows(const Domain& domain, const FlowBoundaries& flow,
                const ScalarBoundaries& boundaries);

    void begin();  // of an advance
    // The explicit transport at a step's start, and the values given there at
    // ScalarBoundaries::given(): what is convected in the step by
    //   C = c C_before + s ((1 + w) U T_b - w (U T_b)_before)
    void take_transport(const Field<Real>& transport, const Field<Real>& flux,
                        const std::vector<double>& given, const Bdf2& bdf2);
    // The fluxes of the monotone step by convection alone, for cut().
    void take_monotone(const Field<Real>& carried);
    // What the limiter cuts off `excess`, the fluxes less those of the monotone step.
    void cut(const Field<Real>& excess, const Field<Real>& cut);
    // Rates of gain on this rank: of sources, then of given fluxes through each of
    // Mesh::boundaries.
    using Gains = std::vector<RankSum>;
    Gains no_gains() const;
    // diffused: what given fluxes bring through each of ScalarBoundaries::open().
    void add_diffused(const std::vector<double>& diffused, double weight, Gains& gains) const;
    // The step's gains are S = c S_before + s S'. Collective.
    void take_gains(Gains rates, double c, double s);
    // All that passes the faces in the step, when it is known.
    void take_carried(const Field<Real>& carried);

    // Of the last advance, of a length [s]; storage is left out. Collective.
    ScalarBalance balance(double length);
    void register_state(const State<Real>& state);

  private:
    const Domain& domain_;
    const FlowBoundaries& flow_;
    const ScalarBoundaries& boundaries_;
    Probe<Real> probe_;  // of FlowBoundaries::faces(), as all lists below
    // Along the normals: convected in the last step, and its rate at that step's start; the same of
    // the monotone step; convected and carried in the advance.
    std::vector<double> convected_, rate_, monotone_, all_convected_, all_carried_;
    std::vector<double> gained_, all_gained_;  // of all ranks: in the last step, in the advance
};

}  // namespace solenoid

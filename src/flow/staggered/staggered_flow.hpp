// The exact fractional step whose state is the stream function alone, with rotational momentum or
// the thesis's (docs/numerics.md, "Rotational momentum"). ImplicitMidpoint is its step; this drives
// it: the initial state, the limit of the steps, the first guess, and what a run asks for.
#pragma once

#include "flow/boundary/velocity_recovery.hpp"
#include "flow/diagnostics/flow_measures.hpp"
#include "flow/solver/flow_solver.hpp"
#include "flow/solver/momentum_kind.hpp"
#include "flow/staggered/implicit_midpoint.hpp"

namespace solenoid {

template <class Real>
class StaggeredFlow final : public FlowSolver {
  public:
    using MakeMomentum = std::unique_ptr<StaggeredMomentum<Real>> (*)(const StaggeredParts<Real>&);
    StaggeredFlow(const Domain& domain, const FlowCase& flow, MakeMomentum make_momentum);

    void step(double dt) override;
    double time() const override { return state_.time; }
    void set_clock(double time) override { state_.time = time; }
    void integrate_over(const TimeParts& parts) override { forcing_.integrate_over(parts); }
    void restart() override { restarts_ = true; }
    double courant(double dt) const override { return measures_.courant(state_.flux, dt); }
    double step_limit() const override { return step_limit_; }
    double max_divergence() override { return measures_.max_divergence(state_.flux); }
    double rate_of_change() const override {
        return last_step_ > 0 ? speeds_.change / last_step_ : 0;
    }
    double largest_speed() const override { return speeds_.largest; }
    double kinetic_energy() override { return measures_.kinetic_energy(state_.u); }
    GradientIntegrals gradient_integrals() override;
    std::vector<double> boundary_inflow() override {
        return measures_.boundary_inflow(state_.flux);
    }
    std::vector<double> node_velocity() override;
    std::vector<double> cell_velocity() override { return measures_.downloaded(state_.u); }
    std::vector<double> face_flux() override { return measures_.downloaded(state_.flux); }
    std::vector<double> stream_function() override {
        return measures_.stream_function(projection_.potential(), boundaries_.prescribed());
    }
    std::vector<double> node_scalar(int) override { return {}; }  // it carries none
    std::vector<double> cell_scalar(int) override { return {}; }
    std::vector<double> scalar_diffused_in(int) override { return {}; }
    std::vector<SectionFlow> cut_surfaces() override {
        return forcing_.cut_surfaces(state_.flux, projection_.pressure_rise(last_step_));
    }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;

  private:
    void start_from(const VectorFormula& initial);
    void register_state();
    void check_step(double dt) const;

    const Domain& domain_;
    const int d_;
    const FlowBoundaries boundaries_;
    const double viscosity_;  // [m^2/s]
    const CellStencil<Real> stencil_;
    FlowMeasures<Real> measures_;
    BoundaryVelocity<Real> boundary_;
    const KinkedNodes<Real> kinks_;  // none: the viscosity is uniform
    VelocityRecovery<Real> recovery_;
    StreamFunction<Real> projection_;
    Forcing<Real> forcing_;
    const std::unique_ptr<StaggeredMomentum<Real>> momentum_;
    ImplicitMidpoint<Real> midpoint_;

    StaggeredState<Real> state_;
    Buffer<Real> guess_;           // of the next velocity, a cell vector
    Buffer<Real> cell_viscosity_;  // of cells, made at first use
    typename FlowMeasures<Real>::Speeds speeds_{0, 0};
    double last_step_ = 0, step_limit_;  // [s]
    bool restarts_ = false;              // the next step uses no earlier state
};

// The thinnest layers with which flow is right, by rotational momentum: Couette's flow from rest
// between flat walls has their vorticity to 0.7 % up to an aspect of 11, and off by 8 % at 15;
// between cylinders steps shrink and the flow swings at 70. Inside and on curved walls it bears
// what collocated momentum bears, and more.
inline ThinLayerBounds staggered_thin_layers(const FlowSettings&) { return {10, 20, 4}; }

// What the staggered kinds of momentum have in common. Momentum<Real> is made of StaggeredParts.
template <template <class> class Momentum>
MomentumKind staggered_kind(std::string name, std::string help,
                            std::vector<std::string> convections,
                            std::string convection_help = {}) {
    const auto make =
        []<class Real>(
            const StaggeredParts<Real>& parts) -> std::unique_ptr<StaggeredMomentum<Real>> {
        return std::make_unique<Momentum<Real>>(parts);
    };
    return {.name = std::move(name),
            .help = std::move(help),
            .methods = {"exact"},
            .convections = std::move(convections),
            .convection_help = std::move(convection_help),
            .time_schemes = {FlowSettings().time_scheme},  // it has its own
            .diffusions = names_of(diffusion_kinds()),
            .carries_scalars = false,
            .bears_varying_viscosity = false,
            .has_energy_budget = false,
            .estimates_errors = false,
            .thin_layers = staggered_thin_layers,
            .solver = {[make](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<StaggeredFlow<float>>(domain, flow, make);
                       },
                       [make](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<StaggeredFlow<double>>(domain, flow, make);
                       }}};
}

}  // namespace solenoid

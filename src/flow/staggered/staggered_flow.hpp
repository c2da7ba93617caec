// The exact fractional step whose state is the stream function alone, with rotational momentum or
// the thesis's: the implicit midpoint, linear in the velocity at its end. docs/numerics.md,
// "Rotational momentum".
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/boundary/velocity_recovery.hpp"
#include "flow/diagnostics/flow_measures.hpp"
#include "flow/projection/stream_function.hpp"
#include "flow/solver/flow_solver.hpp"
#include "flow/solver/forcing.hpp"
#include "flow/solver/momentum_kind.hpp"
#include "flow/staggered/staggered_momentum.hpp"
#include "operators/domain.hpp"
#include "solvers/krylov/gcr.hpp"

namespace solenoid {

template <class Real>
class StaggeredFlow final : public FlowSolver {
  public:
    using MakeMomentum = std::unique_ptr<StaggeredMomentum<Real>> (*)(const StaggeredParts<Real>&);
    StaggeredFlow(const Domain& domain, const FlowCase& flow, MakeMomentum make_momentum);

    void step(double dt) override;
    double time() const override { return time_; }
    void set_clock(double time) override { time_ = time; }
    void integrate_over(const TimeParts& parts) override { forcing_.integrate_over(parts); }
    void restart() override { restarts_ = true; }
    double courant(double dt) const override { return measures_.courant(flux_, dt); }
    double step_limit() const override { return step_limit_; }
    double max_divergence() override { return measures_.max_divergence(flux_); }
    double rate_of_change() const override {
        return last_step_ > 0 ? speeds_.change / last_step_ : 0;
    }
    double largest_speed() const override { return speeds_.largest; }
    double kinetic_energy() override { return measures_.kinetic_energy(u_); }
    GradientIntegrals gradient_integrals() override;
    std::vector<double> boundary_inflow() override { return measures_.boundary_inflow(flux_); }
    std::vector<double> node_velocity() override;
    std::vector<double> cell_velocity() override { return measures_.downloaded(u_); }
    std::vector<double> face_flux() override { return measures_.downloaded(flux_); }
    std::vector<double> stream_function() override {
        return measures_.stream_function(projection_.potential(), boundaries_.prescribed());
    }
    std::vector<double> node_vorticity() override;
    std::vector<double> node_q_criterion() override;
    std::vector<double> node_scalar(int) override { return {}; }  // it carries none
    std::vector<double> cell_scalar(int) override { return {}; }
    std::vector<double> scalar_diffused_in(int) override { return {}; }
    std::vector<SectionFlow> cut_surfaces() override {
        return forcing_.cut_surfaces(flux_, projection_.pressure_rise(last_step_));
    }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;

  private:
    void start_from(const VectorFormula& initial);
    void update_boundary(double when);
    void iterate(double dt, double when);
    void map(double dt, const Buffer<Real>& end, double when);
    void project(double when);

    const Domain& domain_;
    const int d_;
    const FlowBoundaries boundaries_;
    const double viscosity_, tolerance_;
    const int most_iterations_;
    const CellStencil<Real> stencil_;
    Operators<Real>& operators_;
    FlowMeasures<Real> measures_;
    BoundaryVelocity<Real> boundary_;
    const KinkedNodes<Real> kinks_;  // none: the viscosity is uniform
    VelocityRecovery<Real> recovery_;
    StreamFunction<Real> projection_;
    Forcing<Real> forcing_;
    std::unique_ptr<StaggeredMomentum<Real>> momentum_;
    FixedPointOperator<Real> of_step_;  // 1 - L of the map of the step under way
    Gcr<Real> gcr_;

    CellField<Real> u_;
    Field<Real> flux_;
    Field<Real> u_before_, end_, image_, star_;  // cell vectors
    Buffer<Real> u_end_, residual_;              // likewise; residual: image - u_end
    Buffer<Real> cell_viscosity_;                // empty until it is asked for
    SolveTotals projections_;
    typename FlowMeasures<Real>::Speeds speeds_{0, 0};
    double time_ = 0, last_step_ = 0, step_limit_;
    bool restarts_ = false;  // with the next step
    // of the change that the step under way brings, as the projection measures it
    double size_ = 0;
};

// What the staggered kinds of momentum have in common. Momentum<Real> is made of StaggeredParts.
template <template <class> class Momentum>
MomentumKind staggered_kind(std::string name, std::string help,
                            std::vector<std::string> convections) {
    const auto make =
        []<class Real>(
            const StaggeredParts<Real>& parts) -> std::unique_ptr<StaggeredMomentum<Real>> {
        return std::make_unique<Momentum<Real>>(parts);
    };
    return {.name = std::move(name),
            .help = std::move(help),
            .methods = {"exact"},
            .convections = std::move(convections),
            .time_schemes = {FlowSettings().time_scheme},  // it has its own
            .diffusions = {"implicit", "explicit"},
            .carries_scalars = false,
            .bears_varying_viscosity = false,
            .has_energy_budget = false,
            .estimates_errors = false,
            .solver = {[make](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<StaggeredFlow<float>>(domain, flow, make);
                       },
                       [make](const Domain& domain, const FlowCase& flow) {
                           return std::make_unique<StaggeredFlow<double>>(domain, flow, make);
                       }}};
}

}  // namespace solenoid

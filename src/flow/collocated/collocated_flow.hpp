// A flow with collocated cell velocities: drives the steps of a time scheme (bdf2_step.cpp,
// midpoint_step.cpp), and tells of the flow between them. docs/numerics.md, "Collocated momentum".
#pragma once

#include <array>

#include "flow/collocated/energy_budget.hpp"
#include "flow/collocated/flow_sources.hpp"
#include "flow/collocated/time_errors.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/diagnostics/boundary_forces.hpp"
#include "flow/diagnostics/flow_measures.hpp"
#include "flow/diagnostics/mean_gradient.hpp"
#include "flow/diagnostics/watched_forces.hpp"
#include "flow/diagnostics/watched_velocity.hpp"
#include "flow/projection/pressure_recovery.hpp"
#include "flow/solver/flow_solver.hpp"

namespace solenoid {

template <class Real>
class CollocatedFlow final : public FlowSolver {
  public:
    CollocatedFlow(const Domain& domain, const FlowCase& flow);

    void step(double dt) override;
    double time() const override { return s_.time; }
    void set_clock(double time) override { s_.time = time; }
    void restart() override {
        restarts_ = true;
        projection_.restart();
    }
    bool follow_errors() override;
    std::optional<StepErrors> step_errors() override { return errors_->of_step(*step_); }
    void integrate_over(const TimeParts& parts) override {
        forcing_.integrate_over(parts);
        for (const auto& scalar : sources_.scalars()) scalar->integrate_over(parts);
    }
    double courant(double dt) const override { return dt * courant_rate_; }
    double courant_limit() const override;
    double max_divergence() override { return measures_.max_divergence(s_.flux); }
    double rate_of_change() const override {
        return s_.last_step > 0 ? largest_change_ / s_.last_step : 0;
    }
    double largest_speed() const override { return speed_; }
    std::vector<RateOfChange> changes() override;
    double kinetic_energy() override { return measures_.kinetic_energy(s_.u); }
    double held_cells() const override { return coupling_.held(); }
    GradientIntegrals gradient_integrals() override;
    std::vector<double> boundary_inflow() override { return measures_.boundary_inflow(s_.flux); }
    std::vector<double> node_velocity() override;
    std::vector<double> cell_velocity() override { return measures_.downloaded(s_.u); }
    std::vector<double> face_flux() override { return measures_.downloaded(s_.flux); }
    std::vector<double> stream_function() override;
    bool has_pressure() const override { return true; }
    std::vector<double> node_pressure() override;
    std::vector<BoundaryForce> boundary_forces() override;
    std::vector<BoundaryForce> watched_forces(const std::vector<std::size_t>& boundaries) override;
    int watch_velocity(const std::vector<EntityShare>& shares, int sums) override;
    std::vector<double> watched_velocity(int which) override;
    int watch_pressure(const std::vector<EntityShare>& shares) override;
    double watched_pressure(int which) override;
    bool has_energy_budget() const override { return time_scheme_.has_energy_budget; }
    EnergyTerms energy_terms() override;
    std::vector<GlobalIndex> velocity_parts() override {
        return momentum_.viscosity().kinks().parts();
    }
    std::vector<GlobalIndex> scalar_parts(int i) override {
        return sources_.scalars()[i]->parts_between_kinks();
    }
    std::vector<double> node_scalar(int i) override { return sources_.scalars()[i]->node_values(); }
    std::vector<double> cell_scalar(int i) override { return sources_.scalars()[i]->cell_values(); }
    std::vector<double> scalar_diffused_in(int i) override {
        return sources_.scalars()[i]->diffused_in();
    }
    ScalarBalance scalar_balance(int i) override { return sources_.scalars()[i]->balance(); }
    std::array<double, 2> scalar_range(int i) override { return sources_.scalars()[i]->extremes(); }
    std::vector<SectionFlow> cut_surfaces() override {
        return forcing_.cut_surfaces(s_.flux, pressure_rise());
    }
    std::string chosen_form() const override;
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;

    // Makes the present flux the convecting flux of all further steps. With central and
    // skew-symmetric convection a step is then linear in the state and the boundary values.
    void freeze();

  private:
    void start_from(const VectorFormula& velocity);
    void start_from_pressure(const Formula& pressure);
    void register_state();
    void advance(double dt, double w);
    void check_finite();
    Over over_cells() const { return domain_.own(Kind::cell); }
    RateOfChange pressure_change();
    double uneven_force(double all);
    void make_stream_function();
    void update_stream_function();
    std::vector<double> this_state() const;
    const SharpEdges& sharp_edges();  // found at the first call. Collective.
    std::vector<std::optional<double>> pressure_rise() const;
    const MeanGradient& mean_gradient();
    const Field<Real>* body_at_end();
    PressureRecovery<Real>& recovery();
    const Field<Real>& recovered_pressure();
    // What the pressure at the end of the step is recovered from; `gradient` holds its own.
    PressureSources<Real> pressure_sources(Field<Real>& gradient);
    void make_forces();
    void make_rate();

    const Domain& domain_;
    const int d_;
    const TimeSchemeKind& time_scheme_;
    const FlowBoundaries boundaries_;
    const double density_;
    const SolveSettings stream_function_settings_, pressure_settings_;
    Momentum<Real> momentum_;
    FlowMeasures<Real> measures_;
    FluxCoupling<Real> coupling_;
    Forcing<Real> forcing_;
    FluxProjection<Real> projection_;
    FlowSources<Real> sources_;
    CollocatedState<Real> s_;
    const std::unique_ptr<CollocatedStep<Real>> step_;
    bool restarts_ = false;     // the next step uses no earlier state
    bool has_stepped_ = false;  // since a state was loaded
    bool starts_with_pressure_ = false;
    int passes_ = 0;  // advance() that found a pressure, up to two
    // Of the last step: the largest |u - u_before| and |u| of a cell [m/s], and the Courant number
    // over the step [1/s].
    double largest_change_ = 0, speed_ = 0, courant_rate_ = 0;
    // Made at first use. stream_function_: in 2D, for methods that compute no stream function.
    std::unique_ptr<Projection<Real>> stream_function_;
    std::optional<SharpEdges> sharp_edges_;
    std::unique_ptr<PressureRecovery<Real>> recovery_;
    // The states whose pressure and stream function were found last; found again, they would differ
    // by what a solve leaves.
    std::vector<double> recovered_in_, stream_function_in_;
    std::unique_ptr<BoundaryForces<Real>> forces_;
    std::unique_ptr<EnergyBudget<Real>> budget_;
    std::unique_ptr<WeakForces<Real>> weak_forces_;
    std::unique_ptr<WatchedForces<Real>> watched_forces_;
    Field<Real> no_pressure_;  // nodes: 0
    std::optional<NodeWeights> node_weights_;
    std::vector<WatchedVelocity<Real>> watched_velocities_;
    std::vector<std::vector<PressureSum<Real>>> watched_pressures_;  // one each
    std::unique_ptr<MeanGradient> mean_gradient_;
    std::unique_ptr<TimeErrors<Real>> errors_;  // null: errors are not estimated
    // Cell vectors [m/s^2]: du/dt of the last step, empty until weak forces are needed; and the
    // force of body_at_end().
    Field<Real> rate_, body_;
};

}  // namespace solenoid

// The fractional step with collocated cell velocities: a time scheme predicts the velocity, a
// projection of the face fluxes corrects it. docs/numerics.md, "Collocated momentum".
#pragma once

#include <array>

#include "flow/collocated/collocated_system.hpp"
#include "flow/collocated/energy_budget.hpp"
#include "flow/collocated/time_errors.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/diagnostics/boundary_forces.hpp"
#include "flow/diagnostics/mean_gradient.hpp"
#include "flow/diagnostics/weak_forces.hpp"
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
        s_.projection->restart();
    }
    bool follow_errors() override;
    std::optional<StepErrors> step_errors() override { return errors_->of_step(*scheme_); }
    void keep_state() override;
    void take_back() override;
    void let_go() override;
    void integrate_over(const TimeParts& parts) override {
        s_.forcing.integrate_over(parts);
        for (const auto& scalar : s_.scalars) scalar->integrate_over(parts);
    }
    double courant(double dt) const override { return dt * s_.courant_rate; }
    double courant_limit() const override;
    double max_divergence() override { return s_.measures.max_divergence(s_.flux); }
    double rate_of_change() const override {
        return s_.last_step > 0 ? s_.largest_change / s_.last_step : 0;
    }
    double largest_speed() const override { return s_.speed; }
    std::vector<RateOfChange> changes() override;
    double kinetic_energy() override { return s_.measures.kinetic_energy(s_.u); }
    double held_cells() const override { return s_.coupling.held(); }
    GradientIntegrals gradient_integrals() override;
    std::vector<double> boundary_inflow() override { return s_.measures.boundary_inflow(s_.flux); }
    std::vector<double> node_velocity() override;
    std::vector<double> cell_velocity() override { return s_.measures.downloaded(s_.u); }
    std::vector<double> face_flux() override { return s_.measures.downloaded(s_.flux); }
    std::vector<double> stream_function() override;
    std::vector<double> node_pressure() override;
    std::vector<BoundaryForce> boundary_forces() override;
    bool has_energy_budget() const override { return has_energy_budget_; }
    EnergyTerms energy_terms() override;
    std::vector<GlobalIndex> velocity_parts() override {
        return s_.momentum.viscosity().kinks().parts();
    }
    std::vector<GlobalIndex> scalar_parts(int i) override {
        return s_.scalars[i]->parts_between_kinks();
    }
    std::vector<double> node_scalar(int i) override { return s_.scalars[i]->node_values(); }
    std::vector<double> cell_scalar(int i) override { return s_.scalars[i]->cell_values(); }
    std::vector<double> scalar_diffused_in(int i) override { return s_.scalars[i]->diffused_in(); }
    std::array<double, 2> scalar_range(int i) override { return s_.scalars[i]->extremes(); }
    std::vector<SectionFlow> cut_surfaces() override {
        return s_.forcing.cut_surfaces(s_.flux, pressure_rise());
    }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;

    // References to everything that a step starts from, on the entities of this rank. A step
    // computes the boundary values of u and of the potential again. history: TimeScheme::history().
    struct State {
        Field<Real>&u, &u_before, &q;  // cell vectors
        std::vector<Field<Real>*> history;
        Field<Real>&flux, &lag_before, &rest_before, &gradient;  // face scalars
        Field<Real>& potential;
        double &time, &last_step, &step_before;
    };
    State state();
    // Makes the present flux the convecting flux of all further steps. With central and
    // skew-symmetric convection a step is then linear in the state and the boundary values.
    void freeze();

  private:
    void keep_in_snapshots();
    void advance(double dt, double w);
    RateOfChange pressure_change();
    double uneven_force(double all);
    void update_stream_function();
    const SharpEdges& sharp_edges();  // found at the first call. Collective.
    std::vector<std::optional<double>> pressure_rise() const;
    const MeanGradient& mean_gradient();
    const Field<Real>* body_at_end();
    const Field<Real>& recovered_pressure();
    void make_weak_forces();

    const SolveSettings stream_function_settings_, pressure_settings_;
    const bool has_energy_budget_;
    bool restarts_ = false;  // the next step uses no earlier state
    CollocatedSystem<Real> s_;
    const std::unique_ptr<TimeScheme<Real>> scheme_;
    // Made at first use. stream_function_: in 2D, for methods that compute no stream function.
    std::unique_ptr<Projection<Real>> stream_function_;
    std::optional<SharpEdges> sharp_edges_;
    std::unique_ptr<PressureRecovery<Real>> recovery_;
    std::unique_ptr<BoundaryForces<Real>> forces_;
    std::unique_ptr<EnergyBudget<Real>> budget_;
    std::unique_ptr<WeakForces<Real>> weak_forces_;
    std::unique_ptr<MeanGradient> mean_gradient_;
    Snapshot<Real> motion_, found_;             // see CollocatedSystem::keep_in()
    std::unique_ptr<TimeErrors<Real>> errors_;  // null: errors are not estimated
    // Cell vectors [m/s^2]: du/dt of the last step, empty until weak forces are needed; and the
    // force of body_at_end().
    Field<Real> rate_, body_;
};

}  // namespace solenoid

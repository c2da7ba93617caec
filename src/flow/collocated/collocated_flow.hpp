// The fractional step with collocated cell velocities: BDF2 of variable step with extrapolated transport and implicit diffusion, or the implicit
// midpoint rule, then a projection of the face fluxes. docs/numerics.md, "Collocated momentum", "The implicit midpoint rule".
#pragma once

#include <array>

#include "device/expression.hpp"
#include "flow/collocated/energy_budget.hpp"
#include "flow/collocated/flux_coupling.hpp"
#include "flow/collocated/implicit_transport.hpp"
#include "flow/collocated/momentum.hpp"
#include "flow/diagnostics/boundary_forces.hpp"
#include "flow/diagnostics/flow_measures.hpp"
#include "flow/diagnostics/weak_forces.hpp"
#include "flow/projection/pressure_recovery.hpp"
#include "flow/projection/projection.hpp"
#include "flow/scalar/scalar_transport.hpp"
#include "flow/solver/drive.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class CollocatedFlow final : public FlowSolver {
  public:
    CollocatedFlow(const Domain& domain, const FlowCase& flow);

    void step(double dt) override;
    double time() const override { return time_; }
    double courant(double dt) const override { return dt * courant_rate_; }
    double courant_limit() const override;
    double max_divergence() override { return measures_.max_divergence(flux_); }
    double rate_of_change() const override { return last_step_ > 0 ? largest_change_ / last_step_ : 0; }
    double largest_speed() const override { return speed_; }
    double kinetic_energy() override { return measures_.kinetic_energy(u_); }
    double held_cells() const override { return coupling_.held(); }
    GradientIntegrals gradient_integrals() override;
    std::vector<double> boundary_inflow() override { return measures_.boundary_inflow(flux_); }
    std::vector<double> node_velocity() override;
    std::vector<double> cell_velocity() override { return measures_.downloaded(u_); }
    std::vector<double> face_flux() override { return measures_.downloaded(flux_); }
    std::vector<double> stream_function() override;
    std::vector<double> node_pressure() override;
    std::vector<double> node_vorticity() override;
    std::vector<double> node_q_criterion() override;
    std::vector<BoundaryForce> boundary_forces() override;
    bool follow_energy() override;
    EnergyTerms energy_terms() override;
    std::vector<double> node_scalar(int i) override { return scalars_[i]->node_values(); }
    std::vector<double> cell_scalar(int i) override { return scalars_[i]->cell_values(); }
    std::vector<double> scalar_diffused_in(int i) override { return scalars_[i]->diffused_in(); }
    std::array<double, 2> scalar_range(int i) override { return scalars_[i]->extremes(); }
    std::vector<SectionFlow> sections() override { return drive_.sections(flux_, projection_->pressure_rise()); }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;
    std::size_t halo_bytes() const override;

    // All that a step starts from, on the entities held here; at the boundary u and the potential are made anew.
    struct State {
        Field<Real>&u, &u_before, &n_before, &n_earlier, &q;  // cell vectors
        Field<Real>&flux, &lag_before, &rest_before, &gradient;  // face scalars
        Field<Real>& potential;
        double &time, &last_step, &step_before;
    };
    State state() { return {u_, u_before_, n_before_, n_earlier_, q_, flux_, coupling_.lag_before(), coupling_.rest_before(), gradient_, projection_->potential(), time_, last_step_, step_before_}; }
    // From now on what carries is the flux as it is now: a step is linear in the state and the boundary's values, for central and
    // skew-symmetric convection.
    void freeze();

  private:
    std::unique_ptr<Projection<Real>> make_projection(const FlowCase& flow);
    void make_fields();
    void make_scalars(const FlowCase& flow);
    void start_from(const VectorFormula& initial);
    void start_from_pressure(const Formula& initial);
    void see(double when);
    void advance(double dt, double ratio);
    using Step = typename FluxCoupling<Real>::Step;
    std::array<double, 3> extrapolation(double dt, double ratio) const;
    void see_state();
    void transport_state();
    template <class Solve>
    void solve_by_viscosity(double when, const Solve& solve);
    Step predict_by_bdf2(double dt, double ratio);
    Step predict_by_midpoint(double dt, double ratio);
    double place_of(double dt) const;
    void set_flux_middle(double ratio);
    void set_rhs(double c1, double c2, const std::array<double, 3>& e);
    void add_buoyancy(Field<Real>& to);
    void put_force(double when, Field<Real>& to);
    Field<Real> last_force();
    void see_first_force();
    void change_force();
    void see_force();
    void correct(const Step& step, double when);
    void set_flux_star(const Step& step);
    void check(const SolveReport& report, double when);
    void check_converged(const SolveReport& report, const Projection<Real>& projection, double when) const;
    void see_stream_function();
    void follow_flux(double s);
    const Field<Real>& carrier() const { return frozen_ ? frozen_ : flux_; }
    Over over_cells() const { return domain_.own(Kind::cell); }
    const Field<Real>& recovered_pressure();
    void add_weak_forces(const Field<Real>& p, std::vector<BoundaryForce>& forces);
    void check_finite();

    const Domain& domain_;
    const int d_;
    const FlowBoundaries boundaries_;
    const double density_;
    const bool is_exact_, is_midpoint_;
    const CgSettings stream_function_settings_, pressure_settings_;
    Momentum<Real> momentum_;
    FlowMeasures<Real> measures_;
    FluxCoupling<Real> coupling_;
    std::unique_ptr<ImplicitTransport<Real>> implicit_;  // of the midpoint rule
    std::unique_ptr<Projection<Real>> projection_;
    Drive<Real> drive_;
    std::vector<std::unique_ptr<ScalarTransport<Real>>> scalars_;
    std::vector<Vec3> buoyant_acceleration_;  // of each scalar, a unit of it: -expansion gravity, half of it by the midpoint rule
    Field<Real> force_, force_before_, node_force_;  // body force and buoyancy [m/s^2]: of this step and the last, lengthened, and at nodes; empty: none
    std::unique_ptr<Projection<Real>> stream_function_;  // of the classical method, for output in 2D

    CellField<Real> u_, star_;
    Field<Real> u_before_;                                       // lengthened
    Field<Real> q_, q_before_;                                   // cell vectors: the pressure's gradient less the force
    Field<Real> n_now_, n_before_, n_earlier_, rhs_;             // cell vectors
    Field<Real> flux_, flux_star_;                               // face scalars
    Field<Real> gradient_;                                       // A dp/dn of the projection, less the force's flux
    Field<Real> diffused_;                                       // explicitly, of the star under way, where the viscosity follows the flow; else empty
    Field<Real> frozen_;                                         // by freeze(); empty: the flux itself carries
    Field<Real> flux_before_, flux_middle_, gradient_before_;    // of the midpoint rule
    Field<Real> follows_, free_star_;                            // faces: 1 where boundaries follow, else 0, and U* before it is held; empty: none does
    // Made when they are first asked for.
    std::unique_ptr<PressureRecovery<Real>> recovery_;
    std::unique_ptr<BoundaryForces<Real>> forces_;
    std::unique_ptr<EnergyBudget<Real>> budget_;
    std::unique_ptr<WeakForces<Real>> weak_forces_;
    Field<Real> rate_, body_;  // cell vectors: du/dt of the last step, kept since then; body forces
    SolveTotals projections_;
    double time_ = 0, last_step_ = 0, step_before_ = 0, largest_change_ = 0, speed_ = 0, courant_rate_ = 0;
    // Of the midpoint rule: where in a step u, transport and pressure are taken, 1/2 but for a start; from the last two of these to the end of the step, in
    // their distance; the rate of stiff diffusion [1/s].
    double place_ = 0.5, pressure_reach_ = 0, diffusion_rate_ = 0;
    int steps_ = 0;
    bool starts_with_pressure_ = false, force_changes_ = false;
};

}  // namespace solenoid

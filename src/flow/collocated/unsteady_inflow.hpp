// What is known of the pressure where the flow enters and leaves as given, and faster or slower in
// time: its gradient there is -dU_b/dt, by which the fluid is accelerated as a whole. A step takes
// part in it in three places: the flux to be projected, the gradient on faces, and that in the
// cells beside them. docs/numerics.md, "Collocated momentum", *Unsteady inflows*.
#pragma once

#include "flow/collocated/momentum.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class UnsteadyInflow {
  public:
    // All references must outlive this.
    UnsteadyInflow(const Domain& domain, const FlowBoundaries& boundaries,
                   Momentum<Real>& momentum);
    ~UnsteadyInflow();

    bool exists() const { return bool(moves_); }  // equal on all ranks
    // At the start of a step, with its flux.
    void begin(const Field<Real>& flux);
    // A step of a time scheme, whose du/dt is (u' - s c1 u_1 - s c2 u_2) / s. sees_start: u* has
    // the pressure gradient of the start of the step, else that of its end.
    struct Step {
        double s, c2;  // [s], [1/s]
        bool sees_start;
    };
    // The boundary velocities being those of the end of the step: adds to the flux of the
    // interpolated u* what u* lacks at the nodes of inflows, s (grad p' - grad p). Collective.
    void bring(const Step& step, Field<Real>& star);
    const Field<Real>& acceleration() const { return acceleration_; }  // then, at nodes [m/s^2]
    // s dU_b/dt on the faces of the step of bring(), times the share of inertia; 0 on others.
    const Field<Real>& rise() const { return rise_; }
    // Sets the gradient on the faces to that of rise().
    void impose(double s, Field<Real>& gradient);
    // motion, found: as CollocatedState::register_state().
    void register_state(const State<Real>& motion, const State<Real>& found);

  private:
    void rise(const Step& step);
    void weigh(const Step& step);

    const Domain& domain_;
    Momentum<Real>& momentum_;
    double length_ = 0, share_ = 0;    // of the largest cell at an inflow [m]; of inertia
    std::vector<Index> inflow_faces_;  // of inflows in FlowBoundaries::faces()
    Field<Real> by_area_;              // face scalars: 1/A at faces whose flux is given, else 0
    // Face scalars: 1 at faces whose flux is given, else 0; s dU_b/dt; the fluxes at the starts of
    // this step and of the last one.
    Field<Real> moves_, rise_, flux_now_, flux_before_;
    // Node vectors: 1 at nodes whose velocity an inflow gives, else 0; their velocities at the end
    // of the step, at its start, and at the start of the last one; du_b/dt of the pressure gradient
    // in the cells; what u* lacks.
    Field<Real> given_, velocity_, velocity_now_, velocity_before_, acceleration_, lacking_;
    Field<Real> brought_;  // face scalars
};

}  // namespace solenoid

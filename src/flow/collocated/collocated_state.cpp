#include "flow/collocated/collocated_state.hpp"

namespace solenoid {

template <class Real>
CollocatedState<Real>::CollocatedState(const Domain& domain, Momentum<Real>& momentum) {
    for (auto* field : {&u, &star}) *field = momentum.velocity();
    for (auto* field : {&u_before, &u_earlier}) *field = momentum.with_boundary_values();
    for (auto* field : {&q, &q_before}) *field = domain.vector_field<Real>(Kind::cell);
    for (auto* field : {&flux, &gradient}) *field = domain.field<Real>(Kind::face);
}

template <class Real>
void CollocatedState<Real>::advance_clock(double dt, double w) {
    time += dt;
    step_before = w > 0 ? last_step : 0;
    last_step = dt;
    ++steps;
}

template <class Real>
void CollocatedState<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    motion.add("velocity", static_cast<Field<Real>&>(u));
    motion.add("velocity_before", u_before);
    motion.off_stack().add("velocity_at_walls", static_cast<Field<Real>&>(star));
    motion.add("flux", flux);
    motion.add("time", time);
    motion.add("last_step", last_step, not_negative);
    motion.add("step_before", step_before, not_negative);
    motion.add("steps", steps, not_negative);
    found.add("cell_gradient", q);
    found.add("cell_gradient_before", q_before);
    found.add("face_gradient", gradient);
}

template struct CollocatedState<float>;
template struct CollocatedState<double>;

}  // namespace solenoid

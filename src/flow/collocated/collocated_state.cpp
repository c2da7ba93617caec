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
void CollocatedState<Real>::keep_in(Snapshot<Real>& motion, Snapshot<Real>& found) {
    motion.add(static_cast<Field<Real>&>(u));
    for (auto* field : {&u_before, &flux}) motion.add(*field);
    for (double* value : {&time, &last_step, &step_before}) motion.add_value(*value);
    motion.add_value(steps);
    for (auto* field : {&q, &q_before, &gradient}) found.add(*field);
}

template struct CollocatedState<float>;
template struct CollocatedState<double>;

}  // namespace solenoid

#include "flow/collocated/body_force.hpp"

#include <algorithm>

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
BodyForce<Real>::BodyForce(const Domain& domain, const FlowCase& flow, Forcing<Real>& forcing,
                           const Scalars& scalars, Momentum<Real>& momentum,
                           FluxCoupling<Real>& coupling, Projection<Real>& projection, int shares)
    : domain_(domain),
      forcing_(forcing),
      scalars_(scalars),
      momentum_(momentum),
      coupling_(coupling),
      projection_(projection),
      shares_(shares) {
    for (const ScalarSettings& s : flow.scalars)
        acceleration_.push_back(-1.0 / shares * s.expansion * flow.fluid.gravity);
}

template <class Real>
void BodyForce<Real>::start(double time) {
    const bool is_buoyant =
        std::ranges::any_of(acceleration_, [](const Vec3& a) { return a != Vec3(0); });
    if (!forcing_.has_force() && !is_buoyant) return;
    changes_ = is_buoyant || forcing_.changes();
    for (auto* field : {&force_, &next_}) *field = momentum_.with_boundary_values();
    at_nodes_ = domain_.vector_field<Real>(Kind::node);
    domain_.own(Kind::cell)[force_] = at(time);
    update_projection();
}

template <class Real>
void BodyForce<Real>::begin(const typename Forcing<Real>::Step& step) {
    assemble(forcing_.force_over(step), next_);
}

template <class Real>
void BodyForce<Real>::assemble(const Field<Real>& given, Field<Real>& to) {
    domain_.own(Kind::cell)[to] = 0;
    add_buoyancy(to);
    if (forcing_.has_force()) domain_.own(Kind::cell)[to] += given;
}

template <class Real>
Field<Real> BodyForce<Real>::at(double time) {
    auto force = domain_.vector_field<Real>(Kind::cell);
    assemble(forcing_.force(time), force);
    for (int share = 1; share < shares_; ++share) add_buoyancy(force);
    return force;
}

template <class Real>
void BodyForce<Real>::change(Field<Real>& q, Field<Real>& gradient) {
    std::swap(force_, next_);
    update_projection();
    const Over cells = domain_.own(Kind::cell);
    cells[next_] -= force_;
    cells[q] += next_;
    coupling_.add_flux(next_, gradient);
}

template <class Real>
void BodyForce<Real>::update_projection() {
    recover_at_nodes(momentum_.stencil(), force_, at_nodes_);
    momentum_.boundary().impose_at_faces(force_, at_nodes_);
    projection_.update_force(force_, at_nodes_);
}

template <class Real>
void BodyForce<Real>::add_buoyancy(Field<Real>& to) {
    for (std::size_t i = 0; i < scalars_.size(); ++i)
        for (int k = 0; k < domain_.dimension; ++k)
            if (const double a = acceleration_[i][k]; a != 0)
                domain_.own(Kind::cell)[column(to.write(), k)] +=
                    (scalars_[i]->values() - scalars_[i]->settings().reference) * a;
}

template class BodyForce<float>;
template class BodyForce<double>;

}  // namespace solenoid

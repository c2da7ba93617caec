#include "flow/collocated/body_force.hpp"

#include <algorithm>

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
BodyForce<Real>::BodyForce(const Domain& domain, const FlowCase& flow, Drive<Real>& drive, const Scalars& scalars, Momentum<Real>& momentum, FluxCoupling<Real>& coupling,
                           Projection<Real>& projection, int shares)
    : domain_(domain), drive_(drive), scalars_(scalars), momentum_(momentum), coupling_(coupling), projection_(projection), shares_(shares) {
    for (const ScalarSettings& s : flow.scalars) acceleration_.push_back(-1.0 / shares * s.expansion * flow.fluid.gravity);
}

template <class Real>
void BodyForce<Real>::start(double time) {
    const bool is_buoyant = std::ranges::any_of(acceleration_, [](const Vec3& a) { return a != Vec3(0); });
    if (!drive_.has_force() && !is_buoyant) return;
    changes_ = is_buoyant || drive_.changes();
    for (auto* field : {&force_, &next_}) *field = momentum_.lengthened();
    at_nodes_ = domain_.vector_field<Real>(Kind::node);
    domain_.own(Kind::cell)[force_] = at(time);
    see();
}

template <class Real>
void BodyForce<Real>::begin(const typename Drive<Real>::Step& step) {
    put(drive_.force_over(step), next_);
}

template <class Real>
void BodyForce<Real>::put(const Field<Real>& given, Field<Real>& to) {
    domain_.own(Kind::cell)[to] = 0;
    add_buoyancy(to);
    if (drive_.has_force()) domain_.own(Kind::cell)[to] += given;
}

template <class Real>
Field<Real> BodyForce<Real>::at(double time) {
    auto force = domain_.vector_field<Real>(Kind::cell);
    put(drive_.force(time), force);
    for (int share = 1; share < shares_; ++share) add_buoyancy(force);
    return force;
}

template <class Real>
void BodyForce<Real>::change(Field<Real>& q, Field<Real>& gradient) {
    std::swap(force_, next_);
    see();
    const Over cells = domain_.own(Kind::cell);
    cells[next_] -= force_;
    cells[q] += next_;
    coupling_.add_flux(next_, gradient);
}

template <class Real>
void BodyForce<Real>::see() {
    recover_at_nodes(momentum_.stencil(), force_, at_nodes_);
    momentum_.boundary().put_at_faces(force_, at_nodes_);
    projection_.see_force(force_, at_nodes_);
}

template <class Real>
void BodyForce<Real>::add_buoyancy(Field<Real>& to) {
    for (std::size_t i = 0; i < scalars_.size(); ++i)
        for (int k = 0; k < domain_.dimension; ++k)
            if (const double a = acceleration_[i][k]; a != 0)
                domain_.own(Kind::cell)[column(to.write(), k)] += (scalars_[i]->values() - scalars_[i]->settings().reference) * a;
}

template class BodyForce<float>;
template class BodyForce<double>;

}  // namespace solenoid

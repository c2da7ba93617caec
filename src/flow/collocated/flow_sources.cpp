#include "flow/collocated/flow_sources.hpp"

#include <algorithm>

#include "device/expression.hpp"
#include "flow/settings/cg_settings.hpp"

namespace solenoid {

template <class Real>
FlowSources<Real>::FlowSources(const Domain& domain, const FlowCase& flow,
                               const FlowBoundaries& boundaries, Forcing<Real>& forcing,
                               Momentum<Real>& momentum, FluxCoupling<Real>& coupling,
                               FluxProjection<Real>& projection, Buoyancy buoyancy)
    : domain_(domain),
      forcing_(forcing),
      momentum_(momentum),
      coupling_(coupling),
      projection_(projection),
      buoyancy_(buoyancy) {
    const int shares = buoyancy == Buoyancy::of_both_ends ? 2 : 1;
    for (const ScalarSettings& s : flow.scalars) {
        scalars_.push_back(std::make_unique<ScalarTransport<Real>>(
            domain, boundaries, momentum.stencil(), s, cg_settings<Real>(flow.solvers.scalar)));
        acceleration_.push_back(-1.0 / shares * s.expansion * flow.fluid.gravity);
    }
}

template <class Real>
void FlowSources<Real>::start(double time) {
    const bool is_buoyant =
        std::ranges::any_of(acceleration_, [](const Vec3& a) { return a != Vec3(0); });
    if (!forcing_.has_force() && !is_buoyant) return;
    changes_ = is_buoyant || forcing_.changes();
    for (auto* field : {&force_, &next_}) *field = momentum_.with_boundary_values();
    at_nodes_ = domain_.vector_field<Real>(Kind::node);
    domain_.own(Kind::cell)[force_] = force_at(time);
    update_projection();
}

template <class Real>
void FlowSources<Real>::advance(CollocatedState<Real>& s, double dt, double w,
                                const typename Forcing<Real>::Step& span) {
    const bool sees_start = changes_ && buoyancy_ == Buoyancy::of_both_ends;
    if (sees_start) assemble(forcing_.force_over(span), next_);
    for (const auto& scalar : scalars_) scalar->advance(s.flux, s.time, dt, w);
    if (!changes_) return;
    if (sees_start)
        add_buoyancy(next_);
    else
        assemble(forcing_.force_over(span), next_);
    change_force(s.q, s.gradient);
}

// to = f_given + buoyancy of the present scalars
template <class Real>
void FlowSources<Real>::assemble(const Field<Real>& given, Field<Real>& to) {
    domain_.own(Kind::cell)[to] = 0;
    add_buoyancy(to);
    if (forcing_.has_force()) domain_.own(Kind::cell)[to] += given;
}

template <class Real>
Field<Real> FlowSources<Real>::force_at(double time) {
    auto force = domain_.vector_field<Real>(Kind::cell);
    assemble(forcing_.force(time), force);
    if (buoyancy_ == Buoyancy::of_both_ends) add_buoyancy(force);
    return force;
}

// Replaces the force f by the next one, f': q += f - f', gradient += flux of f - f'.
template <class Real>
void FlowSources<Real>::change_force(Field<Real>& q, Field<Real>& gradient) {
    std::swap(force_, next_);
    update_projection();
    const Over cells = domain_.own(Kind::cell);
    cells[next_] -= force_;
    cells[q] += next_;
    coupling_.add_flux(next_, gradient);
}

template <class Real>
void FlowSources<Real>::update_projection() {
    recover_at_nodes(momentum_.stencil(), force_, at_nodes_);
    momentum_.boundary().impose_at_faces(force_, at_nodes_);
    projection_.update_force(force_, at_nodes_);
}

template <class Real>
void FlowSources<Real>::add_buoyancy(Field<Real>& to) {
    for (std::size_t i = 0; i < scalars_.size(); ++i)
        for (int k = 0; k < domain_.dimension; ++k)
            if (const double a = acceleration_[i][k]; a != 0)
                domain_.own(Kind::cell)[column(to.write(), k)] +=
                    (scalars_[i]->values() - scalars_[i]->settings().reference) * a;
}

template <class Real>
void FlowSources<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    for (const auto& scalar : scalars_) {
        const std::string name = scalar->settings().name, part = "scalar_" + name;
        scalar->register_state(motion.owned_by("scalar", name).part(part),
                               found.owned_by("scalar", name).part(part));
    }
    forcing_.register_state(found.part("forcing"));
    if (!changes_) return;
    found.add("force", force_);
    found.remade([this] { update_projection(); });
}

template <class Real>
FlowSources<Real>::~FlowSources() = default;

template class FlowSources<float>;
template class FlowSources<double>;

}  // namespace solenoid

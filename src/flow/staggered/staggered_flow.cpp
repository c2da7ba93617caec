#include "flow/staggered/staggered_flow.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "case/named.hpp"
#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/conditions/flow_conditions.hpp"
#include "flow/settings/cg_settings.hpp"

namespace solenoid {
namespace {

// The natural condition of an open boundary is that of the total head here, not of the pressure.
// Throws InputError where a boundary is open, or a symmetry plane that momentum does not support.
void check_boundaries(const Communicator& comm, const FlowBoundaries& boundaries,
                      const std::string& momentum, bool supports_symmetry) {
    const auto is_known = [&](FlowCondition::Given given) {
        return given == FlowCondition::Given::all ||
               (given == FlowCondition::Given::normal && supports_symmetry);
    };
    comm.agree([&] {
        for (const FlowBoundary& b : boundaries.settings()) {
            if (is_known(b.condition->given())) continue;
            std::vector<std::string> known;
            for (const FlowConditionKind& kind : flow_condition_kinds())
                if (is_known(kind.given)) known.push_back(kind.name);
            throw InputError(
                b.place, fmt::format("[boundary.{}] is of a type that flow.momentum = \"{}\" does "
                                     "not know (it knows {}): take flow.momentum = \"collocated\"",
                                     b.name, momentum, enumerated(known)));
        }
    });
}

// The vorticity of symmetry planes is 0; along curved walls without shear it is not.
void check_curved_slip(const Communicator& comm, const FlowBoundaries& boundaries,
                       const std::string& momentum) {
    if (!boundaries.has_curved_slip()) return;
    comm.agree([&] {
        for (std::size_t k = 0; k < boundaries.faces().faces.size(); ++k) {
            if (!boundaries.curved(k)) continue;
            const FlowBoundary& b = *boundaries.boundary(boundaries.faces().faces[k]);
            throw InputError(
                b.place, fmt::format("[boundary.{}]: a viscous fluid slips along a curved wall, "
                                     "whose shear flow.momentum = \"{}\" does not know (it knows "
                                     "planes): take flow.momentum = \"collocated\"",
                                     b.name, momentum));
        }
    });
}

}  // namespace

template <class Real>
StaggeredFlow<Real>::StaggeredFlow(const Domain& domain, const FlowCase& flow,
                                   MakeMomentum make_momentum)
    : domain_(domain),
      d_(domain.dimension),
      boundaries_(domain, flow.boundaries),
      viscosity_(flow.fluid.viscosity(Vec3(0))),
      stencil_(domain, boundaries_.faces()),
      measures_(domain, stencil_),
      boundary_(domain, boundaries_),
      kinks_(stencil_),
      recovery_(stencil_, kinks_, boundary_),
      projection_(domain, boundaries_.prescribed(),
                  cg_settings<Real>(flow.solvers.stream_function)),
      forcing_(domain, flow),
      momentum_(make_momentum({domain, boundaries_, stencil_, flow})),
      midpoint_({domain, stencil_.volume, boundary_, projection_, forcing_, *momentum_},
                cg_settings<Real>(flow.solvers.momentum).stop.tolerance,
                flow.solvers.momentum.max_iterations),
      step_limit_(std::numeric_limits<double>::infinity()) {
    // boundary faces need no value of their own here
    state_.u = {domain, d_, 0, recovery_};
    state_.u_before = domain.vector_field<Real>(Kind::cell);
    state_.flux = domain.field<Real>(Kind::face);
    guess_ = domain.device.buffer<Real>(domain.cells.all, d_);
    if (!diffusion_kind(flow.flow.diffusion).is_implicit && viscosity_ > 0)
        step_limit_ = 1 / (viscosity_ * momentum_->diffusion_rate());
    check_boundaries(domain.comm, boundaries_, flow.flow.momentum, momentum_->supports_symmetry());
    if (viscosity_ > 0) check_curved_slip(domain.comm, boundaries_, flow.flow.momentum);
    start_from(flow.initial_velocity);
    register_state();
}

template <class Real>
void StaggeredFlow<Real>::register_state() {
    const State<Real> state = State<Real>(domain_, this->state()).part("flow");
    state.add("velocity", static_cast<Field<Real>&>(state_.u));
    state.add("velocity_before", state_.u_before);
    state.add("flux", state_.flux);
    state.add("time", state_.time);
    state.add("last_step", last_step_, not_negative);
    state.add("change", speeds_.change, not_negative);
    state.add("speed", speeds_.largest, not_negative);
    state.stack(restarts_);  // a flow that is saved has made the step after a jump
    boundary_.register_state(state.part("boundary"));
    projection_.register_state(state.part("projection"));
    momentum_->register_state(state.part("momentum"));
    midpoint_.register_state(state.part("projection"));
}

template <class Real>
void StaggeredFlow<Real>::start_from(const VectorFormula& initial) {
    std::vector<Real> values(std::size_t(domain_.cells.all) * d_, Real(0));
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c)
            for (int k = 0; k < d_; ++k)
                values[std::size_t(k) * domain_.cells.all + c] =
                    static_cast<Real>(initial[k].quantity(domain_.geometry.cell_centroid[c], 0));
    });
    midpoint_.start(values, state_);
    speeds_ = measures_.checked_speeds(state_.u, state_.u_before, 0);
}

// ---- a step

template <class Real>
void StaggeredFlow<Real>::step(double dt) {
    check_step(dt);
    // r = dt / dt_before; at the start and after a jump of the data there is no state before
    const double r = last_step_ > 0 && !std::exchange(restarts_, false) ? dt / last_step_ : 0;
    // the first guess of the iteration:   u' = (1 + r) u - r u_before
    domain_.own(Kind::cell)[guess_] = (1 + r) * state_.u - r * state_.u_before;
    midpoint_.step(state_, guess_, dt, r);
    last_step_ = dt;
    speeds_ = measures_.checked_speeds(state_.u, state_.u_before, state_.time);
}

template <class Real>
void StaggeredFlow<Real>::check_step(double dt) const {
    domain_.comm.agree([&] {
        if (dt > step_limit_)
            throw ComputationError(
                fmt::format("the step of {:.4g} s at t = {:.6g} s is above the limit of explicit "
                            "diffusion, {:.4g} s: take a smaller "
                            "time.step, or flow.diffusion = {}",
                            dt, state_.time, step_limit_, listed(implicit_diffusions())));
    });
}

// ---- what a run asks for

template <class Real>
GradientIntegrals StaggeredFlow<Real>::gradient_integrals() {
    if (!cell_viscosity_.size()) {
        cell_viscosity_ = domain_.device.template buffer<Real>(domain_.cells.all);
        domain_.held(Kind::cell)[cell_viscosity_] = viscosity_;
    }
    return measures_.gradient_integrals(state_.u.at_nodes(), cell_viscosity_);
}

template <class Real>
std::vector<double> StaggeredFlow<Real>::node_velocity() {
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    recovery_.to_nodes_for_output(state_.u, at_nodes);
    return measures_.downloaded(at_nodes);
}

template <class Real>
std::vector<std::pair<std::string, SolveTotals>> StaggeredFlow<Real>::solves() const {
    return {{projection_.name(), midpoint_.projections()}, {"momentum", momentum_->solves()}};
}

template class StaggeredFlow<float>;
template class StaggeredFlow<double>;

}  // namespace solenoid

#include "flow/staggered/staggered_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/diagnostics/vorticity.hpp"
#include "flow/settings/cg_settings.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {
namespace {

constexpr int many_iterations = 200;

// The natural condition of an open boundary is that of the total head here, not of the pressure.
void check_boundaries(const Communicator& comm, const FlowBoundaries& boundaries,
                      const std::string& momentum, bool supports_symmetry) {
    comm.agree([&] {
        for (const FlowBoundary& b : boundaries.settings()) {
            if (b.condition->holds() || (b.condition->slips() && supports_symmetry)) continue;
            throw InputError(
                b.place, fmt::format("[boundary.{}] is of a type that flow.momentum = \"{}\" does "
                                     "not know (it knows \"wall\", \"inflow\"{}): "
                                     "take flow.momentum = \"collocated\"",
                                     b.name, momentum, supports_symmetry ? ", \"symmetry\"" : ""));
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
      tolerance_(cg_settings<Real>(flow.solvers.momentum).stop.tolerance),
      most_iterations_(std::min(many_iterations, flow.solvers.momentum.max_iterations)),
      stencil_(domain, boundaries_.faces()),
      operators_(domain.operators<Real>()),
      measures_(domain, stencil_),
      boundary_(domain, boundaries_),
      kinks_(stencil_),
      recovery_(stencil_, kinks_, boundary_),
      projection_(domain, boundaries_.prescribed(),
                  cg_settings<Real>(flow.solvers.stream_function)),
      forcing_(domain, flow),
      momentum_(make_momentum({domain, boundaries_, stencil_, flow})),
      of_step_(domain.device, domain_.cells.owned_range(), domain_.cells.all, d_),
      gcr_(domain.comm, of_step_, stencil_.volume),
      step_limit_(std::numeric_limits<double>::infinity()) {
    u_ = {domain, d_, 0, recovery_};  // boundary faces need no value of their own here
    for (auto* field : {&u_before_, &end_, &image_, &star_})
        *field = domain.vector_field<Real>(Kind::cell);
    u_end_ = of_step_.vector();
    residual_ = of_step_.vector();
    flux_ = domain.field<Real>(Kind::face);
    if (!StaggeredParts<Real>{domain, boundaries_, stencil_, flow}.is_implicit() && viscosity_ > 0)
        step_limit_ = 1 / (viscosity_ * momentum_->diffusion_rate());
    check_boundaries(domain.comm, boundaries_, flow.flow.momentum, momentum_->supports_symmetry());
    start_from(flow.initial_velocity);
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
    star_.upload(values);
    update_boundary(0);
    project(0);
    u_.copy(image_);
    u_before_.copy(u_);
    momentum_->accept(u_, flux_, 0);
    speeds_ = measures_.checked_speeds(u_, u_before_, 0);
}

template <class Real>
void StaggeredFlow<Real>::update_boundary(double when) {
    if (forcing_.imposes()) projection_.impose(forcing_.imposed(when));
    if (boundary_.update(when)) projection_.prescribe(boundary_.flux());
}

// ---- a step

template <class Real>
void StaggeredFlow<Real>::step(double dt) {
    domain_.comm.agree([&] {
        if (dt > step_limit_)
            throw ComputationError(
                fmt::format("the step of {:.4g} s at t = {:.6g} s is above the limit of explicit "
                            "diffusion, {:.4g} s: take a smaller "
                            "time.step, or flow.diffusion = \"implicit\"",
                            dt, time_, step_limit_));
    });
    const double ratio = last_step_ > 0 && !std::exchange(restarts_, false) ? dt / last_step_ : 0;
    momentum_->begin_step(u_, u_before_, ratio, time_, dt);
    domain_.own(Kind::cell)[u_end_] = (1 + ratio) * u_ - ratio * u_before_;  // the first guess
    update_boundary(time_ + dt);
    iterate(dt, time_ + dt);
    u_before_.copy(u_);
    u_.copy(image_);
    time_ += dt;
    last_step_ = dt;
    momentum_->accept(u_, flux_, time_);
    speeds_ = measures_.checked_speeds(u_, u_before_, time_);
}

// image = P(u - dt N((u + end) / 2)): affine in `end`, whose fixed point is sought.
template <class Real>
void StaggeredFlow<Real>::map(double dt, const Buffer<Real>& end, double when) {
    domain_.own(Kind::cell)[end_] = end;
    momentum_->apply(dt, u_, end_, star_);
    if (forcing_.has_force())
        domain_.own(Kind::cell)[star_] +=
            dt * forcing_.force_over({when - dt, when, when - 0.5 * dt, 0, dt});
    project(when);
}

template <class Real>
void StaggeredFlow<Real>::iterate(double dt, double when) {
    size_ = 0;
    map(dt, u_end_, when);
    size_ = 0.1 * projection_.last_size();
    const Over cells = domain_.own(Kind::cell);
    cells[residual_] = image_ - u_;
    const double target = std::max(tolerance_ * gcr_.norm(residual_),
                                   50 * std::numeric_limits<Real>::epsilon() * gcr_.norm(image_));
    of_step_.set(u_end_, residual_, [&](Buffer<Real>& u) -> const Buffer<Real>& {
        map(dt, u, when);
        return image_;
    });
    cells[residual_] = image_ - u_end_;
    double left = gcr_.norm(residual_);
    for (int k = 0; left > target && k < most_iterations_;) {
        gcr_.iterate(u_end_, residual_, left, target, most_iterations_, k);
        map(dt, u_end_, when);  // the true residual, and a flux that is a curl
        cells[residual_] = image_ - u_end_;
        left = gcr_.norm(residual_);
        if (left < 2 * target) return;
        if (!std::isfinite(left)) check_finite(domain_, image_, "the velocity", when);
    }
    domain_.comm.agree([&] {
        if (!(left <= target) || !std::isfinite(left))
            throw ComputationError(fmt::format(
                "momentum at t = {:.6g} s: the step is not solved in {} iterations ({:.1e} left, "
                "{:.1e} wanted): take a smaller "
                "time.step or solver.stream_function.tolerance, or raise solver.momentum.{}",
                when, most_iterations_, left, target,
                most_iterations_ < many_iterations ? "max_iterations" : "tolerance"));
    });
}

// star -> flux, image: its part free of divergence.
template <class Real>
void StaggeredFlow<Real>::project(double when) {
    const SolveReport report = projection_.project_velocity(star_, flux_, size_);
    projections_.add(report);
    if (report.outcome == SolveOutcome::broken_down)
        check_finite(domain_, star_, "the velocity", when);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("stream function at t = {:.6g} s: {}{}", when,
                                               report.explanation("stream_function"),
                                               or_shorter_step(when)));
    });
    operators_.interpolation(flux_, image_);
}

// ---- what a run asks for

template <class Real>
GradientIntegrals StaggeredFlow<Real>::gradient_integrals() {
    if (!cell_viscosity_.size()) {
        cell_viscosity_ = domain_.device.template buffer<Real>(domain_.cells.all);
        domain_.held(Kind::cell)[cell_viscosity_] = viscosity_;
    }
    return measures_.gradient_integrals(u_.at_nodes(), cell_viscosity_);
}

template <class Real>
std::vector<double> StaggeredFlow<Real>::node_velocity() {
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    recovery_.to_nodes_for_output(u_, at_nodes);
    return measures_.downloaded(at_nodes);
}

template <class Real>
std::vector<double> StaggeredFlow<Real>::node_vorticity() {
    return vorticity_at_nodes(domain_.mesh.mesh, domain_.geometry, node_velocity());
}

template <class Real>
std::vector<double> StaggeredFlow<Real>::node_q_criterion() {
    return q_criterion_at_nodes(domain_.mesh.mesh, domain_.geometry, node_velocity());
}

template <class Real>
std::vector<std::pair<std::string, SolveTotals>> StaggeredFlow<Real>::solves() const {
    return {{projection_.name(), projections_}, {"momentum", momentum_->solves()}};
}

template class StaggeredFlow<float>;
template class StaggeredFlow<double>;

}  // namespace solenoid

#include "flow/staggered/implicit_midpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {
namespace {

constexpr int many_iterations = 200;

}  // namespace

template <class Real>
ImplicitMidpoint<Real>::ImplicitMidpoint(const Parts& parts, double tolerance, int max_iterations)
    : parts_(parts),
      tolerance_(tolerance),
      max_iterations_(std::min(many_iterations, max_iterations)),
      of_step_(parts.domain.device, parts.domain.cells.owned_range(), parts.domain.cells.all,
               parts.domain.dimension),
      gcr_(parts.domain.comm, of_step_, parts.volume),
      residual_(of_step_.vector()) {
    for (auto* field : {&v_, &star_, &image_})
        *field = parts.domain.template vector_field<Real>(Kind::cell);
}

template <class Real>
void ImplicitMidpoint<Real>::start(const std::vector<Real>& velocity, StaggeredState<Real>& state) {
    star_.upload(velocity);
    update_boundary(0);
    project(state.flux, 0);
    state.u.copy(image_);
    state.u_before.copy(state.u);
    parts_.momentum.accept(state.u, state.flux, 0);
}

template <class Real>
void ImplicitMidpoint<Real>::step(StaggeredState<Real>& state, Buffer<Real>& guess, double dt,
                                  double ratio) {
    const double end = state.time + dt;
    // w* = (1 + r/2) w - r/2 w_before,   r = dt / dt_before
    parts_.momentum.begin_step(state.u, state.u_before, ratio, state.time, dt);
    // velocity of the boundary and imposed fluxes at the end of the step
    update_boundary(end);
    // u' = G(u'),   G(v) = P (u - dt N(w*, (u + v) / 2) + dt f)
    solve_fixed_point(state, guess, dt);
    // u_before = u,   u = u',   w = w(u')
    state.u_before.copy(state.u);
    state.u.copy(image_);
    state.time = end;
    parts_.momentum.accept(state.u, state.flux, end);
}

template <class Real>
void ImplicitMidpoint<Real>::update_boundary(double when) {
    if (parts_.forcing.imposes()) parts_.projection.impose(parts_.forcing.imposed(when));
    if (parts_.boundary.update(when)) parts_.projection.prescribe(parts_.boundary.flux());
}

// image = G(v), with its flux in the state.
template <class Real>
void ImplicitMidpoint<Real>::map(StaggeredState<Real>& state, const Buffer<Real>& v, double dt) {
    const Over own = parts_.domain.own(Kind::cell);
    const double when = state.time + dt;
    own[v_] = v;
    // star = u - dt N(w*, (u + v) / 2)
    parts_.momentum.apply(dt, state.u, v_, star_);
    // star += dt f
    if (parts_.forcing.has_force())
        own[star_] += dt * parts_.forcing.force_over({when - dt, when, when - 0.5 * dt, 0, dt});
    // G(v) = P star
    project(state.flux, when);
}

// The fixed point of the affine map G by generalized conjugate residuals, to
// |G(v) - v| <= max(tolerance |G(guess) - u|, 50 epsilon |G(guess)|). Leaves u' = G(v) in image_.
template <class Real>
void ImplicitMidpoint<Real>::solve_fixed_point(StaggeredState<Real>& state, Buffer<Real>& guess,
                                               double dt) {
    const double when = state.time + dt;
    size_ = 0;
    map(state, guess, dt);
    size_ = 0.1 * parts_.projection.last_size();
    const Over own = parts_.domain.own(Kind::cell);
    own[residual_] = image_ - state.u;
    const double target = std::max(tolerance_ * gcr_.norm(residual_),
                                   50 * std::numeric_limits<Real>::epsilon() * gcr_.norm(image_));
    of_step_.set(guess, residual_, [&](Buffer<Real>& v) -> const Buffer<Real>& {
        map(state, v, dt);
        return image_;
    });
    own[residual_] = image_ - guess;
    double left = gcr_.norm(residual_);
    for (int k = 0; left > target && k < max_iterations_;) {
        gcr_.iterate(guess, residual_, left, target, max_iterations_, k);
        map(state, guess, dt);  // the true residual, and a flux that is a curl
        own[residual_] = image_ - guess;
        left = gcr_.norm(residual_);
        if (left < 2 * target) return;
        if (!std::isfinite(left)) check_finite(parts_.domain, image_, "the velocity", when);
    }
    parts_.domain.comm.agree([&] {
        if (!(left <= target) || !std::isfinite(left))
            throw ComputationError(fmt::format(
                "momentum at t = {:.6g} s: the step is not solved in {} iterations ({:.1e} left, "
                "{:.1e} wanted): take a smaller "
                "time.step or solver.stream_function.tolerance, or raise solver.momentum.{}",
                when, max_iterations_, left, target,
                max_iterations_ < many_iterations ? "max_iterations" : "tolerance"));
    });
}

// U = P star, and image, the interpolation of U in cells. `when` is for messages [s].
template <class Real>
void ImplicitMidpoint<Real>::project(Field<Real>& flux, double when) {
    const Domain& domain = parts_.domain;
    const SolveReport report = parts_.projection.project_velocity(star_, flux, size_);
    projections_.add(report);
    if (report.outcome == SolveOutcome::broken_down)
        check_finite(domain, star_, "the velocity", when);
    domain.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("stream function at t = {:.6g} s: {}{}", when,
                                               report.explanation("stream_function"),
                                               or_shorter_step(when)));
    });
    domain.template operators<Real>().interpolation(flux, image_);
}

template class ImplicitMidpoint<float>;
template class ImplicitMidpoint<double>;

}  // namespace solenoid

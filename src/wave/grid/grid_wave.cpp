#include "wave/grid/grid_wave.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "core/timer.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "solvers/krylov/cg.hpp"

namespace solenoid {
namespace {

template <class Real>
Buffer<Real> copied(const Grid<Real>& grid, const Buffer<Real>& from) {
    Buffer<Real> to = grid.field(from.columns());
    grid.device().copy(from, to);
    return to;
}

// A on unknowns, without couplings with others, and `shift` added to its diagonal.
template <class Real>
Stencil<Real> shifted(Stencil<Real>& a, const Buffer<Real>& unknowns, const Buffer<Real>& shift) {
    const Grid<Real>& grid = a.grid();
    const Over nodes(grid.device(), grid.layout().nodes());
    Buffer<Real> marker = copied(grid, unknowns), straight = copied(grid, a.straight()),
                 pairs = grid.field(), diagonal;
    if (a.kind() == StencilKind::nine) diagonal = copied(grid, a.diagonal());
    grid.exchange(marker);
    const auto mask = [&](Buffer<Real>& couplings, int c, const auto& distance) {
        for (int quarter = 0; quarter < 4; ++quarter)
            kernels::GridPair<Real>{.marker = marker,
                                    .value = pairs,
                                    .distance = distance(grid.layout().shifts(quarter)),
                                    .number = 1}
                .run(grid.device(), grid.layout().nodes(quarter));
        nodes[column(couplings, c)] = column(couplings, c) * pairs;
    };
    using Shifts = GridLayout::Shifts;
    mask(straight, 1, [](const Shifts& to) { return to.east; });
    mask(straight, 2, [](const Shifts& to) { return to.north; });
    if (diagonal) {
        mask(diagonal, 0, [](const Shifts& to) { return to.north + to.east; });
        mask(diagonal, 1, [](const Shifts& to) { return to.north + to.west; });
    }
    nodes[column(straight, 0)] = unknowns * (column(straight, 0) + shift);
    return Stencil<Real>(grid, copied(grid, unknowns), std::move(straight), std::move(diagonal));
}

}  // namespace

// 4/dt^2 M + 2/dt B + A on unknowns, and what solves with it.
template <class Real>
struct GridWave<Real>::Implicit {
    double step;
    Stencil<Real> matrix;
    GridMultigrid<Real> multigrid;
    GridPreconditioner<Real> preconditioner;
    ConjugateGradients<Real> cg;
    Buffer<Real> right_hand_side;

    Implicit(GridWave& wave, double dt, const Buffer<Real>& shift)
        : step(dt),
          matrix(shifted(wave.stiffness_, wave.free_, shift)),
          multigrid(matrix, &wave.kept_),
          preconditioner(multigrid, wave.settings_.cycle),
          cg(wave.grid_.comm(), matrix),
          right_hand_side(wave.grid_.field()) {}
};

template <class Real>
GridWave<Real>::GridWave(const Grid<Real>& grid, const GridWaveProblem& problem,
                         const GridWaveSettings& settings)
    : grid_(grid),
      settings_(settings),
      data_(grid, problem),
      stiffness_(stiffness()),
      limit_(std::numeric_limits<double>::infinity()) {
    const auto field = [&](const std::vector<double>& values) {
        Buffer<Real> result = grid.field();
        grid.from_host(values, result);
        return result;
    };
    grid.comm().agree([&] {
        std::vector<double> free = grid.to_host(stiffness_.marker()), kept(free.size()),
                            inverse(free.size());
        for (std::size_t k = 0; k < free.size(); ++k) {
            if (k % 4096 == 0) break_off_if_overdue();
            kept[k] = data_.is_given_or_land(k) ? 0 : 1;
            free[k] *= kept[k];
            inverse[k] = free[k] > 0 ? 1 / data_.areas()[k] : 0;
        }
        free_ = field(free);
        kept_ = field(kept);
        mass_ = field(data_.areas());
        inverse_mass_ = field(inverse);
        damping_ = field(data_.damping());
    });
    for (Buffer<Real>* const buffer :
         {&load_before_, &load_, &load_next_, &residual_, &work_, &state_.displacement,
          &state_.change, &state_.second_difference, &state_.left_over})
        *buffer = grid.field();
    if (settings.scheme == GridWaveScheme::leapfrog) find_limit();
    start(nullptr);
}

template <class Real>
GridWave<Real>::~GridWave() = default;

template <class Real>
Stencil<Real> GridWave<Real>::stiffness() {
    std::optional<Stencil<Real>> result;
    const auto assembled = [&](const auto& problem) {
        result.emplace(std::move(assemble(grid_, problem).matrix));
    };
    if (data_.has_cells())
        assembled(data_.cell_problem());
    else
        assembled(data_.node_problem());
    data_.check_speeds();
    return std::move(*result);
}

// 2 / sqrt(l), l the greatest sum of the magnitudes of a row of M^-1 A.
template <class Real>
void GridWave<Real>::find_limit() {
    const double most = grid_.greatest(inverse_mass_, stiffness_.row_sums());
    const double rounding = 16 * std::numeric_limits<Real>::epsilon();
    if (most > 0) limit_ = 2 / std::sqrt(most * (1 + rounding));
}

template <class Real>
void GridWave<Real>::set_field(const PlaneFunction& f, const char* what, Buffer<Real>& field) {
    std::vector<double> values(data_.areas().size());
    grid_.comm().agree([&] {
        const GridBlock& b = grid_.layout().block();
        std::size_t k = 0;
        for (int j = b.y; f && j < b.y + b.height; ++j) {
            break_off_if_overdue();
            for (int i = b.x; i < b.x + b.width; ++i, ++k) {
                if (data_.areas()[k] == 0) continue;
                const auto [x, y] = data_.place(i, j);
                values[k] = f(x, y);
                if (!std::isfinite(values[k]))
                    throw InputError(fmt::format(
                        "waves on a grid: the {} at ({:g}, {:g}) is {:g}: it must be finite", what,
                        x, y, values[k]));
            }
        }
    });
    grid_.from_host(values, field);
    nodes()[field] = field * free_;
}

template <class Real>
void GridWave<Real>::start(const PlaneFunction& displacement, const PlaneFunction& velocity) {
    state_.time = state_.before = state_.step = 0;
    set_field(displacement, "initial displacement", state_.displacement);
    set_field(velocity, "initial velocity", state_.change);
    nodes()[state_.second_difference] = 0.0 * free_;
    data_.write_given(data_.given(0), state_.displacement);
    restart();
}

template <class Real>
void GridWave<Real>::restart() {
    for (Buffer<Real>* const load : {&load_, &load_next_, &load_before_})
        data_.update_load(load == &load_before_ ? state_.before : state_.time, *load, false);
}

template <class Real>
void GridWave<Real>::keep_velocity_alone() {
    if (state_.step == 0) return;
    state_.change = velocity();
    nodes()[state_.change] = state_.change * free_;
    state_.step = 0;
}

template <class Real>
void GridWave<Real>::begin_anew() {
    keep_velocity_alone();
    data_.write_given(data_.given(state_.time), state_.displacement);
    restart();
}

template <class Real>
void GridWave<Real>::push(const PlaneFunction& height) {
    begin_anew();
    set_field(height, "push", work_);
    nodes()[state_.displacement] += work_;
}

template <class Real>
void GridWave<Real>::check_step(double dt, const std::string& place) const {
    if (dt > 0 && dt <= limit_ && std::isfinite(dt)) return;
    const std::string message =
        dt > limit_ ? fmt::format(
                          "a time step of {:.6g} s is beyond the limit of \"leapfrog\" on this "
                          "grid, {:.6g} s: take time.step = {:.3g} or less, or leave it out, or "
                          "take wave.time_scheme = \"trapezoidal\"",
                          dt, limit_, 0.99 * limit_)
                    : fmt::format("a time step of {:g} s: it must be positive", dt);
    grid_.comm().agree(
        [&] { throw place.empty() ? InputError(message) : InputError(place, message); });
}

template <class Real>
void GridWave<Real>::step(double dt) {
    check_step(dt);
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * (state_.time + dt);
    const double next = state_.time + dt;
    if (std::abs(dt - state_.step) <= rounding) dt = state_.step;
    const bool is_first = dt != state_.step;
    if (is_first) keep_velocity_alone();
    data_.update_load(next, load_next_, true);
    if (settings_.scheme == GridWaveScheme::leapfrog)
        advance_explicitly(dt, is_first);
    else
        advance_by_solve(dt, is_first);
    nodes()[state_.displacement] += state_.change;
    if (data_.given_depends_on_time()) data_.write_given(data_.given(next), state_.displacement);
    std::swap(load_before_, load_);
    std::swap(load_, load_next_);
    state_.before = state_.time;
    state_.time = next;
    state_.step = dt;
}

// residual = load - A u
template <class Real>
void GridWave<Real>::update_residual(const Buffer<Real>& load, Buffer<Real>& u) {
    stiffness_.subtract_from(load, u, residual_);
}

// Where U is given: what it changes by in the step.
template <class Real>
void GridWave<Real>::set_changes(double dt) {
    if (!data_.given_depends_on_time()) return;
    std::vector<double> values = data_.given(state_.time + dt);
    const std::vector<double> now = data_.given(state_.time);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] -= now[k];
    data_.write_given(values, state_.change);
}

// U'' and U' the next level and the one before:
//   M (U'' - 2 U + U') / dt^2 + B (U'' - U') / (2 dt) = l - A U
template <class Real>
void GridWave<Real>::advance_explicitly(double dt, bool is_first) {
    Buffer<Real>& change = state_.change;
    update_residual(load_, state_.displacement);
    if (is_first)  // U'' - U = dt V + dt^2/2 dV/dt
        nodes()[change] = free_ * (dt * change + (0.5 * dt * dt) * inverse_mass_ *
                                                     (residual_ - damping_ * change));
    else if (data_.absorbs())
        nodes()[change] += free_ * quotient(dt * dt * residual_ - dt * damping_ * change,
                                            mass_ + (0.5 * dt) * damping_);
    else
        nodes()[change] += (dt * dt) * inverse_mass_ * residual_;
    set_changes(dt);
}

// With w = U'' - 2 U + U':
//   (4/dt^2 M + 2/dt B + A) w = l'' + 2 l + l' - A (4 U) - 4/dt B (U - U')
// and first, with w = U'' - U and V = dU/dt, by the trapezoidal rule:
//   (4/dt^2 M + 2/dt B + A) w = l'' + l + 4/dt M V - A (2 U)
// where w is known, it is on the right-hand side with A. What a solve leaves of its right-hand side
// is added to that of the next step, so that errors of U - U' do not add up.
template <class Real>
void GridWave<Real>::advance_by_solve(double dt, bool is_first) {
    Implicit& with = implicit(dt);
    auto& [time, before, step, u, change, w, left] = state_;
    const double of_u = is_first ? 2 : 4;
    nodes()[work_] = of_u * u;
    if (data_.given_depends_on_time()) {
        std::vector<double> values = data_.given(time + dt);
        const std::vector<double> now = data_.given(time);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] += (of_u / 2) * now[k];
        if (!is_first) {
            const std::vector<double> then = data_.given(before);
            for (std::size_t k = 0; k < values.size(); ++k) values[k] += then[k];
        }
        data_.write_given(values, work_);
    }
    Buffer<Real>& b = with.right_hand_side;
    if (is_first)
        nodes()[b] = load_ + load_next_ + (4 / dt) * mass_ * change;
    else
        nodes()[b] = load_before_ + 2.0 * load_ + load_next_ - (4 / dt) * damping_ * change;
    update_residual(b, work_);
    if (is_first) {
        nodes()[w] = 0.0 * free_;
        nodes()[b] = free_ * residual_;
    } else {
        nodes()[b] = free_ * residual_ + left;
    }
    // b holds the rounding of A u
    nodes()[work_] = free_ * column(stiffness_.straight(), 0) * work_;
    CgSettings how{settings_.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                   settings_.max_iterations};
    how.rounding = std::numeric_limits<Real>::epsilon() * std::sqrt(grid_.dot(free_, work_, work_));
    const SolveReport report = with.cg.solve(with.preconditioner, b, w, how);
    solves_.add(report);
    if (!report.converged())
        grid_.comm().agree([&] {
            throw ComputationError(fmt::format("displacement at t = {:.6g} s: {}", time + dt,
                                               report.explanation("displacement")));
        });
    with.matrix.subtract_from(b, w, left);
    if (is_first) {
        nodes()[change] = 1.0 * w;
        nodes()[w] = 0.0 * free_;
    } else {
        nodes()[change] += w;
    }
    set_changes(dt);
}

template <class Real>
typename GridWave<Real>::Implicit& GridWave<Real>::implicit(double dt) {
    if (implicit_ && implicit_->step == dt) return *implicit_;
    implicit_.reset();
    nodes()[work_] = (4 / (dt * dt)) * mass_ + (2 / dt) * damping_;
    const Stopwatch clock;
    implicit_ = std::make_unique<Implicit>(*this, dt, work_);
    const double before = solves_.preconditioner.setup_seconds;
    solves_.preconditioner = implicit_->preconditioner.summary();
    solves_.preconditioner.setup_seconds = before + clock.seconds();
    return *implicit_;
}

// Leapfrog: (M + dt/2 B) V = M (U - U') / dt + dt/2 (l - A U). Trapezoidal, by its rule for U and
// V:
//   M V = M (U - U') / dt + dt/4 (l + l' - A (U + U')) - B (U - U') / 2
template <class Real>
Buffer<Real> GridWave<Real>::velocity() {
    auto& [time, before, step, u, change, w, left] = state_;
    Buffer<Real> v = grid_.field();
    if (step == 0) {
        nodes()[v] = 1.0 * change;
    } else if (settings_.scheme == GridWaveScheme::leapfrog) {
        update_residual(load_, u);
        nodes()[v] = free_ * quotient((1 / step) * mass_ * change + (0.5 * step) * residual_,
                                      mass_ + (0.5 * step) * damping_);
    } else {
        Buffer<Real> loads = grid_.field();
        nodes()[work_] = 2.0 * u - change;
        nodes()[loads] = load_ + load_before_;
        update_residual(loads, work_);
        nodes()[v] = free_ * ((1 / step) * change + inverse_mass_ * ((0.25 * step) * residual_ -
                                                                     0.5 * damping_ * change));
    }
    if (data_.given_depends_on_time() && step != 0) {
        // dg/dt = (3 g(t) - 4 g(t - dt/2) + g(t - dt)) / dt
        std::vector<double> rates = data_.given(time);
        const std::vector<double> middle = data_.given(time - 0.5 * step),
                                  far = data_.given(time - step);
        for (std::size_t k = 0; k < rates.size(); ++k)
            rates[k] = (3 * rates[k] - 4 * middle[k] + far[k]) / step;
        data_.write_given(rates, v);
    }
    return v;
}

template <class Real>
GridWaveEnergy GridWave<Real>::energy() {
    auto& [time, before, step, u, change, w, left] = state_;
    const double per_step = step == 0 ? 1 : 1 / step;
    GridWaveEnergy energy;
    energy.kinetic = 0.5 * per_step * per_step * grid_.dot(mass_, change, change);
    const bool is_middle = settings_.scheme == GridWaveScheme::trapezoidal;
    nodes()[work_] = u - (step == 0 ? 0.0 : is_middle ? 0.5 : 1.0) * change;
    Buffer<Real>& other = is_middle || step == 0 ? work_ : u;
    stiffness_.apply(other, residual_);
    energy.potential = 0.5 * grid_.dot(stiffness_.marker(), work_, residual_);
    return energy;
}

template class GridWave<float>;
template class GridWave<double>;

}  // namespace solenoid

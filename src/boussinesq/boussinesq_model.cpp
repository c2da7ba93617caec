#include "boussinesq/boussinesq_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;

const BoussinesqSettings& checked(const BoussinesqSettings& s) {
    if (s.nx < 1 || s.ny < 1 || !(s.dx > 0 && s.dy > 0) || !(s.gravity > 0) || !s.depth)
        throw InputError(
            "waves on a grid need nodes, distances between them, gravity and a depth: all above 0");
    return s;
}

// Throws InputError where a number of node (x, y) is of no use: a depth that is no number would be
// land, and a negative damping would let waves grow.
void check_node(const BoussinesqSettings& s, double x, double y) {
    const auto refuse = [&](const char* what, double value, const char* wanted) {
        throw InputError(
            fmt::format("waves on a grid: the {} at ({:g}, {:g}) is {:g}: it must be {}", what, x,
                        y, value, wanted));
    };
    if (const double h = s.depth(x, y); !std::isfinite(h))
        refuse("depth", h, "finite [m], land where it is not above 0");
    if (s.damping)
        if (const double d = s.damping(x, y); !(std::isfinite(d) && d >= 0))
            refuse("damping", d, "finite and not negative [1/s]");
}

}  // namespace

template <class Real>
BoussinesqModel<Real>::BoussinesqModel(const Communicator& comm, Device& device,
                                       const BoussinesqSettings& settings)
    : comm_(comm),
      device_(device),
      settings_(checked(settings)),
      blocks_(comm, settings.nx, settings.ny),
      factorization_(comm, device, blocks_),
      solver_(comm_, device, factorization_) {
    const Index size = array().size();
    if (comm.size() > 1)
        ring_ = std::make_unique<Halo<Real>>(comm, device, blocks_.ring(1, false, array()));
    for (Buffer<Real>* buffer : {&damping_, &pressure_, &source_, &right_side_, &old_.zeta,
                                 &old_.phi, &old_.psi, &now_.zeta, &now_.phi, &now_.psi})
        *buffer = device.buffer<Real>(size);

    const RankBlocks::Block block = blocks_.block(1);
    comm.agree([&] {
        for (int j = 0; j < block.height; ++j) {
            break_off_if_overdue();
            for (int i = 0; i < block.width; ++i)
                check_node(settings, settings.x + (block.x + i) * settings.dx,
                           settings.y + (block.y + j) * settings.dy);
        }
    });
    // depths of this rank's nodes and the ring, where the grid has nodes
    std::vector<double> depth(size);
    bool is_wet = false;
    const auto take_row = [&](int j) {
        for (int i = -1; i <= block.width; ++i) {
            const int at_x = block.x + i, at_y = block.y + j;
            if (at_x < 0 || at_y < 0 || at_x >= settings.nx || at_y >= settings.ny) continue;
            const double h =
                settings.depth(settings.x + at_x * settings.dx, settings.y + at_y * settings.dy);
            if (h > 0 && static_cast<Real>(h) > 0) depth[array().entry(i, j)] = h;
            is_wet = is_wet || h > 0;
        }
    };
    comm.agree([&] {
        for (int j = -1; j <= block.height; ++j) {
            break_off_if_overdue();
            take_row(j);
        }
    });
    if (!comm.any(is_wet))
        throw InputError("the grid has no water: its depth is not above 0 at any node");
    const std::vector<Real> rounded(depth.begin(), depth.end());
    depth_ = device.buffer<Real>(std::span<const Real>(rounded));
    if (settings.damping) comm.agree([&] { damping_.upload(sampled(settings.damping)); });

    std::vector<double> current(2 * std::size_t(size));
    if (settings.current) comm.agree([&] { current = sampled_current(depth); });
    const std::vector<Real> rounded_current(current.begin(), current.end());
    current_ = device.buffer<Real>(std::span<const Real>(rounded_current), 2);
    find_largest_step(depth, current);

    Buffer<Real> matrix = device.buffer<Real>(size, 3);
    kernels::BoussinesqMatrix<Real>{.depth = depth_,
                                    .d = column(matrix, 0),
                                    .e = column(matrix, 1),
                                    .n = column(matrix, 2),
                                    .pitch = Uint(array().pitch),
                                    .width = Uint(array().width),
                                    .per_x = 1 / (settings.dx * settings.dx),
                                    .per_y = 1 / (settings.dy * settings.dy)}
        .run(device, array().owned());
    factorization_.factorize(matrix);
}

template <class Real>
std::vector<Real> BoussinesqModel<Real>::sampled(const BoussinesqSettings::Field& field) const {
    const RankBlocks::Block block = blocks_.block(1);
    std::vector<Real> values(array().size());
    for (int j = 0; j < block.height; ++j) {
        break_off_if_overdue();
        for (int i = 0; i < block.width; ++i)
            values[array().entry(i, j)] =
                static_cast<Real>(field(settings_.x + (block.x + i) * settings_.dx,
                                        settings_.y + (block.y + j) * settings_.dy));
    }
    return values;
}

// Through the sides to the east and to the north between two nodes of water, over the distance of
// nodes [1/s]. This rank's ring has those of its neighbours.
template <class Real>
std::vector<double> BoussinesqModel<Real>::sampled_current(const std::vector<double>& depth) const {
    const RankBlocks::Block block = blocks_.block(1);
    const std::size_t size = depth.size();
    std::vector<double> current(2 * size);
    const auto at = [&](int component, double x, double y) {
        const double u = settings_.current(x, y)[component];
        if (!std::isfinite(u))
            throw InputError(
                fmt::format("waves on a grid: the current at ({:g}, {:g}) is {:g}: it "
                            "must be finite [m/s]",
                            x, y, u));
        return u;
    };
    for (int j = -1; j < block.height; ++j) {
        break_off_if_overdue();
        for (int i = -1; i < block.width; ++i) {
            const Index k = array().entry(i, j);
            const double x = settings_.x + (block.x + i) * settings_.dx,
                         y = settings_.y + (block.y + j) * settings_.dy;
            if (!(depth[k] > 0)) continue;
            if (depth[array().entry(i + 1, j)] > 0)
                current[k] = at(0, x + settings_.dx / 2, y) / settings_.dx;
            if (depth[array().entry(i, j + 1)] > 0)
                current[size + k] = at(1, x, y + settings_.dy / 2) / settings_.dy;
        }
    }
    return current;
}

// Twice the kinetic energy of phi is the least over psi of a sum over sides,
//   w (h df^2 - 2 h D df ds + N ds^2), w = 1 / dx^2 or 1 / dy^2, and M psi^2 over nodes,
// hence at most what psi = c phi gives, with any c at each node: a quadratic form of phi at both
// ends of a side, which the rows' sums of magnitudes on the diagonal bound. c is that of the
// highest frequency over a flat bottom, for which the bound is met. Damping counts node by node.
template <class Real>
void BoussinesqModel<Real>::find_largest_step(const std::vector<double>& depth,
                                              const std::vector<double>& current) {
    const double per_x = 1 / (settings_.dx * settings_.dx),
                 per_y = 1 / (settings_.dy * settings_.dy);
    const RankBlocks::Block block = blocks_.block(1);
    const auto side = [&](Index a, Index b) {
        return depth[a] > 0 && depth[b] > 0 ? (depth[a] + depth[b]) / 2 : 0.0;
    };
    // of the deepest side that a node at the rank's border may have, from the grid's depths
    const auto factor = [&](int i, int j) {
        const auto at = [&](int di, int dj) {
            const int x = block.x + i + di, y = block.y + j + dj;
            if (x < 0 || y < 0 || x >= settings_.nx || y >= settings_.ny) return 0.0;
            const bool is_here =
                i + di >= -1 && j + dj >= -1 && i + di <= block.width && j + dj <= block.height;
            if (is_here) return depth[array().entry(i + di, j + dj)];
            const double h =
                settings_.depth(settings_.x + x * settings_.dx, settings_.y + y * settings_.dy);
            return h > 0 ? h : 0.0;
        };
        const double own = at(0, 0);
        double h = 0;
        for (const double other : {at(-1, 0), at(1, 0), at(0, -1), at(0, 1)})
            if (other > 0) h = std::max(h, (own + other) / 2);
        const double q = 4 * (per_x + per_y) * h * h;
        return h > 0 ? q / 3 / (1.0 / 3 + 2 * q / 15) / h : 0.0;
    };
    double most = 0, fastest = 0;
    const auto take_row = [&](int j) {
        for (int i = 0; i < block.width; ++i) {
            const Index k = array().entry(i, j);
            if (!(depth[k] > 0)) continue;
            const double c = factor(i, j);
            double sum = c * c * depth[k] / 3;
            const auto add = [&](int di, int dj, double weight) {
                const double h = side(k, array().entry(i + di, j + dj));
                if (h <= 0) return;
                const double other = factor(i + di, j + dj);
                sum += weight * h *
                       (1 - 2 * h * c / 3 + 2 * h * h * c * c / 15 +
                        std::abs(1 - h * (c + other) / 3 + 2 * h * h * c * other / 15));
            };
            add(-1, 0, per_x);
            add(1, 0, per_x);
            add(0, -1, per_y);
            add(0, 1, per_y);
            const double x = settings_.x + (block.x + i) * settings_.dx,
                         y = settings_.y + (block.y + j) * settings_.dy;
            // the sum of magnitudes of a row: half of both sides' fluxes
            const std::size_t north = depth.size();  // where those to the north begin
            fastest = std::max(
                fastest, (std::abs(current[array().entry(i - 1, j)]) + std::abs(current[k])) / 2 +
                             (std::abs(current[north + array().entry(i, j - 1)]) +
                              std::abs(current[north + k])) /
                                 2);
            most = std::max(most, std::sqrt(settings_.gravity * sum) +
                                      (settings_.damping ? settings_.damping(x, y) : 0.0));
        }
    };
    comm_.agree([&] {
        for (int j = 0; j < block.height; ++j) {
            break_off_if_overdue();
            take_row(j);
        }
    });
    largest_step_ = 1 / (comm_.max(most) + comm_.max(fastest));
}

template <class Real>
void BoussinesqModel<Real>::exchange(Buffer<Real>& values) {
    if (ring_) ring_->exchange(values);
}

template <class Real>
void BoussinesqModel<Real>::advance(Level& old, const Level& now, double step) {
    kernels::BoussinesqStep<Real>{.zeta_old = old.zeta,
                                  .phi_old = old.phi,
                                  .zeta = now.zeta,
                                  .phi = now.phi,
                                  .psi = now.psi,
                                  .depth = depth_,
                                  .current = current_,
                                  .damping = damping_,
                                  .pressure = pressure_,
                                  .source = source_,
                                  .pitch = Uint(array().pitch),
                                  .width = Uint(array().width),
                                  .has_current = settings_.current ? 1u : 0u,
                                  .gravity = settings_.gravity,
                                  .per_x = 1 / (settings_.dx * settings_.dx),
                                  .per_y = 1 / (settings_.dy * settings_.dy),
                                  .step = step}
        .run(device_, array().owned());
    exchange(old.phi);
    if (settings_.current) exchange(old.zeta);
}

// psi of a level, from the first guess that it holds.
template <class Real>
RrbReport BoussinesqModel<Real>::solve(Level& level, double time) {
    kernels::BoussinesqRightSide<Real>{.depth = depth_,
                                       .phi = level.phi,
                                       .value = right_side_,
                                       .pitch = Uint(array().pitch),
                                       .width = Uint(array().width),
                                       .per_x = 1 / (settings_.dx * settings_.dx),
                                       .per_y = 1 / (settings_.dy * settings_.dy)}
        .run(device_, array().owned());
    // all ranks fail alike: by the same sums
    const auto fail = [&](const std::string& why) {
        comm_.agree(
            [&] { throw ComputationError(fmt::format("psi at t = {:.6g} s: {}", time, why)); });
    };
    RrbReport report;
    std::string failure;
    try {
        report = solver_.solve(right_side_, level.psi, settings_.solver);
    } catch (const ComputationError& error) {
        failure = error.what();
    }
    if (!failure.empty())
        fail(failure +
             "; where waves have grown without bound, take slower currents or a shorter "
             "time.step");
    if (!report.has_converged)
        fail(
            fmt::format("not converged in {} iterations, the residual is reduced by {:.3g}: raise "
                        "solver.psi.max_iterations or solver.psi.tolerance",
                        report.iterations, report.reduction));
    exchange(level.psi);
    return report;
}

template <class Real>
void BoussinesqModel<Real>::check_step(double dt) const {
    if (!(dt > 0) || dt > largest_step_ * (1 + 1e-12))
        throw InputError("a step of " + std::to_string(dt) + " s: the leapfrog scheme is stable " +
                         "for steps above 0 up to " + std::to_string(largest_step_) + " s here");
}

template <class Real>
void BoussinesqModel<Real>::resume(double dt, int steps) {
    check_step(dt);
    dt_ = level_step_ = dt;
    steps_ = steps;
    time_ = steps * dt;
    for (Buffer<Real>* values : levels()) exchange(*values);
}

template <class Real>
void BoussinesqModel<Real>::change_step(double dt) {
    check_step(dt);
    dt_ = dt;
}

template <class Real>
void BoussinesqModel<Real>::start(double dt, const BoussinesqSettings::Field& zeta,
                                  const BoussinesqSettings::Field& phi) {
    check_step(dt);
    dt_ = level_step_ = dt;
    time_ = 0;
    steps_ = 0;
    comm_.agree([&] {
        now_.zeta.upload(sampled(zeta));
        now_.phi.upload(sampled(phi));
    });
    // none on land
    const Over all(device_, array().owned());
    all[now_.zeta] = where(depth_ > 0.0 * depth_, now_.zeta, 0.0 * now_.zeta);
    all[now_.phi] = where(depth_ > 0.0 * depth_, now_.phi, 0.0 * now_.phi);
    exchange(now_.zeta);
    exchange(now_.phi);
    all[now_.psi] = 0.0 * depth_;
    solve(now_, 0);
}

template <class Real>
RrbReport BoussinesqModel<Real>::step() {
    const Over all(device_, array().owned());
    const bool is_first = begins();
    if (dt_ != level_step_) {
        steps_ = static_cast<int>(std::lround(time_ / dt_));
        level_step_ = dt_;
    }
    if (is_first) {
        // the midpoint rule leaves little in the scheme's other mode, which alternates in time
        Level half{device_.buffer<Real>(array().size()), device_.buffer<Real>(array().size()),
                   device_.buffer<Real>(array().size())};
        for (Level* level : {&half, &old_}) {
            device_.copy(now_.zeta, level->zeta);
            device_.copy(now_.phi, level->phi);
            device_.copy(now_.psi, level->psi);
        }
        advance(half, now_, dt_ / 2);
        solve(half, time_ + dt_ / 2);
        advance(old_, half, dt_);
    } else {
        advance(old_, now_, 2 * dt_);
        if (settings_.extrapolates_psi && steps_ > 1)
            all[old_.psi] = 2.0 * now_.psi - old_.psi;
        else
            all[old_.psi] = 1.0 * now_.psi;
    }
    const RrbReport report = solve(old_, time_ + dt_);
    std::swap(old_, now_);
    ++steps_;
    time_ = steps_ * dt_;
    return report;
}

template <class Real>
void BoussinesqModel<Real>::raise(const BoussinesqSettings::Field& bump) {
    Buffer<Real> added = device_.buffer<Real>(array().size());
    added.upload(sampled(bump));
    const Over all(device_, array().owned());
    for (Level* level : {&old_, &now_}) {
        all[level->zeta] = where(depth_ > 0.0 * depth_, level->zeta + added, level->zeta);
        exchange(level->zeta);
    }
}

template <class Real>
void BoussinesqModel<Real>::register_state(
    const StateValues& state, const std::function<void(const std::string&, Buffer<Real>&)>& add) {
    for (Level* level : {&now_, &old_}) {
        const std::string suffix = level == &now_ ? "" : "_before";
        add("zeta" + suffix, level->zeta);
        add("phi" + suffix, level->phi);
        add("psi" + suffix, level->psi);
    }
    state.add("steps", steps_, not_negative);
    state.add("step_length", level_step_, {.least = DBL_MIN});
    state.remade([this] {
        dt_ = level_step_;
        time_ = steps_ * dt_;
        for (Level* level : {&now_, &old_})
            for (Buffer<Real>* array : {&level->zeta, &level->phi, &level->psi}) exchange(*array);
    });
}

template <class Real>
double BoussinesqModel<Real>::energy() {
    const auto sums = kernels::BoussinesqEnergy<Real>{.zeta_a = old_.zeta,
                                                      .zeta_b = now_.zeta,
                                                      .phi_a = old_.phi,
                                                      .phi_b = now_.phi,
                                                      .psi_a = old_.psi,
                                                      .psi_b = now_.psi,
                                                      .depth = depth_,
                                                      .current = current_,
                                                      .pitch = Uint(array().pitch),
                                                      .width = Uint(array().width),
                                                      .gravity = settings_.gravity,
                                                      .per_x = 1 / (settings_.dx * settings_.dx),
                                                      .per_y = 1 / (settings_.dy * settings_.dy)}
                          .run(comm_, device_, array().owned());
    return settings_.dx * settings_.dy / 2 *
           comm_.sum(sums.potential + sums.kinetic + sums.of_current);
}

template class BoussinesqModel<float>;
template class BoussinesqModel<double>;

}  // namespace solenoid

#include "solvers/multigrid.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/timer.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// Chebyshev polynomials of the fourth kind with optimal weights: they need the largest eigenvalue alone (Lottes 2023).
constexpr double weights[3][3] = {{1.12500000000000, 0, 0},
                                  {1.02387287570313, 1.26408905371085, 0},
                                  {1.00842544782028, 1.08867839208730, 1.33753125909618}};

// Step k: x_k = x + keep (x - x_before) + gain D^-1 (b - A x).
double keep_of(int steps, int k) {
    return k == 0 ? 0 : weights[steps - 1][k] / weights[steps - 1][k - 1] * (2 * k - 1) / (2 * k + 3);
}
double gain_of(int steps, int k, double largest_eigenvalue) { return weights[steps - 1][k] * (8 * k + 4) / (2 * k + 3) / largest_eigenvalue; }

}  // namespace

template <class Real>
Multigrid<Real>::Multigrid(const Communicator& comm, Device& device, const EntityRanges& ranges, const HaloPlan& halo,
                           const HostMatrix& matrix, const std::vector<Index>& fixed, const MultigridSettings& settings)
    : device_(device), steps_(settings.smoothing) {
    if (steps_ < 1 || steps_ > 3) throw std::logic_error("multigrid: 1 to 3 smoothing steps");
    Stopwatch watch;
    std::vector<HierarchyLevel> host;
    comm.agree([&] { host = make_hierarchy(comm, ranges, halo, matrix, fixed, settings); });
    for (HierarchyLevel& level : host) {
        const std::size_t before = device.allocated_bytes();
        levels_.push_back(put(comm, level));
        const auto bytes = static_cast<std::int64_t>(device.allocated_bytes() - before);
        summary_.push_back({level.rows, level.nonzeros, level.ranks, static_cast<std::size_t>(comm.sum(bytes))});
        level = {};
    }
    setup_seconds_ = watch.seconds();
}

template <class Real>
double Multigrid<Real>::operator_complexity() const {
    double sum = 0;
    for (const LevelSummary& level : summary_) sum += static_cast<double>(level.nonzeros);
    return summary_.front().nonzeros ? sum / static_cast<double>(summary_.front().nonzeros) : 1;
}

template <class Real>
std::size_t Multigrid<Real>::bytes() const {
    std::size_t sum = 0;
    for (const LevelSummary& level : summary_) sum += level.bytes;
    return sum;
}

template <class Real>
typename Multigrid<Real>::Entries Multigrid<Real>::put(const HostMatrix& matrix) {
    const RowLayout layout(matrix.rows, device_.row_stride());
    Entries entries;
    entries.rows.rows = layout.table(device_);
    entries.rows.index = layout.upload<std::uint32_t>(device_, std::span<const Index>(matrix.rows.index));
    entries.entry = layout.upload<Real>(device_, std::span<const double>(matrix.entries));
    return entries;
}

template <class Real>
typename Multigrid<Real>::Level Multigrid<Real>::put(const Communicator& comm, HierarchyLevel& host) {
    Level level;
    level.own = host.own;
    level.arriving = host.arriving;
    level.is_gathered = host.is_gathered;
    level.is_inverted = host.is_inverted;
    level.halo = std::make_unique<Halo<Real>>(comm, device_, host.halo);
    if (host.is_gathered) {
        level.gather = std::make_unique<Halo<Real>>(comm, device_, host.gather);
        level.scatter = std::make_unique<Halo<Real>>(comm, device_, host.scatter);
        level.spread = std::make_unique<Halo<Real>>(comm, device_, host.spread);
    }
    if (!levels_.empty()) level.b = device_.buffer<Real>(std::max(host.own, host.arriving));
    for (auto& x : level.x) {
        x = device_.buffer<Real>(host.size);
        if (host.is_inverted) break;
    }
    level.matrix = put(host.is_inverted ? host.inverse : host.matrix);
    if (host.is_inverted) return level;
    level.inverse_diagonal = device_.buffer<Real>(host.own);
    level.inverse_diagonal.upload(std::vector<Real>(host.inverse_diagonal.begin(), host.inverse_diagonal.end()));
    for (int k = 0; k < steps_; ++k) {
        level.keep[k] = keep_of(steps_, k);
        level.gain[k] = gain_of(steps_, k, host.largest_eigenvalue);
    }
    level.restriction = put(host.restriction);
    level.prolongation = put(host.prolongation);
    return level;
}

// out = a step of the smoother on x, whose ghosts are filled on the way.
template <class Real>
void Multigrid<Real>::smooth(Level& level, const Buffer<Real>& b, int step, const Buffer<Real>& before, Buffer<Real>& x, Buffer<Real>& out) {
    level.halo->exchange(x);
    if (!level.own) return;
    const bool has_before = &before != &x;
    kernels::SmootherStep<Real>{level.matrix.rows.rows, level.matrix.rows.index, level.matrix.entry, level.inverse_diagonal, b, x, before, out,
                                static_cast<Real>(level.keep[step]), static_cast<Real>(has_before ? level.keep[step] : 0),
                                static_cast<Real>(level.gain[step])}
        .run(device_, {0, level.own});
}

// x += P (coarse correction of the defect).
template <class Real>
void Multigrid<Real>::correct(Level& fine, Buffer<Real>& defect, std::size_t coarse_depth, Buffer<Real>& x) {
    Level& coarse = levels_[coarse_depth];
    fine.halo->exchange(defect);
    if (coarse.arriving)
        kernels::RowSum<Real>{fine.restriction.rows.rows, fine.restriction.rows.index, fine.restriction.entry, defect, coarse.b}.run(device_, {0, coarse.arriving});
    if (coarse.is_gathered) coarse.gather->exchange(coarse.b);
    Buffer<Real>& correction = cycle(coarse_depth, coarse.b, nullptr);
    if (coarse.is_gathered) {
        coarse.scatter->exchange(correction);
        coarse.spread->exchange(correction);
    } else {
        coarse.halo->exchange(correction);
    }
    if (fine.own)
        kernels::RowAdd<Real>{fine.prolongation.rows.rows, fine.prolongation.rows.index, fine.prolongation.entry, correction, x}.run(device_, {0, fine.own});
}

// An approximate solution of A x = b on a level, in `result` or a vector of the level's own.
template <class Real>
Buffer<Real>& Multigrid<Real>::cycle(std::size_t depth, const Buffer<Real>& b, Buffer<Real>* result) {
    Level& level = levels_[depth];
    const auto& [rows, columns] = level.matrix.rows;
    if (level.is_inverted) {
        Buffer<Real>& out = result ? *result : level.x[0];
        if (level.own) kernels::RowSum<Real>{rows, columns, level.matrix.entry, b, out}.run(device_, {0, level.own});
        return out;
    }
    auto& x = level.x;
    int now = 0;  // x[now] is the iterate, x[now + 2] the one before it
    if (level.own) kernels::SmootherStart<Real>{level.inverse_diagonal, b, x[0], static_cast<Real>(level.gain[0])}.run(device_, {0, level.own});
    for (int step = 1; step < steps_; ++step) {
        smooth(level, b, step, step == 1 ? x[now] : x[(now + 2) % 3], x[now], x[(now + 1) % 3]);
        now = (now + 1) % 3;
    }
    const bool is_last = depth + 1 == levels_.size();
    if (!is_last) {
        Buffer<Real>& defect = x[(now + 1) % 3];
        level.halo->exchange(x[now]);
        if (level.own) kernels::RowDefect<Real>{rows, columns, level.matrix.entry, b, x[now], defect}.run(device_, {0, level.own});
        correct(level, defect, depth + 1, x[now]);
    }
    for (int step = 0; step < steps_; ++step) {
        const bool ends = step + 1 == steps_ && result;
        Buffer<Real>& out = ends ? *result : x[(now + 1) % 3];
        smooth(level, b, step, step == 0 ? x[now] : x[(now + 2) % 3], x[now], out);
        if (ends) return out;
        now = (now + 1) % 3;
    }
    return x[now];
}

template <class Real>
void Multigrid<Real>::apply(const Buffer<Real>& r, Buffer<Real>& z) {
    cycle(0, r, &z);
}

template class Multigrid<float>;
template class Multigrid<double>;

}  // namespace solenoid

#include "solvers/multigrid/multigrid.hpp"

#include <algorithm>

#include "core/timer.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// Messages between GPUs cost as much as a pass over some ten thousand rows: they gather sooner.
MultigridSettings fitted(MultigridSettings settings, const Device& device) {
    if (settings.rows_a_rank == 0)
        settings.rows_a_rank = std::max<Index>(1000, device.parallel_rows());
    if (settings.rows_a_message == 0) settings.rows_a_message = settings.rows_a_rank;
    // Beyond 16 bits the CPU's rows may add up their entries in another order than their owner's
    // (device/sell_layout.hpp).
    if (device.row_stride() == cpu_row_stride)
        settings.most_layered = std::min<Index>(settings.most_layered, 65536);
    return settings;
}

}  // namespace

template <class Real>
Multigrid<Real>::Multigrid(const Communicator& comm, Device& device, const EntityRanges& ranges,
                           const HaloPlan& halo, const HostMatrix& matrix,
                           const std::vector<Index>& fixed, const MultigridSettings& settings,
                           int columns)
    : comm_(comm), device_(device), settings_(fitted(settings, device)), columns_(columns) {
    Stopwatch watch;
    bool is_replicated = false;  // from here on
    for (HierarchyLevel& level : make_hierarchy(comm, ranges, halo, matrix, fixed, settings_)) {
        const std::size_t before = device.allocated_bytes();
        levels_.push_back(uploaded_level(comm, level));
        const auto bytes = static_cast<std::int64_t>(device.allocated_bytes() - before);
        is_replicated |= level.is_replicated;
        summary_.push_back({level.rows, level.nonzeros, is_replicated ? comm.size() : level.ranks,
                            static_cast<std::size_t>(comm.sum(bytes))});
        level = {};
    }
    quiet_ = first_quiet_level();
    setup_seconds_ = watch.seconds();
}

template <class Real>
std::size_t Multigrid<Real>::first_quiet_level() const {
    const auto is_busy = [](const std::unique_ptr<Halo<Real>>& halo) {
        return halo && halo->takes_the_host();
    };
    std::size_t quiet = levels_.size();
    for (; quiet > 0; --quiet) {
        const Level& level = levels_[quiet - 1];
        if (is_busy(level.halo) || is_busy(level.scatter) || is_busy(level.prolongation_halo))
            break;
        if (quiet - 1 > 0 && is_busy(level.gather)) return quiet - 1;
    }
    return quiet;
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
typename Multigrid<Real>::Level Multigrid<Real>::uploaded_level(const Communicator& comm,
                                                                const HierarchyLevel& host) {
    Level level;
    level.own = host.own;
    level.first = host.first;
    level.arriving = host.arriving;
    level.halo = std::make_unique<Halo<Real>>(comm, device_, host.halo, columns_);
    if (host.is_gathered || host.is_replicated)
        level.gather = std::make_unique<Halo<Real>>(comm, device_, host.gather, columns_);
    if (host.is_gathered)
        level.scatter = std::make_unique<Halo<Real>>(comm, device_, host.scatter, columns_);
    if (host.is_gathered || (!levels_.empty() && !host.is_replicated && host.layers.empty()))
        level.prolongation_halo =
            std::make_unique<Halo<Real>>(comm, device_, host.prolongation_halo, columns_);
    if (!levels_.empty())
        level.b = device_.buffer<Real>(std::max(host.own, host.arriving), columns_);
    if (host.is_inverted) {
        level.solution = device_.buffer<Real>(host.size, columns_);
        level.inverse = SplitRows<Real>(device_, host.inverse, !levels_.empty(), columns_);
        return level;
    }
    level.smoother = std::make_unique<Smoother<Real>>(
        device_, *level.halo,
        SmoothedMatrix{host.matrix, host.diagonal, host.largest_eigenvalue, host.size, host.layers},
        settings_.steps(levels_.size()), columns_);
    level.restriction = SplitRows<Real>(device_, host.restriction, true, columns_);
    level.prolongation = SplitRows<Real>(device_, host.prolongation, true, columns_);
    return level;
}

// y = B x in a range of rows.
template <class Real>
void Multigrid<Real>::sum(const SplitRows<Real>& rows, const Gathered<Real>& x, Buffer<Real>& y,
                          Range range) {
    kernels::Spmv<Real>{.dimension = columns_,
                        .rows = rows.rows,
                        .column = rows.index,
                        .entry = rows.entry,
                        .x = rows.gathered(device_, x),
                        .value = y}
        .run(device_, range);
}

// x += P (coarse correction of the defect), from one level to the next.
template <class Real>
void Multigrid<Real>::correct_by_coarse(std::size_t depth, Buffer<Real>& defect, Buffer<Real>& x) {
    Level &fine = levels_[depth], &coarse = levels_[depth + 1];
    sum(fine.restriction,
        fine.smoother->fills_ghosts() ? complete(defect) : fine.halo->ghosts_of(defect), coarse.b,
        {coarse.first, coarse.first + coarse.arriving});
    if (coarse.gather) coarse.gather->exchange(coarse.b);
    if (quiet_ > 0 && depth + 1 == quiet_)
        coarse_.repeat(comm_, device_, [&] { prolong(depth, x); });
    else
        prolong(depth, x);
}

// x += P (solution of the coarse level's equations).
template <class Real>
void Multigrid<Real>::prolong(std::size_t depth, Buffer<Real>& x) {
    Level &fine = levels_[depth], &coarse = levels_[depth + 1];
    Buffer<Real>& correction = cycle(depth + 1, coarse.b);
    if (coarse.scatter) coarse.scatter->exchange(correction);
    const SplitRows<Real>& p = fine.prolongation;
    kernels::SpmvAdd<Real>{
        .dimension = columns_,
        .rows = p.rows,
        .column = p.index,
        .entry = p.entry,
        .x = p.gathered(device_, coarse.prolongation_halo
                                     ? coarse.prolongation_halo->ghosts_of(correction)
                                     : complete(correction)),
        .y = x}
        .run(device_, {0, fine.own});
}

// The smoother's first half and the coarse correction, on a level that has a smoother.
template <class Real>
void Multigrid<Real>::iterate(std::size_t depth, const Buffer<Real>& b) {
    Smoother<Real>& smoother = *levels_[depth].smoother;
    smoother.before(b);
    if (depth + 1 == levels_.size()) return;
    Buffer<Real>& defect = smoother.defect();
    if (depth == 0 && quiet_ == 0)
        coarse_.repeat(comm_, device_, [&] { correct_by_coarse(depth, defect, smoother.x()); });
    else
        correct_by_coarse(depth, defect, smoother.x());
}

// An approximate solution of A x = b on a level, in a vector of the level's own.
template <class Real>
Buffer<Real>& Multigrid<Real>::cycle(std::size_t depth, const Buffer<Real>& b) {
    Level& level = levels_[depth];
    if (level.smoother) {
        iterate(depth, b);
        level.smoother->after();
        return level.smoother->x();
    }
    sum(level.inverse, complete(b), level.solution, {0, level.own});
    return level.solution;
}

template <class Real>
double Multigrid<Real>::apply(const Buffer<Real>& r, Buffer<Real>& z) {
    Level& level = levels_.front();
    if (level.smoother) {
        iterate(0, r);
        return level.smoother->finish(comm_, z);
    }
    sum(level.inverse, complete(r), z, {0, level.own});
    return Over(device_, {0, level.own}).dot(comm_, r, z);
}

template <class Real>
void Multigrid<Real>::correct(const Buffer<Real>& r, Buffer<Real>& z) {
    const Buffer<Real>& x = cycle(0, r);
    if (const Index own = levels_.front().own) Over(device_, {0, own})[z] = x;
}

template <class Real>
Multigrid<Real>::~Multigrid() = default;

template class Multigrid<float>;
template class Multigrid<double>;

}  // namespace solenoid

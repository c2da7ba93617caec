#include "solvers/multigrid/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "parallel/halo_plan.hpp"
#include "solvers/multigrid/aggregation.hpp"
#include "solvers/multigrid/dense_inverse.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"

namespace solenoid {
namespace {

// A level under construction: its matrix in rows of global names, and how vectors arrive from the
// finer level.
struct Draft {
    ParallelMatrix a;
    RowPartition split;  // of the rows as the finer level makes them
    // in `split`: what the finer level's prolongation reads of other ranks
    std::vector<GlobalIndex> prolonged_ghosts;
    int group = 1;
    // every rank has all rows of `a`, and nothing below knows of other ranks
    bool is_replicated = false;
};

std::vector<double> diagonal_of(const HostMatrix& matrix) {
    std::vector<double> diagonal(matrix.rows.rows());
    for_each(0, diagonal.size(), [&](Index i) { diagonal[i] = matrix.diagonal(i); });
    return diagonal;
}

Aggregates one_each(const std::vector<double>& diagonal) {
    Aggregates result;
    for (double d : diagonal) result.of.push_back(d > 0 ? result.count++ : none);
    return result;
}

ParallelMatrix piecewise_constant(const Communicator& comm, const Aggregates& aggregates) {
    ParallelMatrix p;
    p.partition = row_partition(comm, aggregates.count);
    p.rows = joined(pieces_of(aggregates.of.size(), [&](Index begin, Index end) {
        HostMatrix piece;
        piece.reserve(end - begin, end - begin);
        for (Index i = begin; i < end; ++i) {
            if (aggregates.of[i] != none) piece.append(aggregates.of[i], 1);
            piece.end_row();
        }
        return piece;
    }));
    return p;
}

// (I - omega D^-1 A) P_0 of A P_0.
void smooth(HostMatrix& ap, const Aggregates& aggregates, const std::vector<double>& diagonal,
            double omega) {
    for_each(0, diagonal.size(), [&](Index i) {
        const double factor = diagonal[i] > 0 ? -omega / diagonal[i] : 0;
        for (Index k = ap.rows.start[i]; k < ap.rows.start[i + 1]; ++k)
            ap.entries[k] =
                factor * ap.entries[k] + (ap.rows.index[k] == aggregates.of[i] ? 1.0 : 0.0);
    });
}

// P as single precision holds it, so that R A P is what the device's P has for a coarse matrix:
// entries below 8 become multiples of 2^-21. A row's sum is kept, or constants would no longer be
// in the null space of singular matrices.
void round_rows(HostMatrix& p) {
    constexpr double grid = 2097152;
    for_each(0, p.rows.rows(), [&](Index i) {
        const std::span<double> row(p.entries.data() + p.rows.start[i], p.rows.length(i));
        if (row.empty()) return;
        double sum = 0, rounded = 0;
        for (double& entry : row) {
            sum += entry;
            rounded += entry = std::round(entry * grid) / grid;
        }
        *std::max_element(row.begin(), row.end()) += std::round(sum * grid) / grid - rounded;
        for (double& entry : row) entry = static_cast<float>(entry);  // where it is larger
    });
}

// The union of global numbers, ascending.
std::vector<GlobalIndex> united(std::vector<GlobalIndex> a, const std::vector<GlobalIndex>& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    a.erase(std::unique(a.begin(), a.end()), a.end());
    return a;
}

// Columns whose ghosts are `from`, numbered as if they were `to`, which has them all and starts at
// `base`.
void renumber(HostMatrix& matrix, Index own, const std::vector<GlobalIndex>& from, Index base,
              const std::vector<GlobalIndex>& to) {
    if (from == to && base == own) return;
    std::vector<Index> place(from.size());
    for (std::size_t g = 0; g < from.size(); ++g)
        place[g] =
            base + static_cast<Index>(std::lower_bound(to.begin(), to.end(), from[g]) - to.begin());
    for_each(0, matrix.rows.index.size(), [&](std::size_t k) {
        if (Index& column = matrix.rows.index[k]; column >= own) column = place[column - own];
    });
}

// Plans that bring the values [0, split.own) of every rank to the first of its group, and back.
void plan_gathering(const Communicator& comm, const RowPartition& split, int group,
                    HierarchyLevel& level) {
    const int leader = comm.rank() - comm.rank() % group;
    const auto add = [](HaloPlan& plan, int rank, Index first_sent, Index sent,
                        Index first_received, Index received) {
        plan.neighbours.push_back(rank);
        for (Index i = 0; i < sent; ++i) plan.send.push_back(first_sent + i);
        for (Index i = 0; i < received; ++i) plan.receive.push_back(first_received + i);
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    };
    if (comm.rank() != leader) {
        const Index own = static_cast<Index>(split.size(comm.rank()));
        add(level.gather, leader, 0, own, 0, 0);
        add(level.scatter, leader, 0, 0, 0, own);
        return;
    }
    for (int rank = leader + 1; rank < std::min(comm.size(), leader + group); ++rank) {
        const Index first = static_cast<Index>(split.start[rank] - split.start[leader]);
        add(level.gather, rank, 0, 0, first, static_cast<Index>(split.size(rank)));
        add(level.scatter, rank, first, static_cast<Index>(split.size(rank)), 0, 0);
    }
}

// A plan that brings the values [first, first + own) of every rank to all others: a vector that
// each has whole.
HaloPlan replication(const Communicator& comm, const RowPartition& split) {
    HaloPlan plan;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank == comm.rank()) continue;
        plan.neighbours.push_back(rank);
        for (GlobalIndex i = split.start[comm.rank()]; i < split.start[comm.rank() + 1]; ++i)
            plan.send.push_back(static_cast<Index>(i));
        for (GlobalIndex i = split.start[rank]; i < split.start[rank + 1]; ++i)
            plan.receive.push_back(static_cast<Index>(i));
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

class Builder {
  public:
    Builder(const Communicator& comm, const MultigridSettings& settings)
        : all_(comm), comm_(comm), settings_(settings) {}

    std::vector<HierarchyLevel> build(ParallelMatrix fine) {
        Draft draft;
        draft.split = fine.partition;
        draft.a = std::move(fine);
        while (true) {
            HierarchyLevel level = begin(draft);
            const std::int64_t rows = level.rows;
            const bool is_last = (rows <= settings_.coarsest && level.ranks <= 1) ||
                                 static_cast<int>(levels_.size()) + 1 == settings_.max_levels;
            std::optional<Draft> next;
            if (!is_last) next = coarsen(draft, level);
            if (!next) {
                finish(draft, level, {});
                invert(level);
                levels_.push_back(std::move(level));
                return std::move(levels_);
            }
            levels_.push_back(std::move(level));
            draft = std::move(*next);
        }
    }

  private:
    HierarchyLevel begin(const Draft& draft) {
        HierarchyLevel level;
        level.own = draft.a.own_columns(comm_);
        level.rows = draft.a.partition.count();
        level.nonzeros = comm_.sum(static_cast<std::int64_t>(draft.a.rows.entries.size()));
        level.arriving =
            static_cast<Index>(draft.split.size((draft.is_replicated ? all_ : comm_).rank()));
        level.is_replicated = draft.is_replicated;
        level.ranks = 0;
        for (int rank = 0; rank < comm_.size(); ++rank)
            level.ranks += draft.a.partition.size(rank) > 0;
        diagonal_ = diagonal_of(draft.a.rows);
        level.diagonal = diagonal_;
        for_each(0, level.diagonal.size(),
                 [&](Index i) { level.diagonal[i] = std::max(level.diagonal[i], 0.0); });
        if (levels_.empty()) {
            const double trace =
                sum_of_each(0, level.diagonal.size(), [&](Index i) { return level.diagonal[i]; });
            rounding_ = std::numeric_limits<double>::epsilon() * comm_.sum(trace);
        }
        level.largest_eigenvalue = largest_eigenvalue(
            comm_, draft.a, halo_plan(comm_, draft.a.partition, draft.a.ghosts), diagonal_);
        return level;
    }

    // Numbers the columns for good, with what the restriction reads of other ranks too.
    void finish(Draft& draft, HierarchyLevel& level,
                const std::vector<GlobalIndex>& restricted_ghosts) {
        std::vector<GlobalIndex> ghosts = united(draft.a.ghosts, restricted_ghosts);
        if (draft.group == 1) ghosts = united(ghosts, draft.prolonged_ghosts);
        const bool has_layers = add_layers(draft.a, ghosts, level);
        if (!has_layers) renumber(draft.a.rows, level.own, draft.a.ghosts, level.own, ghosts);
        if (level.restriction.rows.rows())
            renumber(level.restriction, level.own, restricted_ghosts, level.own, ghosts);
        if (!has_layers) {
            level.halo = halo_plan(comm_, draft.a.partition, ghosts);
            level.size = level.own + static_cast<Index>(ghosts.size());
            level.matrix = std::move(draft.a.rows);
        }
        if (draft.is_replicated) return arrive_everywhere(draft, level);
        Index base = level.size;
        level.is_gathered = draft.group > 1;
        if (level.is_gathered) {
            base = std::max(base, level.arriving);
            plan_gathering(comm_, draft.split, draft.group, level);
            level.prolongation_halo = halo_plan(comm_, draft.split, draft.prolonged_ghosts);
            for (Index& place : level.prolongation_halo.receive) place += base - level.arriving;
            level.size = base + static_cast<Index>(draft.prolonged_ghosts.size());
        }
        if (levels_.empty()) return;
        renumber_prolongation(draft, level, base, ghosts);
        if (!level.is_gathered && !has_layers)
            level.prolongation_halo =
                narrowed(comm_, level.halo, levels_.back().prolongation.rows.index);
    }

    // Layers of ghosts, one for each product between two exchanges and one for the defect's ghosts,
    // where the rows that a cycle then computes twice cost less than the messages that it spares.
    // first: the ghosts that transfers and rows name. Collective.
    bool add_layers(const ParallelMatrix& a, const std::vector<GlobalIndex>& first,
                    HierarchyLevel& level) const {
        const int steps = settings_.steps(levels_.size());
        const double saved =
            (levels_.empty() ? 2 * steps - 1 : 2 * steps) * double(settings_.rows_a_message);
        if (level.ranks <= 1 || comm_.any(2.0 * steps * double(first.size()) >= saved))
            return false;
        LayeredRows rows = layered(comm_, a, first, steps + 1);
        double twice = 0;
        for (int k = 1; k <= steps; ++k) twice += 2 * double(rows.ends[k] - level.own);
        if (comm_.any(twice >= saved || rows.ends.back() > settings_.most_layered)) return false;
        level.layers = std::move(rows.ends);
        level.size = level.layers.back();
        level.matrix = std::move(rows.rows);
        level.halo = halo_plan(comm_, a.partition, rows.ghosts);
        for (Index i = level.own; i < level.size; ++i)
            level.diagonal.push_back(std::max(level.matrix.diagonal(i), 0.0));
        return true;
    }

    // The finer level's transfers to and from a level that every rank has whole: its rows' places
    // are their global numbers.
    void arrive_everywhere(const Draft& draft, HierarchyLevel& level) {
        HierarchyLevel& fine = levels_.back();
        level.first = static_cast<Index>(draft.split.start[all_.rank()]);
        level.gather = replication(all_, draft.split);
        std::vector<Index>& start = fine.restriction.rows.start;
        start.insert(start.begin(), level.first, 0);
        for (Index& column : fine.prolongation.rows.index)
            column = column < level.arriving
                         ? column + level.first
                         : static_cast<Index>(draft.prolonged_ghosts[column - level.arriving]);
    }

    void renumber_prolongation(const Draft& draft, const HierarchyLevel& level, Index base,
                               const std::vector<GlobalIndex>& ghosts) {
        HostMatrix& p = levels_.back().prolongation;
        if (level.is_gathered)
            renumber(p, level.arriving, draft.prolonged_ghosts, base, draft.prolonged_ghosts);
        else
            renumber(p, level.arriving, draft.prolonged_ghosts, level.own, ghosts);
    }

    std::optional<Draft> coarsen(Draft& draft, HierarchyLevel& level) {
        const ParallelMatrix& a = draft.a;
        // but on several ranks: gathered as it is
        const bool is_tiny = level.rows <= settings_.coarsest;
        ParallelMatrix p =
            is_tiny ? piecewise_constant(comm_, one_each(diagonal_)) : prolongation(a, level);
        const GlobalIndex coarse = p.partition.count();
        if (coarse == 0 || (coarse > 0.8 * level.rows && !is_tiny)) return {};
        ParallelMatrix r = transposed(comm_, p, a.partition);
        Draft next;
        next.a = product(comm_, r, product(comm_, a, p));
        next.split = next.a.partition;
        next.prolonged_ghosts = p.ghosts;
        next.group = wanted_group(next.split);
        next.is_replicated =
            next.group > 1 && next.group == comm_.size() && comm_.size() <= settings_.most_replicas;
        if (next.is_replicated)
            next.a = replicated(comm_, next.a);
        else if (next.group > 1)
            next.a = gathered(comm_, next.a, next.group);
        level.restriction = std::move(r.rows);
        level.prolongation = std::move(p.rows);
        finish(draft, level, r.ghosts);
        if (next.is_replicated) comm_ = Communicator::self();
        return next;
    }

    ParallelMatrix prolongation(const ParallelMatrix& a, const HierarchyLevel& level) const {
        // cells: at most 5 a row; nodes: at least 6
        const bool is_sparse = double(level.nonzeros) < 5.5 * double(level.rows);
        const Aggregates aggregates = is_sparse
                                          ? aggregate_wide(a.rows, diagonal_, settings_.strength)
                                          : aggregate(a.rows, diagonal_, settings_.strength);
        ParallelMatrix p = product(comm_, a, piecewise_constant(comm_, aggregates));
        smooth(p.rows, aggregates, diagonal_, 1.5 / level.largest_eigenvalue);
        round_rows(p.rows);
        return p;
    }

    // How many neighbouring ranks hand their rows to one of them. All where the level is the
    // coarsest.
    int wanted_group(const RowPartition& split) const {
        if (split.count() <= settings_.coarsest) return comm_.size();
        int group = 1;
        const auto ranks_left = [&] {
            int active = 0;
            for (int rank = 0; rank < comm_.size(); rank += group)
                active += split.start[std::min(comm_.size(), rank + group)] > split.start[rank];
            return active;
        };
        for (int active = ranks_left();
             active > 1 && split.count() < std::int64_t(active) * settings_.rows_a_rank;
             active = ranks_left())
            group *= 2;
        return std::min(group, comm_.size());
    }

    // The last level, where it is small and on one rank. Elsewhere (nothing more to aggregate)
    // smoothing has to do.
    void invert(HierarchyLevel& level) {
        level.is_inverted = level.rows <= 4 * settings_.coarsest && level.ranks <= 1;
        all_.agree([&] {
            if (level.is_inverted)
                level.inverse = dense_inverse(level.matrix, levels_.empty() ? 0 : rounding_);
        });
    }

    const Communicator all_;
    Communicator comm_;  // of the level under way: from a replicated one on each rank's own
    const MultigridSettings& settings_;
    std::vector<HierarchyLevel> levels_;
    std::vector<double> diagonal_;
    // of the sums over all entries: what the coarsest rows may have where they should have nothing
    double rounding_ = 0;
};

}  // namespace

std::vector<HierarchyLevel> make_hierarchy(const Communicator& comm, const EntityRanges& ranges,
                                           const HaloPlan& halo, const HostMatrix& matrix,
                                           const std::vector<Index>& fixed,
                                           const MultigridSettings& settings) {
    return Builder(comm, settings).build(parallel_matrix(comm, ranges, halo, matrix, fixed));
}

}  // namespace solenoid

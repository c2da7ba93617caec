#include "solvers/multigrid/hierarchy.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "parallel/bytes.hpp"
#include "parallel/halo_plan.hpp"
#include "parallel/sum_over_ranks.hpp"
#include "solvers/multigrid/aggregation.hpp"
#include "solvers/multigrid/dense_inverse.hpp"
#include "solvers/multigrid/gathering.hpp"
#include "solvers/multigrid/global_rows.hpp"
#include "solvers/multigrid/independent_aggregates.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"
#include "solvers/multigrid/prolongation.hpp"

namespace solenoid {
namespace {

// A level under construction: its matrix in rows of global names, and how vectors arrive from the
// finer level.
struct Draft {
    ParallelMatrix a;
    std::vector<GlobalIndex> names;  // of its rows, in a reproducible run
    RowPartition split;              // of the rows as the finer level makes them
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

// The union of global numbers, ascending.
std::vector<GlobalIndex> united(std::vector<GlobalIndex> a, const std::vector<GlobalIndex>& b) {
    a.insert(a.end(), b.begin(), b.end());
    sort_unique(a);
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

class Builder {
  public:
    // has_names: rows have names, by which all is done that must not depend on the ranks.
    Builder(const Communicator& comm, const MultigridSettings& settings, bool has_names)
        : all_(comm), comm_(comm), settings_(settings), has_names_(has_names) {}

    std::vector<HierarchyLevel> build(ParallelMatrix fine, std::vector<GlobalIndex> names) {
        Draft draft;
        draft.names = std::move(names);
        draft.split = fine.partition;
        draft.a = std::move(fine);
        while (true) {
            HierarchyLevel level = begin(draft);
            const std::int64_t rows = level.rows;
            const bool is_small = rows <= settings_.coarsest && level.ranks <= 1;
            const bool is_last = (is_small && may_invert()) ||
                                 static_cast<int>(levels_.size()) + 1 == settings_.max_levels;
            std::optional<Draft> next;
            if (!is_last) next = coarsen(draft, level);
            if (!next) {
                finish(draft, level, {});
                invert(level, draft.names);
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
            const double trace = sum_over_ranks(comm_, level.diagonal.size(),
                                                [&](Index i) { return level.diagonal[i]; });
            rounding_ = std::numeric_limits<double>::epsilon() * trace;
        }
        level.largest_eigenvalue =
            largest_eigenvalue(comm_, draft.a, halo_plan(comm_, draft.a.partition, draft.a.ghosts),
                               diagonal_, has_names_ ? &draft.names : nullptr);
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
            GatheringPlans plans = gathering_plans(comm_, draft.split, draft.group);
            level.gather = std::move(plans.gather);
            level.scatter = std::move(plans.scatter);
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
        level.gather = replication_plan(all_, draft.split);
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
        Draft next;
        ParallelMatrix p = has_names_ ? prolongation_by_names(draft, level, is_tiny, next.names)
                           : is_tiny  ? tentative_prolongation(comm_, one_each(diagonal_))
                                      : prolongation(a, level);
        const GlobalIndex coarse = p.partition.count();
        if (coarse == 0 || (coarse > 0.8 * level.rows && !is_tiny)) return {};
        GalerkinProduct galerkin = galerkin_product(comm_, a, p, draft.names, has_names_);
        next.a = std::move(galerkin.matrix);
        next.split = next.a.partition;
        next.prolonged_ghosts = p.ghosts;
        next.group =
            ranks_to_gather(next.split, comm_.size(), settings_.coarsest, settings_.rows_a_rank);
        next.is_replicated =
            next.group > 1 && next.group == comm_.size() && comm_.size() <= settings_.most_replicas;
        if (next.is_replicated) {
            next.a = replicated(comm_, next.a);
            next.names = solenoid::gathered(comm_, next.names);
        } else if (next.group > 1) {
            next.a = gathered(comm_, next.a, next.group);
            next.names = gathered_names(next.names, next.group);
        }
        level.restriction = std::move(galerkin.restriction.rows);
        level.prolongation = std::move(p.rows);
        finish(draft, level, galerkin.restriction.ghosts);
        if (next.is_replicated) comm_ = Communicator::self();
        return next;
    }

    ParallelMatrix prolongation(const ParallelMatrix& a, const HierarchyLevel& level) const {
        // cells: at most 5 a row; nodes: at least 6
        const bool is_sparse = double(level.nonzeros) < 5.5 * double(level.rows);
        const Aggregates aggregates = is_sparse
                                          ? aggregate_wide(a.rows, diagonal_, settings_.strength)
                                          : aggregate(a.rows, diagonal_, settings_.strength);
        return smoothed_prolongation(comm_, a, aggregates, diagonal_,
                                     1.5 / level.largest_eigenvalue);
    }

    // The same by aggregates that do not depend on the ranks; names: of the coarse rows.
    ParallelMatrix prolongation_by_names(const Draft& draft, const HierarchyLevel& level,
                                         bool is_tiny, std::vector<GlobalIndex>& names) const {
        const bool is_sparse = double(level.nonzeros) < 5.5 * double(level.rows);
        IndependentAggregates aggregates =
            is_tiny ? one_each(comm_, diagonal_, draft.names)
                    : independent_aggregates(comm_, draft.a, diagonal_, draft.names,
                                             settings_.strength, is_sparse);
        names = std::move(aggregates.names);
        return is_tiny ? tentative_prolongation(comm_, aggregates)
                       : smoothed_prolongation(comm_, draft.a, aggregates, diagonal_,
                                               1.5 / level.largest_eigenvalue);
    }

    // The names of a group's rows on its first rank.
    std::vector<GlobalIndex> gathered_names(const std::vector<GlobalIndex>& names,
                                            int group) const {
        std::vector<GlobalIndex> all;
        const std::map<int, std::vector<GlobalIndex>> outgoing{
            {comm_.rank() - comm_.rank() % group, names}};
        for (const auto& [rank, part] : exchange_values(comm_, outgoing))
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }

    // On several ranks the finest level is not inverted.
    bool may_invert() const { return !has_names_ || !levels_.empty(); }

    // The last level, where it is small and on one rank. Elsewhere (nothing more to aggregate)
    // smoothing has to do.
    void invert(HierarchyLevel& level, const std::vector<GlobalIndex>& names) {
        level.is_inverted =
            level.rows <= 4 * settings_.coarsest && level.ranks <= 1 && may_invert();
        std::vector<Index> order(names.size());
        std::iota(order.begin(), order.end(), Index(0));
        std::ranges::sort(order, {}, [&](Index i) { return names[i]; });
        all_.agree([&] {
            if (level.is_inverted)
                level.inverse = dense_inverse(level.matrix, levels_.empty() ? 0 : rounding_, order);
        });
    }

    const Communicator all_;
    Communicator comm_;  // of the level under way: from a replicated one on each rank's own
    const MultigridSettings& settings_;
    const bool has_names_;
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
    std::vector<GlobalIndex> names;
    if (halo.names) names.assign(halo.names->begin(), halo.names->begin() + ranges.owned);
    return Builder(comm, settings, halo.names != nullptr)
        .build(parallel_matrix(comm, ranges, halo, matrix, fixed), std::move(names));
}

}  // namespace solenoid

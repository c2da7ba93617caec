#include "solvers/multigrid/independent_aggregates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.hpp"
#include "parallel/fill_ghosts.hpp"
#include "solvers/multigrid/global_rows.hpp"

namespace solenoid {
namespace {

using Hash = std::uint64_t;
constexpr Hash is_out = 0, is_root = std::numeric_limits<Hash>::max();

// What a row knows of the aggregate that it would join.
struct Claim {
    double weight = 0;
    Hash hash = 0;  // of the root's name; 0: none
    GlobalIndex root = -1;

    bool is_less_than(const Claim& other) const {
        return weight < other.weight || (weight == other.weight && hash < other.hash);
    }
};

class Independent {
  public:
    Independent(const Communicator& comm, const ParallelMatrix& a,
                const std::vector<double>& diagonal, const std::vector<GlobalIndex>& names,
                double strength, bool is_wide)
        : comm_(comm),
          a_(a),
          plan_(halo_plan(comm, a.partition, a.ghosts)),
          rows_(static_cast<Index>(diagonal.size())),
          columns_(a.all_columns(comm)),
          reach_(is_wide ? 2 : 1),
          hash_(columns_) {
        for (Index i = 0; i < rows_; ++i)
            hash_[i] = std::clamp(mixed(Hash(names[i])), is_out + 1, is_root - 1);
        fill_ghosts(comm_, plan_, hash_);
        couple(diagonal, strength);
    }

    std::vector<GlobalIndex> roots() {
        choose_roots();
        claim_.assign(columns_, {});
        const GlobalIndex first = a_.partition.start[comm_.rank()];
        for (Index i = 0; i < rows_; ++i)
            if (state_[i] == is_root) claim_[i] = {1, hash_[i], first + i};
        fill_ghosts(comm_, plan_, claim_);
        for (int k = 0; k < reach_; ++k) join(1);
        while (join(reach_)) {
        }
        std::vector<GlobalIndex> result(rows_, -1);
        for (Index i = 0; i < rows_; ++i)
            if (claim_[i].hash)
                result[i] = claim_[i].root;
            else if (graph_.rows.length(i) > 0)
                result[i] = first + i;
        return result;
    }

  private:
    // The strong couplings of this rank's rows, as aggregation.cpp has them within a rank.
    void couple(const std::vector<double>& diagonal, double strength) {
        std::vector<double> scale(columns_, 0.0), most(columns_, 0.0);
        for (Index i = 0; i < rows_; ++i)
            if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
        fill_ghosts(comm_, plan_, scale);
        const HostMatrix& a = a_.rows;
        const auto weight = [&](Index i, Index k) {
            return -a.entries[k] * scale[i] * scale[a.rows.index[k]];
        };
        for_each(0, rows_, [&](Index i) {
            for (Index k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k)
                most[i] = std::max(most[i], weight(i, k));
        });
        fill_ghosts(comm_, plan_, most);
        graph_ = joined(pieces_of(rows_, [&](Index begin, Index end) {
            HostMatrix piece;
            for (Index i = begin; i < end; ++i) {
                for (Index k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
                    const Index j = a.rows.index[k];
                    const double w = weight(i, k);
                    if (w > 0 && w >= strength * std::min(most[i], most[j])) piece.append(j, w);
                }
                piece.end_row();
            }
            return piece;
        }));
    }

    // Rounds: a row whose hash is the largest of all undecided ones near it becomes a root, those
    // near a root are out.
    void choose_roots() {
        state_.assign(columns_, is_out);
        for (Index i = 0; i < rows_; ++i)
            if (graph_.rows.length(i) > 0) state_[i] = hash_[i];
        fill_ghosts(comm_, plan_, state_);
        for (bool goes_on = true; goes_on;) {
            std::vector<Hash> greatest = state_;
            for (int k = 0; k < 2 * reach_; ++k) {
                const std::vector<Hash> before = greatest;
                for_each(0, rows_, [&](Index i) {
                    for (Index n = graph_.rows.start[i]; n < graph_.rows.start[i + 1]; ++n)
                        greatest[i] = std::max(greatest[i], before[graph_.rows.index[n]]);
                });
                fill_ghosts(comm_, plan_, greatest);
            }
            bool is_any_left = false;
            for (Index i = 0; i < rows_; ++i) {
                if (state_[i] == is_out || state_[i] == is_root) continue;
                if (greatest[i] == is_root)
                    state_[i] = is_out;
                else if (greatest[i] == state_[i])
                    state_[i] = is_root;
                else
                    is_any_left = true;
            }
            fill_ghosts(comm_, plan_, state_);
            goes_on = comm_.any(is_any_left);
        }
    }

    // The greatest claim among those of a row's neighbours: their weights are the couplings times
    // factor(j).
    template <class Factor>
    Claim best(Index i, const std::vector<Claim>& claims, const Factor& factor) const {
        Claim result;
        for (Index n = graph_.rows.start[i]; n < graph_.rows.start[i + 1]; ++n) {
            const Index j = graph_.rows.index[n];
            if (!claims[j].hash) continue;
            const Claim claim{graph_.entries[n] * factor(j), claims[j].hash, claims[j].root};
            if (result.is_less_than(claim)) result = claim;
        }
        return result;
    }

    // Rows of no aggregate join one that they reach by so many couplings, all at once. Whether any
    // did, on any rank.
    bool join(int couplings) {
        std::vector<Claim> found(columns_);
        for_each(0, rows_, [&](Index i) { found[i] = best(i, claim_, [](Index) { return 1.0; }); });
        if (couplings > 1) {
            std::vector<Claim> near = found;
            fill_ghosts(comm_, plan_, near);
            for_each(0, rows_, [&](Index i) {
                const Claim two = best(i, near, [&](Index j) { return near[j].weight; });
                if (found[i].is_less_than(two)) found[i] = two;
            });
        }
        bool any = false;
        for (Index i = 0; i < rows_; ++i) {
            if (claim_[i].hash || !found[i].hash) continue;
            claim_[i] = found[i];
            any = true;
        }
        fill_ghosts(comm_, plan_, claim_);
        return comm_.any(any);
    }

    const Communicator& comm_;
    const ParallelMatrix& a_;
    const HaloPlan plan_;
    const Index rows_, columns_;
    const int reach_;
    std::vector<Hash> hash_, state_;
    HostMatrix graph_;
    std::vector<Claim> claim_;
};

// Numbers the aggregates on the ranks of their roots, which are given by their rows' numbers.
IndependentAggregates numbered(const Communicator& comm, const RowPartition& rows,
                               const std::vector<GlobalIndex>& roots,
                               const std::vector<GlobalIndex>& names) {
    const GlobalIndex first = rows.start[comm.rank()];
    IndependentAggregates result;
    std::vector<GlobalIndex> number(roots.size(), -1), foreign;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (roots[i] == first + GlobalIndex(i)) {
            number[i] = static_cast<GlobalIndex>(result.names.size());
            result.names.push_back(names[i]);
        } else if (roots[i] >= 0 && rows.owner(roots[i]) != comm.rank()) {
            foreign.push_back(roots[i]);
        }
    }
    result.partition = row_partition(comm, static_cast<Index>(result.names.size()));
    for (GlobalIndex& n : number)
        if (n >= 0) n += result.partition.start[comm.rank()];
    sort_unique(foreign);
    const Columns columns(comm, rows, foreign);
    number.resize(roots.size() + foreign.size());
    fill_ghosts(comm, halo_plan(comm, rows, foreign), number);
    for (const GlobalIndex root : roots)
        result.of.push_back(root < 0 ? -1 : number[columns.local(root)]);
    return result;
}

}  // namespace

IndependentAggregates independent_aggregates(const Communicator& comm, const ParallelMatrix& a,
                                             const std::vector<double>& diagonal,
                                             const std::vector<GlobalIndex>& names, double strength,
                                             bool is_wide) {
    return numbered(comm, a.partition,
                    Independent(comm, a, diagonal, names, strength, is_wide).roots(), names);
}

IndependentAggregates one_each(const Communicator& comm, const std::vector<double>& diagonal,
                               const std::vector<GlobalIndex>& names) {
    const RowPartition rows = row_partition(comm, static_cast<Index>(diagonal.size()));
    std::vector<GlobalIndex> roots;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        roots.push_back(diagonal[i] > 0 ? rows.start[comm.rank()] + GlobalIndex(i) : -1);
    return numbered(comm, rows, roots, names);
}

}  // namespace solenoid

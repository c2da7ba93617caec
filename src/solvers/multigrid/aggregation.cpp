#include "solvers/multigrid/aggregation.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// The strong couplings, as rows of columns and weights -a_ij / sqrt(a_ii a_jj). What is strong is
// as good as random: nothing branches on it.
HostMatrix couplings(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    const Index n = static_cast<Index>(matrix.rows.rows());
    std::vector<double> scale(n + 1, 0.0), most(n + 1, 0.0);  // the last: of other ranks' columns
    Index longest = 0;
    for (Index i = 0; i < n; ++i) {
        if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
        longest = std::max(longest, matrix.rows.length(i));
    }
    // Positive where a coupling within the rank is negative; not on the diagonal.
    const auto weight = [&](Index i, Index k) {
        return -matrix.entries[k] * scale[i] * scale[std::min(matrix.rows.index[k], n)];
    };
    for_each(0, n, [&](Index i) {
        double largest = 0;
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            largest = std::max(largest, weight(i, k));
        most[i] = largest;
    });
    return joined(pieces_of(n, [&](Index begin, Index end) {
        HostMatrix result;
        result.reserve(end - begin, matrix.rows.start[end] - matrix.rows.start[begin]);
        std::vector<Index> column(longest + 1);
        std::vector<double> strong(longest + 1);
        for (Index i = begin; i < end; ++i) {
            Index count = 0;
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k) {
                const double w = weight(i, k);
                column[count] = matrix.rows.index[k];
                strong[count] = w;
                count +=
                    (w > 0) &
                    (w >= strength * std::min(most[i], most[std::min(matrix.rows.index[k], n)]));
            }
            result.rows.index.insert(result.rows.index.end(), column.begin(),
                                     column.begin() + count);
            result.entries.insert(result.entries.end(), strong.begin(), strong.begin() + count);
            result.end_row();
        }
        return result;
    }));
}

// Calls visit(j, weight) for the rows j coupled to i, over one coupling or two, until it returns
// false.
template <class Visit>
bool for_each_near(const HostMatrix& graph, Index i, bool is_wide, const Visit& visit) {
    for (Index k = graph.rows.start[i]; k < graph.rows.start[i + 1]; ++k) {
        const Index j = graph.rows.index[k];
        if (!visit(j, graph.entries[k])) return false;
        for (Index l = graph.rows.start[j]; is_wide && l < graph.rows.start[j + 1]; ++l)
            if (graph.rows.index[l] != i &&
                !visit(graph.rows.index[l], graph.entries[k] * graph.entries[l]))
                return false;
    }
    return true;
}

class Aggregation {
  public:
    Aggregation(const HostMatrix& graph, bool is_wide)
        : graph_(graph), is_wide_(is_wide), rows_(static_cast<Index>(graph.rows.rows())) {
        result_.of.assign(rows_, none);
    }
    Aggregates run() {
        make_complete_ones();
        join_leftovers();
        // Rows with no complete aggregate near them make new ones of what is left.
        for (Index i = 0; i < rows_; ++i)
            if (is_free(i) && graph_.rows.length(i) > 0) make_round(i);
        return std::move(result_);
    }

  private:
    bool is_free(Index i) const { return result_.of[i] == none; }

    void make_round(Index i) {
        result_.of[i] = result_.count;
        for_each_near(graph_, i, is_wide_, [&](Index j, double) {
            if (is_free(j)) result_.of[j] = result_.count;
            return true;
        });
        ++result_.count;
    }
    void make_complete_ones() {
        for (Index i = 0; i < rows_; ++i)
            if (is_free(i) && graph_.rows.length(i) > 0 &&
                for_each_near(graph_, i, is_wide_, [&](Index j, double) { return is_free(j); }))
                make_round(i);
    }
    void join_leftovers() {
        std::vector<std::pair<Index, Index>> joins;
        for (Index i = 0; i < rows_; ++i) {
            if (!is_free(i)) continue;
            double most = 0;
            Index best = none;
            for_each_near(graph_, i, is_wide_, [&](Index j, double weight) {
                if (!is_free(j) && weight > most) {
                    most = weight;
                    best = result_.of[j];
                }
                return true;
            });
            if (best != none) joins.emplace_back(i, best);
        }
        for (const auto& [row, aggregate] : joins) result_.of[row] = aggregate;
    }

    const HostMatrix& graph_;
    const bool is_wide_;
    const Index rows_;
    Aggregates result_;
};

}  // namespace

Aggregates aggregate(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    return Aggregation(couplings(matrix, diagonal, strength), false).run();
}

Aggregates aggregate_wide(const HostMatrix& matrix, std::span<const double> diagonal,
                          double strength) {
    return Aggregation(couplings(matrix, diagonal, strength), true).run();
}

}  // namespace solenoid

#include "solvers/aggregation.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// The strong couplings, as rows of columns and weights -a_ij / sqrt(a_ii a_jj).
HostMatrix couplings(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    const Index n = static_cast<Index>(matrix.rows.rows());
    std::vector<double> scale(n, 0.0);
    for (Index i = 0; i < n; ++i)
        if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
    const auto weight = [&](Index i, Index k) {
        const Index j = matrix.rows.index[k];
        return j < n && j != i ? -matrix.entries[k] * scale[i] * scale[j] : 0;
    };
    std::vector<double> most(n, 0.0);
    for (Index i = 0; i < n; ++i)
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k) most[i] = std::max(most[i], weight(i, k));
    HostMatrix result;
    result.rows.start.reserve(n + 1);
    result.rows.index.reserve(matrix.rows.index.size());
    result.entries.reserve(matrix.rows.index.size());
    for (Index i = 0; i < n; ++i) {
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k) {
            const double w = weight(i, k);
            if (w > 0 && w >= strength * std::min(most[i], most[matrix.rows.index[k]])) result.append(matrix.rows.index[k], w);
        }
        result.end_row();
    }
    return result;
}

Aggregates aggregate(const HostMatrix& graph) {
    const Index n = static_cast<Index>(graph.rows.rows());
    Aggregates a;
    a.of.assign(n, none);
    const auto all_free = [&](Index i) {
        return a.of[i] == none && std::all_of(graph.rows.begin(i), graph.rows.end(i), [&](Index j) { return a.of[j] == none; });
    };
    for (Index i = 0; i < n; ++i) {
        if (graph.rows.length(i) == 0 || !all_free(i)) continue;
        a.of[i] = a.count;
        for (const Index* j = graph.rows.begin(i); j != graph.rows.end(i); ++j) a.of[*j] = a.count;
        ++a.count;
    }
    std::vector<std::pair<Index, Index>> joins;
    for (Index i = 0; i < n; ++i) {
        if (a.of[i] != none) continue;
        double most = 0;
        Index best = none;
        for (Index k = graph.rows.start[i]; k < graph.rows.start[i + 1]; ++k)
            if (a.of[graph.rows.index[k]] != none && graph.entries[k] > most) {
                most = graph.entries[k];
                best = a.of[graph.rows.index[k]];
            }
        if (best != none) joins.emplace_back(i, best);
    }
    for (const auto& [row, aggregate] : joins) a.of[row] = aggregate;
    // Rows with no complete aggregate next to them make new ones of what is left.
    for (Index i = 0; i < n; ++i) {
        if (a.of[i] != none || graph.rows.length(i) == 0) continue;
        a.of[i] = a.count;
        for (const Index* j = graph.rows.begin(i); j != graph.rows.end(i); ++j)
            if (a.of[*j] == none) a.of[*j] = a.count;
        ++a.count;
    }
    return a;
}

// Couplings along one and two steps.
HostMatrix squared(const HostMatrix& graph) {
    HostMatrix result;
    const Index n = static_cast<Index>(graph.rows.rows());
    result.rows.start.reserve(n + 1);
    result.rows.index.reserve(4 * graph.rows.index.size());
    result.entries.reserve(4 * graph.rows.index.size());
    std::vector<std::size_t> place(n, 0);  // one past the entry of the row under way
    for (Index i = 0; i < n; ++i) {
        const std::size_t first = result.entries.size();
        const auto add = [&](Index j, double weight) {
            if (j == i) return;
            if (place[j] <= first) {
                result.append(j, weight);
                place[j] = result.entries.size();
            } else {
                result.entries[place[j] - 1] += weight;
            }
        };
        for (Index k = graph.rows.start[i]; k < graph.rows.start[i + 1]; ++k) {
            const Index j = graph.rows.index[k];
            add(j, graph.entries[k]);
            for (Index l = graph.rows.start[j]; l < graph.rows.start[j + 1]; ++l) add(graph.rows.index[l], graph.entries[k] * graph.entries[l]);
        }
        result.end_row();
    }
    return result;
}

}  // namespace

Aggregates aggregate(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    return aggregate(couplings(matrix, diagonal, strength));
}

Aggregates aggregate_wide(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    return aggregate(squared(couplings(matrix, diagonal, strength)));
}

}  // namespace solenoid

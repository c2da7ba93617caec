#include "solvers/aggregation.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// The couplings above the strength, as rows of columns and weights -a_ij / sqrt(a_ii a_jj).
HostMatrix couplings(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    const Index n = static_cast<Index>(matrix.rows.rows());
    std::vector<double> scale(n, 0.0);
    for (Index i = 0; i < n; ++i)
        if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
    HostMatrix result;
    result.rows.start.reserve(n + 1);
    result.rows.index.reserve(matrix.rows.index.size());
    result.entries.reserve(matrix.rows.index.size());
    for (Index i = 0; i < n; ++i) {
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k) {
            const Index j = matrix.rows.index[k];
            if (j >= n || j == i) continue;
            const double weight = -matrix.entries[k] * scale[i] * scale[j];
            if (weight > strength) result.append(j, weight);
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

// The graph of the aggregates: what couples two of them, summed.
HostMatrix condensed(const HostMatrix& graph, const Aggregates& a) {
    std::vector<Index> start(a.count + 1, 0);
    for (Index i : a.of)
        if (i != none) ++start[i + 1];
    for (Index c = 0; c < a.count; ++c) start[c + 1] += start[c];
    std::vector<Index> members(start.back()), next(start.begin(), start.end() - 1);
    for (Index i = 0; i < a.of.size(); ++i)
        if (a.of[i] != none) members[next[a.of[i]]++] = i;
    HostMatrix result;
    std::vector<std::size_t> place(a.count, 0);
    for (Index c = 0; c < a.count; ++c) {
        const std::size_t first = result.entries.size();
        for (Index m = start[c]; m < start[c + 1]; ++m)
            for (Index k = graph.rows.start[members[m]]; k < graph.rows.start[members[m] + 1]; ++k) {
                const Index other = a.of[graph.rows.index[k]];
                if (other == c) continue;
                if (place[other] <= first) {
                    result.append(other, graph.entries[k]);
                    place[other] = result.entries.size();
                } else {
                    result.entries[place[other] - 1] += graph.entries[k];
                }
            }
        result.end_row();
    }
    return result;
}

}  // namespace

Aggregates aggregate(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    return aggregate(couplings(matrix, diagonal, strength));
}

Aggregates aggregate_twice(const HostMatrix& matrix, std::span<const double> diagonal, double strength) {
    const HostMatrix graph = couplings(matrix, diagonal, strength);
    Aggregates small = aggregate(graph);
    const Aggregates large = aggregate(condensed(graph, small));
    Aggregates result;
    result.of.assign(small.of.size(), none);
    result.count = large.count;
    // An aggregate that nothing is coupled to stays as it is.
    std::vector<Index> alone(small.count, none);
    for (std::size_t i = 0; i < small.of.size(); ++i) {
        const Index c = small.of[i];
        if (c == none) continue;
        if (large.of[c] != none) result.of[i] = large.of[c];
        else result.of[i] = alone[c] = alone[c] != none ? alone[c] : result.count++;
    }
    return result;
}

}  // namespace solenoid

#include "solvers/multigrid/prolongation.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "solvers/multigrid/global_rows.hpp"

namespace solenoid {
namespace {

// (I - omega D^-1 A) P_0 of A P_0. of: each row's column of P_0, or `none`.
void smooth(HostMatrix& ap, const std::vector<Index>& of, const std::vector<double>& diagonal,
            double omega) {
    for_each(0, diagonal.size(), [&](Index i) {
        const double factor = diagonal[i] > 0 ? -omega / diagonal[i] : 0;
        for (Index k = ap.rows.start[i]; k < ap.rows.start[i + 1]; ++k)
            ap.entries[k] = factor * ap.entries[k] + (ap.rows.index[k] == of[i] ? 1.0 : 0.0);
    });
}

}  // namespace

Aggregates one_each(const std::vector<double>& diagonal) {
    Aggregates result;
    for (double d : diagonal) result.of.push_back(d > 0 ? result.count++ : none);
    return result;
}

ParallelMatrix tentative_prolongation(const Communicator& comm, const Aggregates& aggregates) {
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

ParallelMatrix smoothed_prolongation(const Communicator& comm, const ParallelMatrix& a,
                                     const Aggregates& aggregates,
                                     const std::vector<double>& diagonal, double omega) {
    ParallelMatrix p = product(comm, a, tentative_prolongation(comm, aggregates));
    smooth(p.rows, aggregates.of, diagonal, omega);
    round_to_single(p.rows);
    return p;
}

ParallelMatrix tentative_prolongation(const Communicator& comm,
                                      const IndependentAggregates& aggregates) {
    GlobalRows rows;
    for (const GlobalIndex of : aggregates.of) {
        if (of >= 0) {
            rows.column.push_back(of);
            rows.entry.push_back(1);
        }
        rows.start.push_back(static_cast<Index>(rows.column.size()));
    }
    return localized(comm, aggregates.partition, rows);
}

ParallelMatrix smoothed_prolongation(const Communicator& comm, const ParallelMatrix& a,
                                     const IndependentAggregates& aggregates,
                                     const std::vector<double>& diagonal, double omega) {
    ParallelMatrix p = product(comm, a, tentative_prolongation(comm, aggregates));
    const Columns columns(comm, p.partition, p.ghosts);
    std::vector<Index> of;
    for (const GlobalIndex number : aggregates.of)
        of.push_back(number >= 0 && columns.has(number) ? columns.local(number) : none);
    smooth(p.rows, of, diagonal, omega);
    round_to_single(p.rows);
    return p;
}

void round_to_single(HostMatrix& p) {
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

GalerkinProduct galerkin_product(const Communicator& comm, const ParallelMatrix& a,
                                 const ParallelMatrix& p, const std::vector<GlobalIndex>& names,
                                 bool has_names) {
    GalerkinProduct result;
    result.restriction = transposed(comm, p, a.partition);
    if (has_names)
        sort_rows(result.restriction.rows, names_of_columns(comm, result.restriction, names));
    result.matrix = product(comm, result.restriction, product(comm, a, p));
    return result;
}

}  // namespace solenoid

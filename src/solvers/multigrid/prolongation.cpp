#include "solvers/multigrid/prolongation.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace solenoid {
namespace {

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
    smooth(p.rows, aggregates, diagonal, omega);
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
                                 const ParallelMatrix& p) {
    GalerkinProduct result;
    result.restriction = transposed(comm, p, a.partition);
    result.matrix = product(comm, result.restriction, product(comm, a, p));
    return result;
}

}  // namespace solenoid

// A matrix on the host: rows in double.
#pragma once

#include "core/pieces.hpp"
#include "core/transposed_incidence.hpp"
#include "core/uninitialized_vector.hpp"

namespace solenoid {

// Of a mesh: a row for each marked entity, columns of any entity held, the diagonal among them.
struct HostMatrix {
    Rows rows;
    std::vector<double> entries;  // one an index of `rows`

    double diagonal(Index i) const {
        for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k)
            if (rows.index[k] == i) return entries[k];
        return 0;
    }
    void reserve(std::size_t rows_to_come, std::size_t entries_to_come) {
        rows.start.reserve(rows_to_come + 1);
        rows.index.reserve(entries_to_come);
        entries.reserve(entries_to_come);
    }
    void append(Index column, double entry) {
        rows.index.push_back(column);
        entries.push_back(entry);
    }
    void end_row() { rows.start.push_back(static_cast<Index>(rows.index.size())); }
};

inline HostMatrix joined(std::vector<HostMatrix> pieces) {
    std::vector<Rows> rows;
    std::vector<std::vector<double>> entries;
    for (HostMatrix& piece : pieces) {
        rows.push_back(std::move(piece.rows));
        entries.push_back(std::move(piece.entries));
    }
    return {joined(std::move(rows)), joined(std::move(entries))};
}

// Rows [0, rows) of the transpose.
inline HostMatrix transposed(const HostMatrix& matrix, Index rows) {
    UninitializedVector<Index> row(matrix.entries.size());
    for_each(0, matrix.rows.rows(), [&](Index i) {
        std::fill(row.begin() + matrix.rows.start[i], row.begin() + matrix.rows.start[i + 1], i);
    });
    HostMatrix result;
    result.rows =
        transposed_incidence(row.size(), rows, [&](std::size_t k) { return matrix.rows.index[k]; });
    result.entries.resize(result.rows.index.size());
    for_each(0, result.entries.size(), [&](std::size_t n) {
        const Index k = result.rows.index[n];
        result.rows.index[n] = row[k];
        result.entries[n] = matrix.entries[k];
    });
    return result;
}

// (A x)_i = shift_i x_i + sum_j w_ij (x_i - x_j), a weight for each of the neighbours.
inline HostMatrix matrix_of_differences(const Rows& neighbours, const std::vector<double>& weights,
                                        const std::vector<double>& shift) {
    return joined(pieces_of(neighbours.rows(), [&](Index begin, Index end) {
        HostMatrix matrix;
        const std::size_t entries = neighbours.start[end] - neighbours.start[begin] + end - begin;
        matrix.reserve(end - begin, entries);
        for (Index i = begin; i < end; ++i) {
            double diagonal = shift[i];
            for (Index k = neighbours.start[i]; k < neighbours.start[i + 1]; ++k)
                diagonal += weights[k];
            matrix.append(i, diagonal);
            for (Index k = neighbours.start[i]; k < neighbours.start[i + 1]; ++k)
                matrix.append(neighbours.index[k], -weights[k]);
            matrix.end_row();
        }
        return matrix;
    }));
}

}  // namespace solenoid

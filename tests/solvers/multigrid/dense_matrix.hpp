// Whole matrices on every rank: what tests compare matrices scattered over the ranks with.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "solvers/multigrid/global_rows.hpp"

namespace solenoid::test {

struct Dense {
    Dense(std::size_t rows, std::size_t columns)
        : rows(rows), columns(columns), entries(rows * columns, 0.0) {}
    double& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
    double operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }

    std::size_t rows, columns;
    std::vector<double> entries;
};

inline Dense operator*(const Dense& a, const Dense& b) {
    Dense c(a.rows, b.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t k = 0; k < a.columns; ++k)
            for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}
inline Dense transposed(const Dense& a) {
    Dense result(a.columns, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
    return result;
}
inline void expect_near(const Dense& a, const Dense& b, double tolerance) {
    ASSERT_EQ(a.rows, b.rows);
    ASSERT_EQ(a.columns, b.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.columns; ++j)
            ASSERT_NEAR(a(i, j), b(i, j), tolerance) << i << ", " << j;
}

// Rows dealt out unevenly: none on the second of three ranks.
inline RowPartition uneven(const Communicator& comm, Index count) {
    std::vector<GlobalIndex> sizes(comm.size(), 0);
    sizes.front() = comm.size() > 1 ? count / 3 : count;
    if (comm.size() > 1) sizes.back() = count - sizes.front();
    return RowPartition::of(sizes);
}

// This rank's rows of a dense matrix, without its zeros, columns from the last to the first.
inline ParallelMatrix scattered(const Communicator& comm, const Dense& a, const RowPartition& rows,
                                const RowPartition& columns) {
    GlobalRows own;
    for (GlobalIndex i = rows.start[comm.rank()]; i < rows.start[comm.rank() + 1]; ++i) {
        for (std::size_t j = a.columns; j-- > 0;)
            if (a(i, j) != 0) {
                own.column.push_back(static_cast<GlobalIndex>(j));
                own.entry.push_back(a(i, j));
            }
        own.start.push_back(static_cast<Index>(own.column.size()));
    }
    return localized(comm, columns, own);
}

// All rows on every rank; a column may be named once in a row. Collective.
inline Dense whole(const Communicator& comm, const ParallelMatrix& a) {
    const RowPartition rows = row_partition(comm, static_cast<Index>(a.rows.rows.rows()));
    Dense result(rows.count(), a.partition.count());
    for (Index i = 0; i < a.rows.rows.rows(); ++i)
        for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k) {
            double& entry =
                result(rows.start[comm.rank()] + i, a.global(comm, a.rows.rows.index[k]));
            EXPECT_EQ(entry, 0);
            entry = a.rows.entries[k];
        }
    comm.sum(std::span<double>(result.entries));
    return result;
}

// Ghosts ascend, none is this rank's own, and all are named.
inline void expect_ghosts_in_order(const Communicator& comm, const ParallelMatrix& a) {
    std::vector<bool> is_named(a.all_columns(comm), false);
    for (Index column : a.rows.rows.index) is_named.at(column) = true;
    for (std::size_t g = 0; g < a.ghosts.size(); ++g) {
        EXPECT_NE(a.partition.owner(a.ghosts[g]), comm.rank());
        if (g) {
            EXPECT_LT(a.ghosts[g - 1], a.ghosts[g]);
        }
        EXPECT_TRUE(is_named[a.own_columns(comm) + g]) << g;
    }
}

// Sparse, of values that products in double make without rounding.
inline Dense whole_numbers(std::size_t rows, std::size_t columns, unsigned seed) {
    Dense a(rows, columns);
    for (double& entry : a.entries) {
        seed = seed * 1664525u + 1013904223u;
        const int value = static_cast<int>(seed >> 24) % 16;
        entry = value < 5 ? value - 2 : 0;
    }
    return a;
}

// -div(k grad) on a grid of n by m points with conductances between 1 and 2 that no symmetry has,
// nothing fixed: rows add up to zero.
inline Dense grid_laplacian(std::size_t n, std::size_t m) {
    Dense a(n * m, n * m);
    const auto couple = [&](std::size_t i, std::size_t j) {
        const double k = 1.5 + 0.5 * std::sin(3.0 * double(i) + 5.0 * double(j));
        a(i, j) -= k;
        a(j, i) -= k;
        a(i, i) += k;
        a(j, j) += k;
    };
    for (std::size_t y = 0; y < m; ++y)
        for (std::size_t x = 0; x < n; ++x) {
            if (x + 1 < n) couple(y * n + x, y * n + x + 1);
            if (y + 1 < m) couple(y * n + x, y * n + x + n);
        }
    return a;
}

}  // namespace solenoid::test

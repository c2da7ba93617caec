// A small matrix with all its entries.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

struct DenseMatrix {
    Index rows, columns;
    std::vector<double> entries;  // column by column

    DenseMatrix(Index of_rows, Index of_columns)
        : rows(of_rows), columns(of_columns), entries(std::size_t(of_rows) * of_columns) {}
    double operator()(Index i, Index j) const { return entries[std::size_t(j) * rows + i]; }
    double& operator()(Index i, Index j) { return entries[std::size_t(j) * rows + i]; }
    std::span<const double> column(Index j) const {
        return {entries.data() + std::size_t(j) * rows, rows};
    }
    std::span<double> column(Index j) { return {entries.data() + std::size_t(j) * rows, rows}; }
};

}  // namespace solenoid

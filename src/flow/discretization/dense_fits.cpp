#include "flow/discretization/dense_fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "flow/discretization/singular_values.hpp"

namespace solenoid {
namespace {

DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix product(a.rows, b.columns);
    for (Index j = 0; j < b.columns; ++j)
        for (Index k = 0; k < a.columns; ++k)
            for (Index i = 0; i < a.rows; ++i) product(i, j) += a(i, k) * b(k, j);
    return product;
}

// a - factor b.
DenseMatrix less(DenseMatrix a, double factor, const DenseMatrix& b) {
    for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] -= factor * b.entries[i];
    return a;
}

void scale_columns(DenseMatrix& matrix, std::span<const double> factor) {
    for (Index j = 0; j < matrix.columns; ++j)
        for (double& entry : matrix.column(j)) entry *= factor[j];
}

}  // namespace

DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       double determined, double most) {
    const auto count = static_cast<Index>(weight.size());
    const Index columns = functions.columns;
    const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
    std::vector<double> mean(count), means(columns), scale(columns);
    for (Index i = 0; i < count; ++i) mean[i] = weight[i] / sum;
    DenseMatrix centred(count, columns);
    for (Index j = 0; j < columns; ++j) {
        double square = 0;
        for (Index i = 0; i < count; ++i) means[j] += mean[i] * functions(i, j);
        for (Index i = 0; i < count; ++i) {
            centred(i, j) = std::sqrt(weight[i]) * (functions(i, j) - means[j]);
            square += centred(i, j) * centred(i, j);
        }
        scale[j] = square > 0 ? 1 / std::sqrt(square) : 0;
    }
    scale_columns(centred, scale);
    DenseMatrix of_rest(count, count);  // of the values' differences from their mean
    for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < count; ++i)
            of_rest(i, j) = std::sqrt(weight[i]) * ((i == j) - mean[j]);
    const DenseMatrix factors = pseudo_inverse(centred, determined) * of_rest;
    DenseMatrix rows(columns + 1, count);
    std::vector<double> quadratic(count);
    double whole = 0;
    for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < columns; ++j) {
            rows(j + 1, i) = scale[j] * factors(j, i);
            quadratic[i] += means[j] * rows(j + 1, i);
        }
        whole += std::abs(mean[i] - quadratic[i]);
    }
    const double part = whole > most ? (most - 1) / (whole - 1) : 1;
    for (Index i = 0; i < count; ++i) rows(0, i) = mean[i] - part * quadratic[i];
    return rows;
}

DenseMatrix staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                       std::span<const double> weight, double negligible, double most) {
    const DenseMatrix mean = pseudo_inverse(constant, negligible), of_linear = mean * linear,
                      remainder = less(linear, 1, constant * of_linear),
                      quadratic = of_linear * pseudo_inverse(remainder, negligible);
    const auto magnitude = [&](const DenseMatrix& rows) {
        double sum = 0;
        for (Index i = 0; i < rows.columns; ++i) {
            const std::span<const double> x = rows.column(i);
            sum += weight[i] * std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
        }
        return sum;
    };
    const double least = magnitude(mean), whole = magnitude(less(mean, 1, quadratic)),
                 part = whole > most ? std::max(0.0, (most - least) / (whole - least)) : 1;
    DenseMatrix rows = less(mean, part, quadratic);
    scale_columns(rows, weight);
    return rows;
}

std::vector<double> scaled_solution(const DenseMatrix& matrix, std::span<const double> rhs,
                                    double dependent) {
    const Index n = matrix.rows;
    std::vector<double> scale(n), x(n);
    for (Index i = 0; i < n; ++i)
        scale[i] = 1 / std::sqrt(std::max(matrix(i, i), std::numeric_limits<double>::min()));
    DenseMatrix scaled(n, n);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) scaled(i, j) = scale[i] * matrix(i, j) * scale[j];
    const DenseMatrix inverse = pseudo_inverse(scaled, dependent);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) x[i] += scale[i] * inverse(i, j) * scale[j] * rhs[j];
    return x;
}

}  // namespace solenoid

#include "flow/discretization/dense_fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

double norm(std::span<const double> x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// linear_fit() by functions in units of the norms of their differences from the mean. Those of a
// norm of at most least[j] are left out.
struct RankedFit {
    DenseMatrix rows;
    Index rank;
};
RankedFit ranked_fit(std::span<const double> weight, const DenseMatrix& functions,
                     std::span<const double> least, double determined, double most) {
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
        scale[j] = square > least[j] * least[j] ? 1 / std::sqrt(square) : 0;
    }
    scale_columns(centred, scale);
    DenseMatrix of_rest(count, count);  // of the values' differences from their mean
    for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < count; ++i)
            of_rest(i, j) = std::sqrt(weight[i]) * ((i == j) - mean[j]);
    const PseudoInverse inverse = ranked_inverse(centred, determined);
    const DenseMatrix factors = inverse.matrix * of_rest;
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
    return {std::move(rows), inverse.rank};
}

// The fit by the pseudo-inverses of `constant` and of what they leave of `linear`.
template <class Inverse>
StagedFit staged_fit_by(const PseudoInverse& of_constant, const DenseMatrix& remainder,
                        const DenseMatrix& linear, const Inverse& inverse,
                        std::span<const double> weight, double most) {
    const DenseMatrix& mean = of_constant.matrix;
    const PseudoInverse of_rest = inverse(remainder);
    const DenseMatrix quadratic = mean * linear * of_rest.matrix;
    const auto magnitude = [&](const DenseMatrix& rows) {
        double sum = 0;
        for (Index i = 0; i < rows.columns; ++i) sum += weight[i] * norm(rows.column(i));
        return sum;
    };
    const double least = magnitude(mean), whole = magnitude(less(mean, 1, quadratic)),
                 part = whole <= most  ? 1
                        : least < most ? (most - least) / (whole - least)
                                       : 0;
    DenseMatrix rows = less(mean, part, quadratic);
    scale_columns(rows, weight);
    return {std::move(rows), {of_constant.rank, of_rest.rank}};
}

}  // namespace

DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       double determined, double most) {
    const std::vector<double> none(functions.columns, 0.0);
    return ranked_fit(weight, functions, none, determined, most).rows;
}

DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       const DenseMatrix& axes, double determined, double most) {
    std::vector<double> least(functions.columns, 0.0);
    RankedFit fit = ranked_fit(weight, functions, least, determined, most);
    if (fit.rank == functions.columns) return std::move(fit.rows);
    constexpr double rounding = 1e-12;
    const DenseMatrix combined = functions * axes;
    for (Index k = 0; k < combined.columns; ++k) {
        double whole = 0, of_parts = 0;
        for (Index i = 0; i < combined.rows; ++i) {
            double parts = 0;
            for (Index j = 0; j < functions.columns; ++j)
                parts += std::abs(functions(i, j) * axes(j, k));
            whole += weight[i] * combined(i, k) * combined(i, k);
            of_parts += weight[i] * parts * parts;
        }
        least[k] = std::max(determined * std::sqrt(whole), rounding * std::sqrt(of_parts));
    }
    const RankedFit of_axes = ranked_fit(weight, combined, least, determined, most);
    if (of_axes.rank <= fit.rank) return std::move(fit.rows);
    for (Index i = 0; i < fit.rows.columns; ++i) {
        fit.rows(0, i) = of_axes.rows(0, i);
        for (Index j = 0; j < functions.columns; ++j) {
            fit.rows(j + 1, i) = 0;
            for (Index k = 0; k < functions.columns; ++k)
                fit.rows(j + 1, i) += axes(j, k) * of_axes.rows(k + 1, i);
        }
    }
    return std::move(fit.rows);
}

StagedFit staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                     std::span<const double> weight, double negligible, double most) {
    const PseudoInverse first = ranked_inverse(constant, negligible);
    const auto inverse = [&](const DenseMatrix& rest) { return ranked_inverse(rest, negligible); };
    return staged_fit_by(first, less(linear, 1, constant * (first.matrix * linear)), linear,
                         inverse, weight, most);
}

StagedFit scaled_staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                            std::span<const double> weight, const LeastValue& least,
                            double negligible, double most) {
    const PseudoInverse first = ranked_inverse(constant, least);
    DenseMatrix remainder = linear;
    for (int pass = 0; pass < 2; ++pass)  // the large entries of `first` leave rounding at first
        remainder = less(remainder, 1, constant * (first.matrix * remainder));
    std::vector<double> left(linear.columns);
    for (Index j = 0; j < linear.columns; ++j) left[j] = negligible * norm(linear.column(j));
    const auto inverse = [&](const DenseMatrix& rest) {
        return column_scaled_inverse(rest, left, negligible);
    };
    return staged_fit_by(first, remainder, linear, inverse, weight, most);
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

#include "flow/discretization/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace solenoid {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr int most_sweeps = 60;  // some ten are enough

double dot(std::span<const double> x, std::span<const double> y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

DenseMatrix transposed(const DenseMatrix& matrix) {
    DenseMatrix result(matrix.columns, matrix.rows);
    for (Index j = 0; j < matrix.columns; ++j)
        for (Index i = 0; i < matrix.rows; ++i) result(j, i) = matrix(i, j);
    return result;
}

// A rotation of two vectors: x becomes c x - s y, y becomes s x + c y.
void rotate(std::span<double> x, std::span<double> y, double c, double s) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double before = x[i];
        x[i] = c * before - s * y[i];
        y[i] = s * before + c * y[i];
    }
}

// Makes columns p and q of `columns` orthogonal, and rotates those of `right` alike. False where
// they are so already.
bool made_orthogonal(DenseMatrix& columns, DenseMatrix& right, Index p, Index q) {
    const double xx = dot(columns.column(p), columns.column(p)),
                 yy = dot(columns.column(q), columns.column(q)),
                 xy = dot(columns.column(p), columns.column(q));
    if (!(std::abs(xy) > rounding * std::sqrt(xx) * std::sqrt(yy))) return false;
    const double cotangent = (yy - xx) / (2 * xy),  // of twice the angle
        tangent = std::copysign(1 / (std::abs(cotangent) + std::hypot(1.0, cotangent)), cotangent),
                 c = 1 / std::hypot(1.0, tangent), s = c * tangent;
    rotate(columns.column(p), columns.column(q), c, s);
    rotate(right.column(p), right.column(q), c, s);
    return true;
}

// Of at least as many rows as columns, the largest entry about 1.
SingularValues of_tall(DenseMatrix matrix) {
    const Index n = matrix.columns;
    DenseMatrix right(n, n);
    for (Index j = 0; j < n; ++j) right(j, j) = 1;
    bool changes = true;
    for (int sweep = 0; sweep < most_sweeps && std::exchange(changes, false); ++sweep)
        for (Index p = 0; p + 1 < n; ++p)
            for (Index q = p + 1; q < n; ++q)
                if (made_orthogonal(matrix, right, p, q)) changes = true;
    std::vector<double> norm(n);
    for (Index j = 0; j < n; ++j) norm[j] = std::sqrt(dot(matrix.column(j), matrix.column(j)));
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return norm[a] > norm[b]; });
    SingularValues result{std::vector<double>(n), DenseMatrix(matrix.rows, n), DenseMatrix(n, n)};
    for (Index j = 0; j < n; ++j) {
        const double value = result.values[j] = norm[order[j]];
        std::ranges::copy(right.column(order[j]), result.right.column(j).begin());
        std::ranges::transform(matrix.column(order[j]), result.left.column(j).begin(),
                               [&](double x) { return value == 0 ? 0 : x / value; });
    }
    return result;
}

PseudoInverse inverse_of(const SingularValues& svd, const LeastValue& least) {
    PseudoInverse inverse{DenseMatrix(svd.right.rows, svd.left.rows), 0};
    for (std::size_t k = 0; k < svd.values.size(); ++k) {
        const double value = svd.values[k];
        const std::span<const double> u = svd.left.column(k), v = svd.right.column(k);
        if (value == 0 || value < least(v)) continue;
        for (Index j = 0; j < inverse.matrix.columns; ++j)
            for (Index i = 0; i < inverse.matrix.rows; ++i)
                inverse.matrix(i, j) += v[i] / value * u[j];
        ++inverse.rank;
    }
    return inverse;
}

}  // namespace

SingularValues singular_values(const DenseMatrix& matrix) {
    const bool is_wide = matrix.rows < matrix.columns;
    DenseMatrix tall = is_wide ? transposed(matrix) : matrix;
    // by a power of two, so that squares neither overflow nor vanish
    double largest = 0;
    for (const double entry : tall.entries) largest = std::max(largest, std::abs(entry));
    const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    for (double& entry : tall.entries) entry = std::ldexp(entry, -exponent);
    SingularValues result = of_tall(std::move(tall));
    for (double& value : result.values) value = std::ldexp(value, exponent);
    if (is_wide) std::swap(result.left, result.right);
    return result;
}

PseudoInverse ranked_inverse(const DenseMatrix& matrix, const LeastValue& least) {
    return inverse_of(singular_values(matrix), least);
}

PseudoInverse ranked_inverse(const DenseMatrix& matrix, double negligible) {
    const SingularValues svd = singular_values(matrix);
    const double least = svd.values.empty() ? 0 : negligible * svd.values.front();
    return inverse_of(svd, [&](std::span<const double>) { return least; });
}

DenseMatrix pseudo_inverse(const DenseMatrix& matrix, double negligible) {
    return ranked_inverse(matrix, negligible).matrix;
}

DenseMatrix pseudo_inverse(const DenseMatrix& matrix) {
    return pseudo_inverse(matrix, rounding * std::max(matrix.rows, matrix.columns));
}

PseudoInverse column_scaled_inverse(const DenseMatrix& matrix, std::span<const double> least,
                                    double negligible) {
    DenseMatrix scaled = matrix;
    std::vector<double> scale(matrix.columns);
    for (Index j = 0; j < matrix.columns; ++j) {
        const double norm = std::sqrt(dot(matrix.column(j), matrix.column(j)));
        scale[j] = norm > least[j] ? 1 / norm : 0;
        for (double& entry : scaled.column(j)) entry *= scale[j];
    }
    PseudoInverse inverse = ranked_inverse(scaled, negligible);
    for (Index j = 0; j < matrix.rows; ++j)
        for (Index i = 0; i < matrix.columns; ++i) inverse.matrix(i, j) *= scale[i];
    return inverse;
}

}  // namespace solenoid

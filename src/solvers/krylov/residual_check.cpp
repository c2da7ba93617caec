#include "solvers/krylov/residual_check.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr double safety = 4;  // for what random signs are off; rounding seldom adds up n-fold

}  // namespace

double Drift::gap(double true_residual) const { return std::abs(true_residual - residual); }

double Drift::bound(double matrix_size, double entries) const {
    using Single = std::numeric_limits<float>;
    using Double = std::numeric_limits<double>;
    const double epsilon = in_double ? Double::epsilon() : Single::epsilon(),
                 tiny = in_double ? Double::min() : Single::min();
    return safety * (iterations + 1) *
           (epsilon * (largest + matrix_size) + tiny * longest * std::sqrt(entries));
}

template <class Real>
ColumnSums column_squares(Device& device, Range range, const Buffer<Real>& v) {
    const Over over(device, range);
    const auto square = [&](int k) { return sum(product(column(v, k), column(v, k))); };
    if (v.columns() == 1) return {over.reduce(square(0))[0]};
    if (v.columns() == 2) {
        const auto [first, second] = over.reduce(square(0), square(1));
        return {first, second};
    }
    return {over.reduce(square(0), square(1), square(2))};
}

template <class Real>
ColumnSums ResidualCheck<Real>::matrix_sizes(const Buffer<Real>& x) {
    if (!signs_) {
        std::vector<Real> signs(size_);
        std::minstd_rand random(1 + sums_.communicator().rank());
        for (Real& sign : signs) sign = random() & 1024 ? 1 : -1;
        signs_ = device_.buffer<Real>(std::span<const Real>(signs));
        entries_ = sums_.sum(static_cast<double>(range_.size()));
        for (auto* vector : {&signed_, &image_}) *vector = device_.buffer<Real>(size_, columns_);
    }
    for (int k = 0; k < columns_; ++k)
        Over(device_, range_)[column(signed_, k)] = signs_ * column(x, k);
    product_(signed_, image_);
    ColumnSums squares = column_squares(device_, range_, image_);
    sums_.sum(std::span(squares).first(columns_));
    for (double& value : squares) value = std::sqrt(value);
    return squares;
}

template class ResidualCheck<float>;
template class ResidualCheck<double>;
template ColumnSums column_squares(Device&, Range, const Buffer<float>&);
template ColumnSums column_squares(Device&, Range, const Buffer<double>&);

}  // namespace solenoid

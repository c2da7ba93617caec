#include "solvers/krylov/residual_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr double safety = 4;  // for what random signs are off; rounding seldom adds up n-fold

}  // namespace

void Drift::add(double norm, double alpha, double ay, double omega, double az) {
    ++iterations;
    residual = norm;
    largest = std::max({largest, residual, std::abs(alpha) * ay, std::abs(omega) * az});
    longest = std::max({longest, std::abs(alpha), std::abs(omega)});
}

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
ColumnSums ResidualCheck<Real>::matrix_sizes(const Buffer<Real>& x) {
    Device& device = matrix_.device();
    const Range range = matrix_.range();
    const int columns = matrix_.columns();
    if (!signs_) {
        std::vector<Real> signs(matrix_.size());
        std::minstd_rand random(1 + sums_.communicator().rank());
        for (Real& sign : signs) sign = random() & 1024 ? 1 : -1;
        signs_ = device.buffer<Real>(std::span<const Real>(signs));
        entries_ = sums_.sum(static_cast<double>(range.size()));
        for (auto* vector : {&signed_, &image_}) *vector = matrix_.vector();
    }
    for (int k = 0; k < columns; ++k)
        Over(device, range)[column(signed_, k)] = signs_ * column(x, k);
    matrix_.apply(signed_, image_);
    ColumnSums squares = column_dots(sums_.communicator(), device, range, image_, image_);
    sums_.sum(std::span(squares).first(columns));
    for (double& value : squares) value = std::sqrt(value);
    return squares;
}

template class ResidualCheck<float>;
template class ResidualCheck<double>;

}  // namespace solenoid

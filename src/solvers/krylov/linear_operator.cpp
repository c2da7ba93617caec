#include "solvers/krylov/linear_operator.hpp"

#include <stdexcept>

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
ColumnSums column_dots(const SummingRanks& ranks, Device& device, Range range,
                       const Buffer<Real>& x, const Buffer<Real>& y) {
    const Over over(device, range);
    const auto dot = [&](int k) { return sum(product(column(x, k), column(y, k))); };
    if (x.columns() == 1) return {over.reduce(ranks, dot(0))[0]};
    if (x.columns() == 2) {
        const auto [first, second] = over.reduce(ranks, dot(0), dot(1));
        return {first, second};
    }
    return {over.reduce(ranks, dot(0), dot(1), dot(2))};
}

template <class Real>
ColumnSums LinearOperator<Real>::apply_dot(const SummingRanks& ranks, Buffer<Real>& x,
                                           Buffer<Real>& y) {
    apply(x, y);
    return column_dots(ranks, device(), range(), x, y);
}

template <class Real>
ColumnSums LinearOperator<Real>::residual(const SummingRanks& ranks, const Buffer<Real>& b,
                                          Buffer<Real>& x, Buffer<Real>& r) {
    apply(x, r);
    Over(device(), range())[r] = b - r;
    return column_dots(ranks, device(), range(), r, r);
}

template <class Real>
LinearOperator<float>& LinearOperator<Real>::rounded() {
    throw std::logic_error("the matrix has no copy in single precision");
}

template class LinearOperator<float>;
template class LinearOperator<double>;
template class FunctionOperator<float>;
template class FunctionOperator<double>;
template ColumnSums column_dots(const SummingRanks&, Device&, Range, const Buffer<float>&,
                                const Buffer<float>&);
template ColumnSums column_dots(const SummingRanks&, Device&, Range, const Buffer<double>&,
                                const Buffer<double>&);

}  // namespace solenoid

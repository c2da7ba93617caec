#include "solvers/krylov/fischer_projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// What is added so that zeros have one sign, whatever the vectors that do not count hold: a run
// that goes on from a saved state has not the same there.
constexpr double no_sign = 0.0;

}  // namespace

template <class Real>
FischerProjection<Real>::FischerProjection(const Communicator& comm, Device& device,
                                           const LinearOperator<Real>& matrix)
    : sums_(comm), device_(device), matrix_(matrix) {
    for (auto* list : {&basis_, &image_})
        for (Buffer<Real>& vector : *list) vector = device.buffer<Real>(matrix.size());
    for (Buffer<Real>* vector : {&next_, &next_image_})
        *vector = device.buffer<Real>(matrix.size());
}

template <class Real>
void FischerProjection<Real>::guess(const Buffer<Real>& b, Buffer<Real>& x) {
    Over(device_, {0, matrix_.size()})[x] = 0;
    if (count_ == 0) return;
    const Over range(device_, matrix_.range());
    const auto& v = basis_;
    std::array<double, most> along =
        range.reduce(sums_.communicator(), sum(product(v[0], b)), sum(product(v[1], b)),
                     sum(product(v[2], b)), sum(product(v[3], b)));
    sums_.sum(along);
    std::fill(along.begin() + count_, along.end(), 0.0);
    range[x] = no_sign + along[0] * v[0] + along[1] * v[1] + along[2] * v[2] + along[3] * v[3];
}

// x made orthogonal to the basis and of length one, appended; nothing where it is in the basis'
// span but for rounding.
template <class Real>
void FischerProjection<Real>::remember(const Buffer<Real>& x, const Buffer<Real>& b,
                                       const Buffer<Real>& r) {
    if (count_ == most) count_ = 0;
    const Over range(device_, matrix_.range());
    const auto &v = basis_, &w = image_;
    std::array<double, most> along =
        range.reduce(sums_.communicator(), sum(product(w[0], x)), sum(product(w[1], x)),
                     sum(product(w[2], x)), sum(product(x, b - r)));
    sums_.sum(along);
    const double whole = along[3];
    std::fill(along.begin() + count_, along.end(), 0.0);
    double square = whole;
    for (const double part : along) square -= part * part;
    if (!(square > 1e-6 * whole)) return;
    const double scale = 1 / std::sqrt(square);
    range[next_] = scale * (x - along[0] * v[0] - along[1] * v[1] - along[2] * v[2]);
    range[next_image_] =
        no_sign + scale * (b - r - along[0] * w[0] - along[1] * w[1] - along[2] * w[2]);
    std::swap(basis_[count_], next_);
    std::swap(image_[count_], next_image_);
    ++count_;
}

template class FischerProjection<float>;
template class FischerProjection<double>;

}  // namespace solenoid

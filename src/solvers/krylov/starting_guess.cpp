#include "solvers/krylov/starting_guess.hpp"

#include <cmath>

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
StartingGuess<Real>::StartingGuess(const Communicator& comm, Device& device, LinearOperator<Real>& matrix, int most)
    : comm_(comm), device_(device), matrix_(matrix) {
    for (int k = 0; k < most; ++k)
        for (auto* list : {&basis_, &image_}) list->push_back(device.buffer<Real>(matrix.size()));
}

template <class Real>
void StartingGuess<Real>::guess(const Buffer<Real>& b, Buffer<Real>& x) {
    Over(device_, {0, matrix_.size()})[x] = 0;
    const Over range(device_, matrix_.range());
    std::vector<double> along(count_);
    for (int k = 0; k < count_; ++k) along[k] = range.dot(basis_[k], b);
    comm_.sum(along);
    for (int k = 0; k < count_; ++k) range[x] += along[k] * basis_[k];
}

// x made orthogonal to the basis and of length one, appended; nothing where it is in the basis' span but for rounding.
template <class Real>
void StartingGuess<Real>::add(Buffer<Real>& x) {
    Buffer<Real>&next = basis_[count_], &image = image_[count_];
    device_.copy(x, next);
    const Over range(device_, matrix_.range());
    std::vector<double> products(count_ + 1);
    for (int k = 0; k < count_; ++k) products[k] = range.dot(image_[k], x);
    products[count_] = matrix_.apply(next, image);
    comm_.sum(products);
    double square = products[count_];
    const double whole = square;
    for (int k = 0; k < count_; ++k) square -= products[k] * products[k];
    if (!(square > 1e-6 * whole)) return;
    for (int k = 0; k < count_; ++k) {
        range[next] -= products[k] * basis_[k];
        range[image] -= products[k] * image_[k];
    }
    for (auto* vector : {&next, &image}) range[*vector] *= 1 / std::sqrt(square);
    ++count_;
}

template <class Real>
void StartingGuess<Real>::remember(Buffer<Real>& x) {
    if (count_ == static_cast<int>(basis_.size())) count_ = 0;
    add(x);
}

template class StartingGuess<float>;
template class StartingGuess<double>;

}  // namespace solenoid

#include "solvers/starting_guess.hpp"

#include <cmath>

#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
StartingGuess<Real>::StartingGuess(const Communicator& comm, Device& device, LinearOperator<Real>& matrix, int most)
    : comm_(comm), device_(device), matrix_(matrix), scratch_(device.buffer<Real>(matrix.size())) {
    for (int k = 0; k < most; ++k)
        for (auto* list : {&basis_, &image_}) list->push_back(device.buffer<Real>(matrix.size()));
}

template <class Real>
void StartingGuess<Real>::guess(const Buffer<Real>& b, Buffer<Real>& x) {
    kernels::Fill<Real>{x, Real(0)}.run(device_, {0, matrix_.size()});
    std::vector<double> along(count_);
    for (int k = 0; k < count_; ++k) along[k] = kernels::Dot<Real>{basis_[k], b}.run(device_, matrix_.range()).xy;
    comm_.sum(along);
    for (int k = 0; k < count_; ++k) kernels::Axpy<Real>{basis_[k], x, static_cast<Real>(along[k])}.run(device_, matrix_.range());
}

// x made orthogonal to the basis and of length one, appended; nothing where it is in the basis' span but for rounding.
template <class Real>
void StartingGuess<Real>::add(Buffer<Real>& x) {
    Buffer<Real>&next = basis_[count_], &image = image_[count_];
    device_.copy(x, next);
    std::vector<double> products(count_ + 1);
    for (int k = 0; k < count_; ++k) products[k] = kernels::Dot<Real>{image_[k], x}.run(device_, matrix_.range()).xy;
    products[count_] = matrix_.apply(next, image);
    comm_.sum(products);
    double square = products[count_];
    const double whole = square;
    for (int k = 0; k < count_; ++k) square -= products[k] * products[k];
    if (!(square > 1e-6 * whole)) return;
    for (int k = 0; k < count_; ++k) {
        kernels::Axpy<Real>{basis_[k], next, static_cast<Real>(-products[k])}.run(device_, matrix_.range());
        kernels::Axpy<Real>{image_[k], image, static_cast<Real>(-products[k])}.run(device_, matrix_.range());
    }
    const auto scale = static_cast<Real>(1 / std::sqrt(square));
    for (auto* vector : {&next, &image}) kernels::Axpby<Real>{scratch_, *vector, Real(0), scale}.run(device_, matrix_.range());
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

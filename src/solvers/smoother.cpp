#include "solvers/smoother.hpp"

#include <stdexcept>

#include "device/kernels.hpp"

namespace solenoid {
namespace {

constexpr double weights[3][3] = {{1.12500000000000, 0, 0},
                                  {1.02387287570313, 1.26408905371085, 0},
                                  {1.00842544782028, 1.08867839208730, 1.33753125909618}};

}  // namespace

template <class Real>
Smoother<Real>::Smoother(Device& device, Halo<Real>& halo, const SmoothedMatrix& host, int steps)
    : device_(device), halo_(halo), steps_(steps), rows_{0, static_cast<Index>(host.matrix.rows.rows())}, matrix_(device, host.matrix) {
    if (steps < 1 || steps > 3) throw std::logic_error("a smoother has 1 to 3 steps");
    for (int k = 0; k < steps; ++k) {
        const double weight = weights[steps - 1][k];
        keep_[k] = k == 0 ? 0 : weight / weights[steps - 1][k - 1] * (2 * k - 1) / (2 * k + 3);
        gain_[k] = weight * (8 * k + 4) / (2 * k + 3) / host.largest_eigenvalue;
    }
    inverse_diagonal_ = device.buffer<Real>(rows_.end);
    inverse_diagonal_.upload(std::vector<Real>(host.inverse_diagonal.begin(), host.inverse_diagonal.end()));
    for (auto& x : x_) x = device.buffer<Real>(host.size);
}

// out = a step on x, whose ghosts are filled on the way. before: the iterate before x, null where it was zero or does not
// count.
template <class Real>
void Smoother<Real>::step(const Buffer<Real>& b, int k, const Buffer<Real>* before, Buffer<Real>& out) {
    halo_.exchange(x());
    if (!rows_.size()) return;
    kernels::SmootherStep<Real>{matrix_.rows, matrix_.column, matrix_.entry, inverse_diagonal_, b, x(), before ? *before : x(), out,
                                static_cast<Real>(keep_[k]), static_cast<Real>(before ? keep_[k] : 0), static_cast<Real>(gain_[k])}
        .run(device_, rows_);
}

template <class Real>
void Smoother<Real>::before(const Buffer<Real>& b) {
    if (rows_.size()) kernels::SmootherStart<Real>{inverse_diagonal_, b, x(), static_cast<Real>(gain_[0])}.run(device_, rows_);
    for (int k = 1; k < steps_; ++k) {
        step(b, k, k == 1 ? nullptr : &last(), next());
        now_ = (now_ + 1) % 3;
    }
}

template <class Real>
Buffer<Real>& Smoother<Real>::defect(const Buffer<Real>& b) {
    halo_.exchange(x());
    if (rows_.size()) kernels::RowDefect<Real>{matrix_.rows, matrix_.column, matrix_.entry, b, x(), next()}.run(device_, rows_);
    return next();
}

template <class Real>
Buffer<Real>& Smoother<Real>::after(const Buffer<Real>& b, Buffer<Real>* result) {
    for (int k = 0; k < steps_; ++k) {
        const bool ends = k + 1 == steps_ && result;
        step(b, k, k == 0 ? nullptr : &last(), ends ? *result : next());
        if (ends) return *result;
        now_ = (now_ + 1) % 3;
    }
    return x();
}

template class Smoother<float>;
template class Smoother<double>;

}  // namespace solenoid

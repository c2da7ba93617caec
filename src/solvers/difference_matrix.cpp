#include "solvers/difference_matrix.hpp"

#include "device/kernels.hpp"
#include "solvers/overlapped.hpp"

namespace solenoid {

template <class Real>
DifferenceMatrix<Real>::DifferenceMatrix(const Communicator& comm, Device& device, const EntityRanges& ranges,
                                         const HaloPlan& plan, const Rows& neighbours, std::span<const double> weights)
    : device_(device),
      ranges_(ranges),
      halo_(comm, device, plan, 1),
      shift_(device.buffer<Real>(ranges.owned)),
      free_(device.buffer<Real>(ranges.owned)),
      ones_(device.buffer<Real>(ranges.owned)),
      diagonal_(device.buffer<Real>(ranges.owned)) {
    const RowLayout layout(neighbours, device.row_stride());
    rows_.rows = layout.table(device);
    rows_.index = layout.upload<std::uint32_t>(device, std::span<const Index>(neighbours.index));
    weight_ = layout.upload<Real>(device, weights);
    const std::vector<Real> ones(ranges.owned, Real(1));
    free_.upload(ones);
    ones_.upload(ones);
    std::vector<Real> diagonal(ranges.owned);
    for (Index i = 0; i < ranges.owned; ++i) {
        double sum = 0;
        for (Index k = neighbours.start[i]; k < neighbours.start[i + 1]; ++k) sum += weights[k];
        diagonal[i] = static_cast<Real>(sum);
    }
    diagonal_.upload(diagonal);
}

template <class Real>
double DifferenceMatrix<Real>::apply(Buffer<Real>& x, Buffer<Real>& y) {
    const kernels::DifferenceProduct<Real> product{rows_.rows, rows_.index, weight_, shift_, free_, x, y};
    return overlapped(halo_, x, ranges_, [&](Range range) {
        return [pending = product.start(device_, range)]() mutable { return pending.get().xy; };
    });
}

template <class Real>
double DifferenceMatrix<Real>::residual(const Buffer<Real>& shift, const Buffer<Real>& free, const Buffer<Real>& b,
                                        Buffer<Real>& x, Buffer<Real>& r) {
    const kernels::DifferenceResidual<Real> residual{rows_.rows, rows_.index, weight_, shift, free, b, x, r};
    return overlapped(halo_, x, ranges_, [&](Range range) {
        return [pending = residual.start(device_, range)]() mutable { return pending.get().rr; };
    });
}

template <class Real>
double DifferenceMatrix<Real>::residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) {
    return residual(shift_, free_, b, x, r);
}

template <class Real>
void DifferenceMatrix<Real>::residual_everywhere(const Buffer<Real>& shift, const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) {
    residual(shift, ones_, b, x, r);
}

template class DifferenceMatrix<float>;
template class DifferenceMatrix<double>;

}  // namespace solenoid

#include "solvers/matrix/row_matrix.hpp"

#include "device/kernels.hpp"
#include "device/rounded_copy.hpp"
#include "device/upload.hpp"
#include "parallel/halo_plan.hpp"

namespace solenoid {

template <class Real>
RowMatrix<Real>::RowMatrix(const Communicator& comm, Device& device, const EntityRanges& ranges,
                           const HaloPlan& plan, const HostMatrix& matrix)
    : comm_(comm),
      device_(device),
      ranges_(ranges),
      read_(narrowed(comm, plan, matrix.rows.index)),
      halo_(comm, device, read_, 1),
      free_(device.buffer<Real>(ranges.owned)),
      inverse_(device.buffer<Real>(ranges.owned)),
      diagonal_(ranges.owned),
      spmv_(ranges.owned) {
    const SellLayout layout(matrix.rows, device.row_stride());
    rows_ = std::make_shared<SellRows>(layout.rows(device, matrix.rows.index));
    entry_ = layout.upload<Real>(device, std::span<const double>(matrix.entries));
    for_each(0, ranges.owned, [&](Index i) {
        diagonal_[i] = matrix.diagonal(i);
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            spmv_[i] += matrix.entries[k];
    });
    fix({});
}

template <class Real>
LinearOperator<float>& RowMatrix<Real>::rounded() {
    if constexpr (std::is_same_v<Real, float>) {
        return *this;
    } else {
        // The diagonal's own difference is zero.
        if (!rounded_)
            rounded_ = std::make_unique<GraphLaplacian<float>>(
                comm_, device_, ranges_, read_,
                DifferenceRows<float>{rows_, rounded_copy(device_, entry_, -1),
                                      uploaded<float>(device_, spmv_),
                                      device_.buffer<float>(ranges_.owned)});
        round_to(free_, rounded_->free(), device_);
        return *rounded_;
    }
}

template <class Real>
void RowMatrix<Real>::fix(const std::vector<Index>& fixed) {
    std::vector<Real> free(ranges_.owned, Real(1)), inverse(ranges_.owned, Real(0));
    for (Index i : fixed) free[i] = 0;
    for_each(0, ranges_.owned, [&](Index i) {
        if (free[i] != 0 && diagonal_[i] > 0) inverse[i] = static_cast<Real>(1 / diagonal_[i]);
    });
    free_.upload(free);
    inverse_.upload(inverse);
}

template <class Real>
ColumnSums RowMatrix<Real>::apply_dot(const SummingRanks& ranks, Buffer<Real>& x, Buffer<Real>& y) {
    return {kernels::SpmvDot<Real>{.rows = rows_->rows,
                                   .column = rows_->index,
                                   .entry = entry_,
                                   .free = free_,
                                   .x = halo_.ghosts_of(x),
                                   .value = y}
                .start(ranks, device_, {ranges_.inside(), ranges_.border()})
                .get()
                .xy};
}

template <class Real>
ColumnSums RowMatrix<Real>::residual(const SummingRanks& ranks, const Buffer<Real>& b,
                                     Buffer<Real>& x, Buffer<Real>& r) {
    return {kernels::ResidualNorm<Real>{.rows = rows_->rows,
                                        .column = rows_->index,
                                        .entry = entry_,
                                        .free = free_,
                                        .b = b,
                                        .x = halo_.ghosts_of(x),
                                        .value = r}
                .start(ranks, device_, {ranges_.inside(), ranges_.border()})
                .get()
                .rr};
}

template <class Real>
RowMatrix<Real>::~RowMatrix() = default;

template class RowMatrix<float>;
template class RowMatrix<double>;

}  // namespace solenoid

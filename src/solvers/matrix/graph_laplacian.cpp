#include "solvers/matrix/graph_laplacian.hpp"

#include "device/kernels.hpp"
#include "device/rounded_copy.hpp"
#include "parallel/halo_plan.hpp"

namespace solenoid {
template <class Real>
GraphLaplacian<Real>::GraphLaplacian(const Communicator& comm, Device& device,
                                     const EntityRanges& ranges, const HaloPlan& plan,
                                     const Rows& neighbours, std::span<const double> weights,
                                     int columns)
    : comm_(comm),
      device_(device),
      ranges_(ranges),
      read_(narrowed(comm, plan, neighbours.index)),
      columns_(columns),
      halo_(comm, device, read_, columns),
      shift_(device.buffer<Real>(ranges.owned)),
      free_(device.buffer<Real>(ranges.owned)),
      ones_(device.buffer<Real>(ranges.owned)),
      diagonal_(device.buffer<Real>(ranges.owned)) {
    const SellLayout layout(neighbours, device.row_stride());
    rows_ = std::make_shared<SellRows>(layout.rows(device, neighbours.index));
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
GraphLaplacian<Real>::GraphLaplacian(const Communicator& comm, Device& device,
                                     const EntityRanges& ranges, const HaloPlan& read,
                                     DifferenceRows<Real> given, int columns)
    : comm_(comm),
      device_(device),
      ranges_(ranges),
      read_(read),
      columns_(columns),
      halo_(comm, device, read_, columns),
      rows_(std::move(given.rows)),
      weight_(std::move(given.weight)),
      shift_(std::move(given.shift)),
      free_(std::move(given.free)) {}

template <class Real>
void GraphLaplacian<Real>::follow(const Rows& neighbours, std::span<const Index> from,
                                  std::span<const double> factor) {
    const SellLayout layout(neighbours, device_.row_stride());
    from_ = layout.upload<std::uint32_t>(device_, from);
    factor_ = layout.upload<Real>(device_, factor);
}

template <class Real>
void GraphLaplacian<Real>::set_values(const Gathered<Real>& values) {
    kernels::GatheredProduct<Real>{.from = from_, .factor = factor_, .q = values, .value = weight_}
        .run(device_, {0, weight_.size()});
    if (ranges_.owned)
        kernels::RowTotal<Real>{.rows = rows_->rows, .weight = weight_, .value = diagonal_}.run(
            device_, ranges_.owned_range());
    if constexpr (std::is_same_v<Real, double>)
        if (rounded_) round_to(weight_, rounded_->weight_, device_);
}

template <class Real>
LinearOperator<float>& GraphLaplacian<Real>::rounded() {
    if constexpr (std::is_same_v<Real, float>) {
        return *this;
    } else {
        if (!rounded_)
            rounded_ = std::make_unique<GraphLaplacian<float>>(
                comm_, device_, ranges_, read_,
                DifferenceRows<float>{rows_, rounded_copy(device_, weight_),
                                      device_.buffer<float>(ranges_.owned, shift_.columns()),
                                      device_.buffer<float>(ranges_.owned)},
                columns_);
        if (rounded_->shift_.columns() != shift_.columns())
            rounded_->shift_ = device_.buffer<float>(ranges_.owned, shift_.columns());
        round_to(shift_, rounded_->shift(), device_);
        round_to(free_, rounded_->free(), device_);
        return *rounded_;
    }
}

template <class Real>
template <class Kernel>
ColumnSums GraphLaplacian<Real>::sums_of(const SummingRanks& ranks, const Kernel& kernel) {
    const auto [first, second, third] =
        kernel.start(ranks, device_, {ranges_.inside(), ranges_.border()}).get();
    return {first, second, third};
}

template <class Real>
ColumnSums GraphLaplacian<Real>::apply_dot(const SummingRanks& ranks, Buffer<Real>& x,
                                           Buffer<Real>& y) {
    return sums_of(ranks, kernels::LaplacianSpmv<Real>{.dimension = columns_,
                                                       .rows = rows_->rows,
                                                       .column = rows_->index,
                                                       .weight = weight_,
                                                       .shift = shift_,
                                                       .free = free_,
                                                       .x = halo_.ghosts_of(x),
                                                       .value = y});
}

template <class Real>
ColumnSums GraphLaplacian<Real>::residual(const SummingRanks& ranks, const Buffer<Real>& shift,
                                          const Buffer<Real>& free, const Buffer<Real>& b,
                                          Buffer<Real>& x, Buffer<Real>& r) {
    return sums_of(ranks, kernels::LaplacianResidual<Real>{.dimension = columns_,
                                                           .rows = rows_->rows,
                                                           .column = rows_->index,
                                                           .weight = weight_,
                                                           .shift = shift,
                                                           .free = free,
                                                           .b = b,
                                                           .x = halo_.ghosts_of(x),
                                                           .value = r});
}

template <class Real>
ColumnSums GraphLaplacian<Real>::residual(const SummingRanks& ranks, const Buffer<Real>& b,
                                          Buffer<Real>& x, Buffer<Real>& r) {
    return residual(ranks, shift_, free_, b, x, r);
}

template <class Real>
void GraphLaplacian<Real>::residual_everywhere(const Buffer<Real>& shift, const Buffer<Real>& b,
                                               Buffer<Real>& x, Buffer<Real>& r) {
    residual(comm_, shift, ones_, b, x, r);
}

template <class Real>
GraphLaplacian<Real>::~GraphLaplacian() = default;

template class GraphLaplacian<float>;
template class GraphLaplacian<double>;

}  // namespace solenoid

#include "solvers/multigrid/diffusion_preconditioner.hpp"

namespace solenoid {

template <class Real>
DiffusionPreconditioner<Real>::DiffusionPreconditioner(const Communicator& comm, Device& device,
                                                       const EntityRanges& ranges,
                                                       const HaloPlan& halo, Rows neighbours,
                                                       std::vector<double> weights,
                                                       std::vector<Index> fixed,
                                                       const PreconditionerSettings& settings)
    : comm_(comm),
      device_(device),
      ranges_(ranges),
      halo_(halo),
      fixed_(std::move(fixed)),
      settings_(settings) {
    if (!settings_.kind->may_be_multigrid()) return;
    neighbours_ = std::move(neighbours);
    has_weights_ = true;
    replace(std::move(weights));
}

template <class Real>
void DiffusionPreconditioner<Real>::replace(std::vector<double> weights) {
    if (!has_weights_) return;
    auto made = std::make_shared<Weights>();
    made->of_neighbours = std::move(weights);
    made->diagonal.assign(ranges_.owned, 0.0);
    for (Index i = 0; i < ranges_.owned; ++i)
        for (Index k = neighbours_.start[i]; k < neighbours_.start[i + 1]; ++k)
            made->diagonal[i] += made->of_neighbours[k];
    hierarchy_.weights = std::move(made);
    hierarchy_.multigrid.reset();
}

// The mean over the entities of what diffusion has on the diagonal over what is added there: about
// four times D dt / h^2.
template <class Real>
double DiffusionPreconditioner<Real>::diffusion_number(const std::vector<double>& shift) const {
    const std::vector<double>& diagonal = hierarchy_.weights->diagonal;
    std::array<RankSum, 2> sums{0, static_cast<double>(ranges_.owned)};
    for (Index i = 0; i < ranges_.owned; ++i)
        sums[0] += shift[i] > 0 ? std::min(diagonal[i] / shift[i], 1e9) : 1e9;
    comm_.sum(std::span<RankSum>(sums));
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

// Rounded into the buffer that is there: the diagonal changes with every step's length.
template <class Real>
Preconditioner<Real>& DiffusionPreconditioner<Real>::jacobi(const Buffer<Real>& inverse) {
    if constexpr (std::is_same_v<Real, double>) {
        if (settings_.is_mixed && mixed_jacobi_ && mixed_jacobi_->inverse_diagonal() == &inverse)
            mixed_jacobi_->round();
        else if (settings_.is_mixed)
            mixed_jacobi_ = std::make_unique<RoundedDiagonal>(device_, inverse);
        if (settings_.is_mixed) return *mixed_jacobi_;
    }
    return jacobi_.emplace(inverse);
}

template <class Real>
Preconditioner<Real>& DiffusionPreconditioner<Real>::prepare(const std::vector<double>& shift,
                                                             const Buffer<Real>& inverse) {
    const PreconditionerPart part = settings_.kind->part([&] { return diffusion_number(shift); });
    if (part != PreconditionerPart::multigrid) return jacobi(inverse);
    const double now = total(shift), before = hierarchy_.total;
    const bool is_near = now <= 2 * before && before <= 2 * now;
    if (!hierarchy_.multigrid || !is_near) make_hierarchy(shift);
    return *hierarchy_.multigrid;
}

template <class Real>
double DiffusionPreconditioner<Real>::total(const std::vector<double>& shift) const {
    RankSum sum;
    for (const double value : shift) sum += value;
    comm_.sum(std::span(&sum, 1));
    return sum.value();
}

template <class Real>
void DiffusionPreconditioner<Real>::make_hierarchy(const std::vector<double>& shift) {
    hierarchy_.multigrid.reset();
    hierarchy_.multigrid =
        make_preconditioner<Real>(device_, settings_.is_mixed, [&]<class Precision>() {
            return std::make_unique<Multigrid<Precision>>(
                comm_, device_, ranges_, halo_,
                matrix_of_differences(neighbours_, hierarchy_.weights->of_neighbours, shift),
                fixed_, MultigridSettings{.max_levels = settings_.max_levels});
        });
    hierarchy_.shift = std::make_shared<const std::vector<double>>(shift);
    hierarchy_.total = total(shift);
    setup_seconds_ += hierarchy_.multigrid->summary().setup_seconds;
}

template <class Real>
PreconditionerSummary DiffusionPreconditioner<Real>::summary() const {
    return {setup_seconds_, hierarchy_.multigrid ? hierarchy_.multigrid->summary().levels
                                                 : std::vector<LevelSummary>()};
}

template <class Real>
DiffusionPreconditioner<Real>::~DiffusionPreconditioner() = default;

template class DiffusionPreconditioner<float>;
template class DiffusionPreconditioner<double>;

}  // namespace solenoid

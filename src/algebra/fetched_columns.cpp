#include "algebra/matrices.hpp"
#include "device/algebra_kernels.hpp"
#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid::algebra {
namespace {

HaloPlan plan_of(const Communicator& comm, const RowPartition& columns,
                 const std::vector<GlobalIndex>& others, const std::vector<Index>& place,
                 Index own_at) {
    HaloPlan plan = halo_plan(comm, columns, others);
    const Index own = static_cast<Index>(columns.size(comm.rank()));
    for (Index& entity : plan.send) entity += own_at;
    for (Index& entity : plan.receive) entity = place[entity - own];
    return plan;
}

}  // namespace

template <class Real>
FetchedColumns<Real>::FetchedColumns(Space& space, GlobalIndex columns, const Layout& layout)
    : space_(space),
      is_alone_(space.comm().size() == 1),
      own_{layout.own_at, layout.own_at + space.mine(columns)} {
    if (is_alone_) return;
    numbers_ = space.device().template buffer<Real>(std::max<Index>(layout.held, 1));
    halo_ = std::make_unique<Halo<Real>>(space.comm(), space.device(),
                                         plan_of(space.comm(), space.partition(columns),
                                                 layout.others, layout.place, layout.own_at));
}

template <class Real>
const Buffer<Real>& FetchedColumns<Real>::of(const Block& x) {
    if (is_alone_) return numbers_of<Real>(x);
    algebra_kernels::Shifted<Real>{.x = numbers_of<Real>(x), .value = numbers_, .first = own_.begin}
        .run(space_.device(), own_);
    halo_->exchange(numbers_);
    return numbers_;
}

template class FetchedColumns<float>;
template class FetchedColumns<double>;

}  // namespace solenoid::algebra

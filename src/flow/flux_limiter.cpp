#include "flow/flux_limiter.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

constexpr int most_passes = 10;  // over the cells that leave the range; then every cell is limited

}  // namespace

template <class Real>
FluxLimiter<Real>::FluxLimiter(const Communicator& comm, Device& device, const DistributedMesh& mesh, const CellStencil<Real>& stencil, Operators<Real>& operators)
    : comm_(comm),
      device_(device),
      stencil_(stencil),
      operators_(operators),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      given_(device.buffer<Real>(cells_.all + stencil.boundary_faces.size())),
      taken_(device.buffer<Real>(given_.size())),
      value_(device.buffer<Real>(given_.size())),
      cut_(operators.field(Kind::face)) {}

// What the fluxes out of a cell and into it are multiplied by. False: as they were.
template <class Real>
bool FluxLimiter<Real>::restrict_parts(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& value, const Buffer<Real>& excess) {
    const kernels::FluxLimits<Real> limits{d_, stencil_.cell_faces, stencil_.volume, low, value, excess, given_, taken_, static_cast<Real>(range.least),
                                           static_cast<Real>(range.greatest), static_cast<Real>(range.margin)};
    return comm_.any(cells_.owned && limits.run(device_, cells_.marked()).change > 0);
}

// Limits act where a value is out of range, and where limiting others takes one out of it. (Limiting every cell by the sums of
// what enters and of what leaves, whose difference alone counts, would cut smooth solutions.)
template <class Real>
const Buffer<Real>& FluxLimiter<Real>::limit(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& excess, Buffer<Real>& high) {
    for (auto* part : {&given_, &taken_}) Over(device_, {0, part->size()})[*part] = 1;
    device_.copy(high, value_);
    for (int pass = 0; pass <= most_passes; ++pass) {
        const bool limits_all = pass == most_passes;
        const ValueRange within = limits_all ? ValueRange{range.least, range.greatest, -HUGE_VAL} : range;
        if (!restrict_parts(within, low, value_, excess) && !limits_all) break;
        operators_.halo(Kind::cell).exchange(given_);
        operators_.halo(Kind::cell).exchange(taken_);
        kernels::LimitedFlux<Real>{stencil_.face_cells, given_, taken_, excess, cut_}.run(device_, {0, faces_.shared});
        kernels::RestoredFlux<Real>{d_, stencil_.cell_faces, stencil_.volume, cut_, high, value_}.run(device_, cells_.marked());
    }
    device_.copy(value_, high);
    return cut_;
}

template class FluxLimiter<float>;
template class FluxLimiter<double>;

}  // namespace solenoid

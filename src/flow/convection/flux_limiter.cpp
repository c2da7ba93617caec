#include "flow/convection/flux_limiter.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

constexpr int most_passes = 10;  // over the cells that leave the range; then every cell is limited

}  // namespace

template <class Real>
FluxLimiter<Real>::FluxLimiter(const Domain& domain, const CellStencil<Real>& stencil)
    : domain_(domain),
      stencil_(stencil),
      d_(domain.dimension),
      given_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      taken_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      value_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      cut_(domain_.field<Real>(Kind::face)) {}

// What the fluxes out of a cell and into it are multiplied by. False: as they were.
template <class Real>
bool FluxLimiter<Real>::restrict_parts(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& value, const Buffer<Real>& excess) {
    const kernels::FluxLimits<Real> limits{.dimension = d_, .face = stencil_.cell_faces, .size = stencil_.volume, .low = low, .value = value, .excess = excess,
                                           .given = given_, .taken = taken_, .least = static_cast<Real>(range.least),
                                           .greatest = static_cast<Real>(range.greatest), .margin = static_cast<Real>(range.margin)};
    return domain_.comm.any(domain_.cells.owned && limits.run(domain_.device, domain_.cells.marked()).change > 0);
}

// Limits act where a value is out of range, and where limiting others takes one out of it. (Limiting every cell by the sums of
// what enters and of what leaves, whose difference alone counts, would cut smooth solutions.)
template <class Real>
const Buffer<Real>& FluxLimiter<Real>::limit(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& excess, Field<Real>& high) {
    for (auto* part : {&given_, &taken_}) Over(domain_.device, {0, part->size()})[*part] = 1;
    value_.copy(high);
    for (int pass = 0; pass <= most_passes; ++pass) {
        const bool limits_all = pass == most_passes;
        const ValueRange within = limits_all ? ValueRange{range.least, range.greatest, -HUGE_VAL} : range;
        if (!restrict_parts(within, low, value_, excess) && !limits_all) break;
        const kernels::LimitedFlux<Real> limited{.cell = stencil_.face_cells, .given = given_.with_ghosts(), .taken = taken_.with_ghosts(), .excess = excess, .value = cut_};
        limited.run(domain_.device, {0, domain_.faces.shared});
        kernels::RestoredFlux<Real>{.dimension = d_, .face = stencil_.cell_faces, .size = stencil_.volume, .cut = cut_, .u = high, .value = value_}.run(domain_.device, domain_.cells.marked());
    }
    high.copy(value_);
    return cut_;
}

template class FluxLimiter<float>;
template class FluxLimiter<double>;

}  // namespace solenoid

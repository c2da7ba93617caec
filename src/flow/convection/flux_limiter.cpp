#include "flow/convection/flux_limiter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// over the cells out of bounds; after them all fluxes are cut by one factor
constexpr int most_passes = 10;

}  // namespace

template <class Real>
FluxLimiter<Real>::FluxLimiter(const Domain& domain, const CellStencil<Real>& stencil)
    : domain_(domain),
      stencil_(stencil),
      d_(domain.dimension),
      given_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      taken_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      value_(domain, Kind::cell, 1, stencil.boundary_faces.size()),
      cut_(domain_.field<Real>(Kind::face)) {
    for (auto* field : {&least_, &greatest_, &beyond_, &low_beyond_})
        *field = domain_.field<Real>(Kind::cell);
}

// Sets each cell's bounds: they include both solutions, within the range.
template <class Real>
void FluxLimiter<Real>::set_bounds(const ValueRange& range, const Buffer<Real>& low,
                                   const Buffer<Real>& high) {
    const Over cells = domain_.own(Kind::cell);
    cells[least_] = max(range.least, min(low, high) - range.slack);
    cells[greatest_] = min(range.greatest, max(low, high) + range.slack);
}

// Updates the factors of the fluxes out of cells below their bounds, or into cells above. Returns
// the largest change on this rank.
template <class Real>
double FluxLimiter<Real>::restrict_parts(bool from_below, double margin, const Buffer<Real>& low,
                                         const Field<Real>& excess) {
    const Over cells = domain_.own(Kind::cell);
    const Field<Real>& bound = from_below ? least_ : greatest_;
    cells[beyond_] = value_ - bound;
    cells[low_beyond_] = low - bound;
    return kernels::FluxLimits<Real>{
        .dimension = d_,
        .face = stencil_.cell_faces,
        .size = stencil_.volume,
        .low = low_beyond_,
        .value = beyond_,
        .excess = excess,
        .given = given_,
        .taken = taken_,
        .least = from_below ? Real(0) : -std::numeric_limits<Real>::infinity(),
        .greatest = from_below ? std::numeric_limits<Real>::infinity() : Real(0),
        .margin = static_cast<Real>(margin)}
        .run()
        .change;
}

// Limits act where a value is out of range, and where limiting other fluxes takes it out of range.
// Limiting every cell by the separate sums of inflow and outflow, of which only the difference
// counts, would cut smooth solutions. In long steps fluxes are many times a cell's content and
// nearly cancel: a limit of the outflow then lets the inflow pile up. Bounds are narrower than the
// range there.
template <class Real>
const Field<Real>& FluxLimiter<Real>::limit(const ValueRange& range, const Buffer<Real>& low,
                                            const Field<Real>& excess, Field<Real>& high) {
    for (auto* part : {&given_, &taken_}) Over(domain_.device, {0, part->size()})[*part] = 1;
    value_.copy(high);
    domain_.held(Kind::face)[cut_] = 0;
    set_bounds(range, low, high);
    for (int pass = 0; pass < most_passes; ++pass) {
        const double change = std::max(restrict_parts(true, range.margin, low, excess),
                                       restrict_parts(false, range.margin, low, excess));
        if (!domain_.comm.any(change > 0)) {
            high.copy(value_);
            return cut_;
        }
        kernels::LimitedFlux<Real>{.cell = stencil_.face_cells,
                                   .given = given_,
                                   .taken = taken_,
                                   .excess = excess,
                                   .value = cut_}
            .run();
        kernels::RestoredFlux<Real>{.dimension = d_,
                                    .face = stencil_.cell_faces,
                                    .size = stencil_.volume,
                                    .cut = cut_,
                                    .u = high,
                                    .value = value_}
            .run();
    }
    mix(range, low, excess, high);
    return cut_;
}

// Cuts all fluxes by one factor, the largest that keeps all values in the range; the values then
// lie between both solutions.
template <class Real>
void FluxLimiter<Real>::mix(const ValueRange& range, const Buffer<Real>& low,
                            const Field<Real>& excess, Field<Real>& high) {
    const Over cells = domain_.own(Kind::cell);
    cells[value_] =
        max(where(high > range.greatest, quotient(high - range.greatest, high - low), 0 * high),
            where(range.least - high > 0, quotient(range.least - high, low - high), 0 * high));
    const double cut =
        std::min(1.0, domain_.comm.max(domain_.cells.owned ? cells.greatest(value_) : 0.0));
    domain_.shared(Kind::face)[cut_] = cut * excess;
    cells[high] = (1 - cut) * high + cut * low;
}

template class FluxLimiter<float>;
template class FluxLimiter<double>;

}  // namespace solenoid

// A product overlapped with the halo: interior rows while the ghosts travel, then the rows on the border.
#pragma once

#include "parallel/halo.hpp"

namespace solenoid {

// sweep(range) starts the rows of a range and returns a function that waits for their sum; both sums are waited for
// last, so that messages go out while the interior is computed.
template <class Real, class Sweep>
double overlapped(Halo<Real>& halo, Buffer<Real>& x, const EntityRanges& ranges, const Sweep& sweep) {
    auto ghosts = halo.start(x);
    auto inside = sweep(ranges.inside());
    ghosts.finish();
    auto border = sweep(ranges.border());
    return inside() + border();
}

}  // namespace solenoid

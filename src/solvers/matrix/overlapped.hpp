// A pass over rows overlapped with the halo: those inside while the ghosts travel, then those on the border.
#pragma once

#include <optional>

#include "parallel/halo.hpp"

namespace solenoid {

// sweep(range) starts the rows of a range, which may read ghosts on the border alone, and returns a function that waits for
// their sum; both sums are waited for last, so that messages go out while the inside is computed.
template <class Real, class Sweep>
auto overlapped(Halo<Real>& halo, Buffer<Real>& x, Range inside, Range border, const Sweep& sweep) {
    std::optional<decltype(sweep(inside))> first, last;
    auto ghosts = halo.start(x);
    if (inside.size()) first.emplace(sweep(inside));
    ghosts.finish();
    if (border.size()) last.emplace(sweep(border));
    using Sum = decltype((*first)());
    return (first ? (*first)() : Sum{}) + (last ? (*last)() : Sum{});
}

}  // namespace solenoid

// A pass over rows overlapped with the halo: those inside while the ghosts travel, then those on
// the border. Where the exchange is one launch of the device and small, it comes first and the pass
// is one: what it would hide is less than two launches more cost.
#pragma once

#include <optional>

#include "parallel/halo.hpp"

namespace solenoid {

// Whether an exchange is a launch of some microseconds.
template <class Real>
bool is_quick(const Halo<Real>& halo) {
    // bytes: about 10 us by NVLink, as a launch and what a second pass loses
    constexpr std::size_t least_hidden = std::size_t(1) << 20;
    return halo.has_messages() && !halo.takes_the_host() &&
           halo.bytes_per_exchange() < least_hidden;
}

// sweep(range) starts the rows of a range, which may read ghosts on the border alone, and returns a
// function that waits for their sum; both sums are waited for last, so that messages go out while
// the inside is computed.
template <class Real, class Sweep>
auto overlapped(Halo<Real>& halo, Buffer<Real>& x, Range inside, Range border, const Sweep& sweep) {
    using Sum = decltype(sweep(inside)());
    if (is_quick(halo) && inside.end == border.begin) {
        halo.exchange(x);
        return border.end > inside.begin ? sweep({inside.begin, border.end})() : Sum{};
    }
    std::optional<decltype(sweep(inside))> first, last;
    auto ghosts = halo.start(x);
    if (inside.size()) first.emplace(sweep(inside));
    ghosts.finish();
    if (border.size()) last.emplace(sweep(border));
    return (first ? (*first)() : Sum{}) + (last ? (*last)() : Sum{});
}

}  // namespace solenoid

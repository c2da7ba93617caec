#include "grid/stencil/stencil.hpp"

#include <span>
#include <utility>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
Stencil<Real>::Stencil(const Grid<Real>& grid, Buffer<Real> marker, const Constants& constants)
    : grid_(&grid),
      kind_(StencilKind::constant),
      marker_(std::move(marker)),
      constants_(constants) {}

template <class Real>
Stencil<Real>::Stencil(const Grid<Real>& grid, Buffer<Real> marker, Buffer<Real> straight,
                       Buffer<Real> diagonal)
    : grid_(&grid),
      kind_(diagonal ? StencilKind::nine : StencilKind::five),
      marker_(std::move(marker)),
      straight_(std::move(straight)),
      diagonal_(std::move(diagonal)) {
    grid.exchange(straight_);
    if (diagonal_) grid.exchange(diagonal_);
}

template <class Real>
void Stencil<Real>::apply(Buffer<Real>& u, Buffer<Real>& y) {
    residual_of(0, u, u, y);
}

template <class Real>
void Stencil<Real>::subtract_from(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& r) {
    residual_of(1, b, u, r);
}

template <class Real>
void Stencil<Real>::residual_of(double of_b, const Buffer<Real>& b, Buffer<Real>& u,
                                Buffer<Real>& r) {
    grid_->exchange(u);
    for (int quarter = 0; quarter < 4; ++quarter) {
        const Range nodes = grid_->layout().nodes(quarter);
        const auto [east, west, north, south] = grid_->layout().shifts(quarter);
        if (kind_ == StencilKind::constant)
            kernels::StencilResidualConstant<Real>{.marker = marker_,
                                                   .b = b,
                                                   .u = u,
                                                   .value = r,
                                                   .east = east,
                                                   .west = west,
                                                   .north = north,
                                                   .south = south,
                                                   .centre = constants_.d,
                                                   .across = constants_.e,
                                                   .along = constants_.n,
                                                   .of_b = of_b}
                .run(device(), nodes);
        else if (kind_ == StencilKind::five)
            kernels::StencilResidualFive<Real>{.marker = marker_,
                                               .b = b,
                                               .u = u,
                                               .straight = straight_,
                                               .value = r,
                                               .east = east,
                                               .west = west,
                                               .north = north,
                                               .south = south,
                                               .of_b = of_b}
                .run(device(), nodes);
        else
            kernels::StencilResidualNine<Real>{.marker = marker_,
                                               .b = b,
                                               .u = u,
                                               .straight = straight_,
                                               .diagonal = diagonal_,
                                               .value = r,
                                               .east = east,
                                               .west = west,
                                               .north = north,
                                               .south = south,
                                               .of_b = of_b}
                .run(device(), nodes);
    }
}

template <class Real>
void Stencil<Real>::relax_quarter(int quarter, const Buffer<Real>& b, const Buffer<Real>& u,
                                  Buffer<Real>& to) {
    const Range nodes = grid_->layout().nodes(quarter);
    const auto [east, west, north, south] = grid_->layout().shifts(quarter);
    if (kind_ == StencilKind::constant)
        kernels::StencilRelaxConstant<Real>{.marker = marker_,
                                            .b = b,
                                            .u = u,
                                            .value = to,
                                            .east = east,
                                            .west = west,
                                            .north = north,
                                            .south = south,
                                            .centre = constants_.d,
                                            .across = constants_.e,
                                            .along = constants_.n}
            .run(device(), nodes);
    else if (kind_ == StencilKind::five)
        kernels::StencilRelaxFive<Real>{.marker = marker_,
                                        .b = b,
                                        .u = u,
                                        .straight = straight_,
                                        .value = to,
                                        .east = east,
                                        .west = west,
                                        .north = north,
                                        .south = south}
            .run(device(), nodes);
    else
        kernels::StencilRelaxNine<Real>{.marker = marker_,
                                        .b = b,
                                        .u = u,
                                        .straight = straight_,
                                        .diagonal = diagonal_,
                                        .value = to,
                                        .east = east,
                                        .west = west,
                                        .north = north,
                                        .south = south}
            .run(device(), nodes);
}

// A kernel reads no entry of its output: a colour is computed aside and brought back.
template <class Real>
void Stencil<Real>::relax(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& scratch,
                          bool backwards) {
    const bool has_four = kind_ == StencilKind::nine;
    const int colours = has_four ? 4 : 2;
    constexpr int pairs[2][2] = {{0, 3}, {1, 2}}, singles[4] = {0, 3, 1, 2};
    for (int n = 0; n < colours; ++n) {
        const int colour = backwards ? colours - 1 - n : n;
        const std::span<const int> quarters =
            has_four ? std::span(&singles[colour], 1) : std::span(pairs[colour]);
        grid_->exchange(u);
        for (const int quarter : quarters) relax_quarter(quarter, b, u, scratch);
        for (const int quarter : quarters)
            Over(device(), grid_->layout().nodes(quarter))[u] = scratch;
    }
}

template <class Real>
void Stencil<Real>::relax_jacobi(const Buffer<Real>& b, Buffer<Real>& u, Buffer<Real>& scratch,
                                 double damping) {
    grid_->exchange(u);
    for (int quarter = 0; quarter < 4; ++quarter) relax_quarter(quarter, b, u, scratch);
    Over(device(), range())[u] += damping * (scratch - u);
}

template <class Real>
const Buffer<Real>& Stencil<Real>::stored_straight(Buffer<Real>& made) const {
    if (kind_ != StencilKind::constant) return straight_;
    made = grid_->field(3);
    Buffer<Real> unknown = grid_->field();
    grid_->device().copy(marker_, unknown);
    grid_->exchange(unknown);
    const auto [d, e, n] = constants_;
    const double numbers[] = {d, e, n};
    for (int quarter = 0; quarter < 4; ++quarter) {
        const GridLayout::Shifts to = grid_->layout().shifts(quarter);
        const std::uint32_t distances[] = {0, to.east, to.north};
        for (int c = 0; c < 3; ++c)
            kernels::GridPair<Real>{.marker = unknown,
                                    .value = column(made, c),
                                    .distance = distances[c],
                                    .number = numbers[c]}
                .run(grid_->device(), grid_->layout().nodes(quarter));
    }
    grid_->exchange(made);
    return made;
}

template <class Real>
typename Stencil<Real>::LineSet Stencil<Real>::line_set(Lines lines, int parity) {
    if (lines == Lines::along_x) return {0, {2 * parity, 2 * parity + 1}};
    return {1, {parity, parity + 2}};
}

template <class Real>
bool Stencil<Real>::is_closed(int direction) const {
    const GridExtents& whole = grid_->layout().extents();
    const GridBlock& block = grid_->layout().block();
    return direction ? whole.is_periodic_y && block.height == whole.ny && whole.ny > 2
                     : whole.is_periodic_x && block.width == whole.nx && whole.nx > 2;
}

template <class Real>
void Stencil<Real>::prepare_lines(Lines lines) {
    const GridLayout& layout = grid_->layout();
    const int direction = lines == Lines::along_x ? 0 : 1;
    if (line_couplings_[direction]) return;
    for (Buffer<Real>& reduced : reduced_)
        if (!reduced) reduced = grid_->field(3);
    const Buffer<Real> own = grid_->marker();
    Buffer<Real> beyond = grid_->marker(), made;
    grid_->exchange(beyond);
    Over(device(), Range{0, beyond.size()})[beyond] = beyond - own;
    const Buffer<Real>& straight = stored_straight(made);
    const auto couplings_to = [&](const Buffer<Real>& others) {
        Buffer<Real> result = grid_->field(2);
        for (int quarter = 0; quarter < 4; ++quarter) {
            const auto [east, west, north, south] = layout.shifts(quarter);
            const std::uint32_t before = direction ? south : west, after = direction ? north : east;
            for (int c = 0; c < 2; ++c)
                kernels::StencilLineCoupling<Real>{.diagonal = column(straight, 0),
                                                   .coupling = column(straight, 1 + direction),
                                                   .own = others,
                                                   .value = column(result, c),
                                                   .stored = c ? 0 : before,
                                                   .other = c ? after : before}
                    .run(device(), layout.nodes(quarter));
        }
        return result;
    };
    line_couplings_[direction] = couplings_to(own);
    if (!is_closed(direction)) return;
    const Buffer<Real> ends = couplings_to(beyond);
    line_ends_[direction] = grid_->field(2);
    for (int parity = 0; parity < 2; ++parity)
        for (int c = 0; c < 2; ++c) {
            const LineSet set = line_set(lines, parity);
            const ConstColumn solved = reduce(set, {&ends, c});
            for (const int quarter : set.quarters)
                Over(device(), layout.nodes(quarter))[column(line_ends_[direction], c)] =
                    column(*solved.buffer, solved.column);
        }
}

// The solution of open lines for a right-hand side over the diagonal.
template <class Real>
typename Stencil<Real>::ConstColumn Stencil<Real>::reduce(const LineSet& set, ConstColumn right) {
    const GridLayout& layout = grid_->layout();
    const int length = set.direction ? layout.block().height : layout.block().width;
    const Buffer<Real>* system = &line_couplings_[set.direction];
    int to = 0;
    for (int step = 1; step < length; step *= 2, to = 1 - to) {
        for (const int quarter : set.quarters) {
            const auto [east, west, north, south] = layout.shifts(quarter);
            std::uint32_t before = set.direction ? south : west,
                          after = set.direction ? north : east;
            if (step > 1) {
                after = static_cast<std::uint32_t>(step / 2 * (set.direction ? layout.pitch() : 1));
                before = 0 - after;
            }
            kernels::StencilLineReduce<Real>{.lower = column(*system, 0),
                                             .upper = column(*system, 1),
                                             .right = column(*right.buffer, right.column),
                                             .next_lower = column(reduced_[to], 0),
                                             .next_upper = column(reduced_[to], 1),
                                             .next_right = column(reduced_[to], 2),
                                             .before = before,
                                             .after = after}
                .run(device(), layout.nodes(quarter));
        }
        system = &reduced_[to];
        right = {system, 2};
    }
    return right;
}

template <class Real>
void Stencil<Real>::add_closed(const LineSet& set, ConstColumn open, Buffer<Real>& u) {
    const GridLayout& layout = grid_->layout();
    const auto pitch = static_cast<std::uint32_t>(layout.pitch()),
               size = static_cast<std::uint32_t>(layout.quarter_size());
    const int n = set.direction ? layout.extents().ny : layout.extents().nx;
    const std::uint32_t step = set.direction ? pitch : 1;
    const auto place = [&](int node) {
        return static_cast<std::uint32_t>(set.quarters[node % 2]) * size +
               static_cast<std::uint32_t>(node / 2 + 1) * step;
    };
    for (const int quarter : set.quarters)
        kernels::StencilLineClose<Real>{.u = u,
                                        .open = column(*open.buffer, open.column),
                                        .ends = line_ends_[set.direction],
                                        .start = static_cast<std::uint32_t>(quarter) * size,
                                        .pitch = pitch,
                                        .is_y = static_cast<std::uint32_t>(set.direction),
                                        .first = place(0),
                                        .last = place(n - 1)}
            .run(device(), layout.nodes(quarter));
}

// Lines of one parity are no neighbours of each other. What they lack is solved for: to couplings
// beyond their ends belongs a zero.
template <class Real>
void Stencil<Real>::relax_lines(Lines lines, const Buffer<Real>& b, Buffer<Real>& u,
                                Buffer<Real>& scratch, bool backwards) {
    prepare_lines(lines);
    for (int n = 0; n < 2; ++n) {
        const LineSet set = line_set(lines, backwards ? 1 - n : n);
        grid_->exchange(u);
        for (const int quarter : set.quarters) {
            relax_quarter(quarter, b, u, scratch);
            Over(device(), grid_->layout().nodes(quarter))[scratch] = scratch - u;
        }
        const ConstColumn lacking = reduce(set, {&scratch, 0});
        if (is_closed(set.direction)) {
            add_closed(set, lacking, u);
            continue;
        }
        for (const int quarter : set.quarters)
            Over(device(), grid_->layout().nodes(quarter))[u] +=
                column(*lacking.buffer, lacking.column);
    }
}

template class Stencil<float>;
template class Stencil<double>;

}  // namespace solenoid

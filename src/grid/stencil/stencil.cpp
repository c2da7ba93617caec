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
Buffer<Real> Stencil<Real>::row_sums() const {
    Buffer<Real> made, sums = grid_->field();
    const Buffer<Real>& straight = stored_straight(made);
    Device& on = grid_->device();
    Over(on, range())[sums] = abs(column(straight, 0));
    for (int quarter = 0; quarter < 4; ++quarter) {
        const auto [east, west, north, south] = grid_->layout().shifts(quarter);
        const auto add = [&](const auto& coupling, std::uint32_t back) {
            kernels::StencilMagnitudes<Real>{.coupling = coupling, .total = sums, .back = back}.run(
                on, grid_->layout().nodes(quarter));
        };
        add(column(straight, 1), west);
        add(column(straight, 2), south);
        if (!diagonal_) continue;
        add(column(diagonal_, 0), south + west);
        add(column(diagonal_, 1), south + east);
    }
    return sums;
}

// Lines of one parity are no neighbours of each other. What they lack is solved for.
template <class Real>
void Stencil<Real>::relax_lines(Lines lines, const Buffer<Real>& b, Buffer<Real>& u,
                                Buffer<Real>& scratch, bool backwards) {
    const int direction = lines == Lines::along_x ? 0 : 1;
    std::unique_ptr<LineSolver<Real>>& solver = lines_[direction];
    if (!solver) {
        Buffer<Real> made;
        solver = std::make_unique<LineSolver<Real>>(*grid_, stored_straight(made), direction);
    }
    for (int n = 0; n < 2; ++n) {
        const int parity = backwards ? 1 - n : n;
        grid_->exchange(u);
        for (const int quarter : solver->quarters(parity)) {
            relax_quarter(quarter, b, u, scratch);
            Over(device(), grid_->layout().nodes(quarter))[scratch] = scratch - u;
        }
        solver->add_solution(parity, scratch, u);
    }
}

template class Stencil<float>;
template class Stencil<double>;

}  // namespace solenoid

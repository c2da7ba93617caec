#include "grid/stencil/boundary_values.hpp"

#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/stop_signal.hpp"

namespace solenoid {

bool is_on_side(const GridExtents& extents, GridSide side, int i, int j) {
    switch (side) {
        case west:
            return i == 0 && !extents.is_periodic_x;
        case east:
            return i == extents.nx - 1 && !extents.is_periodic_x;
        case south:
            return j == 0 && !extents.is_periodic_y;
        default:
            return j == extents.ny - 1 && !extents.is_periodic_y;
    }
}

void for_nodes_on_side(const GridLayout& layout, GridSide side,
                       const std::function<void(int i, int j)>& visit) {
    const GridExtents& whole = layout.extents();
    const GridBlock& b = layout.block();
    for (int j = b.y; j < b.y + b.height; ++j) {
        break_off_if_overdue();
        for (int i = b.x; i < b.x + b.width; ++i)
            if (is_on_side(whole, side, i, j)) visit(i, j);
    }
}

namespace {

double value_or(const PlaneFunction& f, double x, double y, double otherwise) {
    return f ? f(x, y) : otherwise;
}

// The finite volumes round the nodes of a grid.
class NodeVolumes {
  public:
    NodeVolumes(const GridExtents& extents, const BoundaryValues& problem)
        : extents_(extents), problem_(problem) {}

    double x(double i) const { return problem_.x0 + i * problem_.hx; }
    double y(double j) const { return problem_.y0 + j * problem_.hy; }
    // half cells at sides
    double width(int i) const {
        return problem_.hx * part(i, extents_.nx, extents_.is_periodic_x || problem_.has_cells);
    }
    double height(int j) const {
        return problem_.hy * part(j, extents_.ny, extents_.is_periodic_y || problem_.has_cells);
    }
    double conductivity(double i, double j) const {
        return value_or(problem_.conductivity, x(i), y(j), 1);
    }
    bool is_land(int i, int j) const { return problem_.is_land && problem_.is_land(i, j); }
    bool is_on(GridSide side, int i, int j) const { return is_on_side(extents_, side, i, j); }
    bool is_given(int i, int j) const {
        return is_land(i, j) ? bool(problem_.land_value) : giving(i, j) != nullptr;
    }
    double given(int i, int j) const {
        if (is_land(i, j)) return value_or(problem_.land_value, x(i), y(j), 0);
        const SideCondition* const side = giving(i, j);
        return side ? value_or(side->gamma, x(i), y(j), 0) / side->alpha : 0;
    }
    // The number of the node after a step, or false where there is none.
    bool step(int& i, int& j, int di, int dj) const {
        const auto move = [](int& at, int by, int n, bool is_periodic) {
            at += by;
            if (is_periodic) at = (at + n) % n;
            return at >= 0 && at < n;
        };
        return move(i, di, extents_.nx, extents_.is_periodic_x) &&
               move(j, dj, extents_.ny, extents_.is_periodic_y);
    }
    // Through the face between a node and the next one; of the face before it where di or dj is -1.
    // k of each half of the face, so that it may jump on lines of the grid.
    double conductance(int i, int j, int di, int dj) const {
        double sum = 0;
        for (const int half : {-1, 1})
            if (di && has(half, j, extents_.ny, extents_.is_periodic_y || problem_.has_cells))
                sum += conductivity(i + 0.5 * di, j + 0.25 * half) * problem_.hy / problem_.hx;
            else if (dj && has(half, i, extents_.nx, extents_.is_periodic_x || problem_.has_cells))
                sum += conductivity(i + 0.25 * half, j + 0.5 * dj) * problem_.hx / problem_.hy;
        return sum / 2;
    }
    // Where a side is: half a cell beyond the last one, or at the last node.
    double beyond() const { return problem_.has_cells ? 0.5 : 0; }
    double side_x(GridSide side, int i) const {
        return x(side == west ? i - beyond() : side == east ? i + beyond() : i);
    }
    double side_y(GridSide side, int j) const {
        return y(side == south ? j - beyond() : side == north ? j + beyond() : j);
    }
    // The halves of the part of a side that belongs to a node of it.
    std::vector<SidePart> parts_of(GridSide side, int i, int j) const {
        std::vector<SidePart> parts;
        const double sign = side == west || side == south ? -1 : 1;
        const std::array<double, 2> place{side_x(side, i), side_y(side, j)};
        for (const int half : {-1, 1})
            if (side < south &&
                has(half, j, extents_.ny, extents_.is_periodic_y || problem_.has_cells))
                parts.push_back({i,
                                 j,
                                 place,
                                 {sign, 0},
                                 problem_.hy / 2,
                                 value_or(problem_.conductivity, place[0], y(j + 0.25 * half), 1),
                                 beyond() * problem_.hx});
            else if (side >= south &&
                     has(half, i, extents_.nx, extents_.is_periodic_x || problem_.has_cells))
                parts.push_back({i,
                                 j,
                                 place,
                                 {0, sign},
                                 problem_.hx / 2,
                                 value_or(problem_.conductivity, x(i + 0.25 * half), place[1], 1),
                                 beyond() * problem_.hy});
        return parts;
    }
    // k times length of it.
    double conductivity_of(GridSide side, int i, int j) const {
        double sum = 0;
        for (const SidePart& part : parts_of(side, i, j)) sum += part.conductivity * part.length;
        return sum;
    }

  private:
    // The side that gives the value of the node, or null.
    const SideCondition* giving(int i, int j) const {
        if (problem_.has_cells) return nullptr;
        for (const GridSide side : {west, east, south, north})
            if (is_on(side, i, j) && problem_.sides[side].beta == 0) return &problem_.sides[side];
        return nullptr;
    }
    // Whether there are cells before (-1) or behind (1) a node.
    static bool has(int half, int i, int n, bool is_periodic) {
        return is_periodic || n == 1 || (half < 0 ? i > 0 : i < n - 1);
    }
    static double part(int i, int n, bool is_periodic) {
        return is_periodic || n == 1 || (i > 0 && i < n - 1) ? 1 : 0.5;
    }
    const GridExtents& extents_;
    const BoundaryValues& problem_;
};

}  // namespace

void check_sides(const GridExtents& extents, const std::array<SideCondition, 4>& sides) {
    constexpr const char* names[] = {"west", "east", "south", "north"};
    for (const GridSide side : {west, east, south, north}) {
        if (side < south ? extents.is_periodic_x : extents.is_periodic_y) continue;
        const auto& [alpha, beta, gamma] = sides[side];
        if ((alpha == 0 && beta == 0) || alpha * beta < 0)
            throw InputError(std::string("the condition of the side ") + names[side] +
                             ": alpha and beta are not both zero, and of one sign");
    }
}

std::vector<SidePart> side_parts(const GridLayout& layout, const BoundaryValues& problem,
                                 GridSide side) {
    const NodeVolumes nodes(layout.extents(), problem);
    std::vector<SidePart> result;
    for_nodes_on_side(layout, side, [&](int i, int j) {
        for (const SidePart& part : nodes.parts_of(side, i, j)) result.push_back(part);
    });
    return result;
}

std::vector<double> node_areas(const GridLayout& layout, const BoundaryValues& problem) {
    const NodeVolumes nodes(layout.extents(), problem);
    const GridBlock& block = layout.block();
    std::vector<double> areas;
    for (int j = block.y; j < block.y + block.height; ++j) {
        break_off_if_overdue();
        for (int i = block.x; i < block.x + block.width; ++i)
            areas.push_back(nodes.width(i) * nodes.height(j));
    }
    return areas;
}

template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const BoundaryValues& problem) {
    const GridExtents& extents = grid.layout().extents();
    check_sides(extents, problem.sides);
    const NodeVolumes nodes(extents, problem);
    const GridBlock& block = grid.layout().block();
    const std::size_t size = std::size_t(block.width) * block.height;
    std::vector<double> straight(3 * size), right(size), given(size), marker(size);
    bool is_held = false;  // by a value, an exchange or a reaction
    const auto add_row = [&](int j) {
        std::size_t k = std::size_t(j - block.y) * block.width;
        for (int i = block.x; i < block.x + block.width; ++i, ++k) {
            if (nodes.is_given(i, j)) given[k] = nodes.given(i, j);
            if (nodes.is_given(i, j) || nodes.is_land(i, j)) continue;
            const double x = nodes.x(i), y = nodes.y(j);
            const double volume = nodes.width(i) * nodes.height(j);
            const double reaction = value_or(problem.reaction, x, y, 0) * volume;
            is_held |= reaction != 0;
            straight[k] = reaction;
            right[k] = value_or(problem.source, x, y, 0) * volume;
            constexpr int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
            for (int n = 0; n < 4; ++n) {
                const auto [di, dj] = steps[n];
                int to_i = i, to_j = j;
                if (!nodes.step(to_i, to_j, di, dj)) continue;
                const bool is_given = nodes.is_given(to_i, to_j);
                if (!is_given && nodes.is_land(to_i, to_j)) continue;
                const double conductance = nodes.conductance(i, j, di, dj);
                straight[k] += conductance;
                is_held |= is_given;
                if (is_given)
                    right[k] += conductance * nodes.given(to_i, to_j);
                else if (n < 2)
                    straight[(n + 1) * size + k] = -conductance;
            }
            for (const GridSide side : {west, east, south, north}) {
                if (!nodes.is_on(side, i, j)) continue;
                const auto& [alpha, beta, gamma] = problem.sides[side];
                const double distance = nodes.beyond() * (side < south ? problem.hx : problem.hy);
                const double exchange =
                    nodes.conductivity_of(side, i, j) / (beta + alpha * distance);
                straight[k] += alpha * exchange;
                right[k] +=
                    value_or(gamma, nodes.side_x(side, i), nodes.side_y(side, j), 0) * exchange;
                is_held |= alpha != 0;
            }
            if (straight[k] == 0) right[k] = 0;  // land on all sides
            marker[k] = straight[k] == 0 ? 0 : 1;
        }
    };
    grid.comm().agree([&] {
        for (int j = block.y; j < block.y + block.height; ++j) {
            break_off_if_overdue();
            add_row(j);
        }
    });
    const auto field = [&](const std::vector<double>& values, int columns) {
        Buffer<Real> result = grid.field(columns);
        grid.from_host(values, result);
        return result;
    };
    const bool is_singular = !grid.comm().any(is_held);
    RankSum sums[2];
    for (const double value : right) {
        sums[0] += value;
        sums[1] += std::abs(value);
    }
    grid.comm().sum(std::span(sums));
    const Buffer<Real> unknowns = field(marker, 1);
    Buffer<Real> right_hand_side = field(right, 1);
    if (is_singular) grid.remove_mean(unknowns, right_hand_side);
    Buffer<Real> kept, stored, prescribed;
    grid.comm().agree([&] {
        kept = grid.marker([&](int i, int j) { return !nodes.is_given(i, j); });
        stored = field(straight, 3);
        prescribed = field(given, 1);
    });
    return {Stencil<Real>(grid, field(marker, 1), std::move(stored)),
            std::move(right_hand_side),
            std::move(prescribed),
            is_singular,
            std::move(kept),
            sums[0],
            sums[1]};
}

std::optional<BoundaryValues> coarser(const BoundaryValues& problem, const GridExtents& extents,
                                      int level) {
    const int unit = 1 << level;
    if (problem.has_cells || (extents.nx - (extents.is_periodic_x ? 0 : 1)) % unit != 0 ||
        (extents.ny - (extents.is_periodic_y ? 0 : 1)) % unit != 0)
        return std::nullopt;
    BoundaryValues result = problem;
    result.hx *= unit;
    result.hy *= unit;
    if (problem.is_land)
        result.is_land = [is_land = problem.is_land, unit](int i, int j) {
            return is_land(i * unit, j * unit);
        };
    return result;
}

template BoundaryValueSystem<float> assemble(const Grid<float>&, const BoundaryValues&);
template BoundaryValueSystem<double> assemble(const Grid<double>&, const BoundaryValues&);

}  // namespace solenoid

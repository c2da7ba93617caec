#include "grid/stencil/mapped_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/stop_signal.hpp"

namespace solenoid {
namespace {

using Place = std::array<double, 2>;

Place minus(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1]}; }
double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1]; }
double cross(const Place& a, const Place& b) { return a[0] * b[1] - a[1] * b[0]; }

// Of a cell with the corners 0 (i, j), 1 (i + 1, j), 2 (i, j + 1), 3 (i + 1, j + 1).
struct CellMatrix {
    double a[4][4] = {};
    double area[4] = {};  // that belongs to each corner
    bool is_sound = true;

    CellMatrix(const Place (&corners)[4], double conductivity) {
        for (int c = 0; c < 4; ++c) {
            const int x = c ^ 1, y = c ^ 2;  // the corners at the other ends of its edges
            const Place ex = minus(corners[x], corners[c]), ey = minus(corners[y], corners[c]);
            const double sign = c == 0 || c == 3 ? 1 : -1;
            area[c] = sign * cross(ex, ey) / 4;
            if (!(area[c] > 0)) {
                is_sound = false;
                return;
            }
            // |grad u|^2 area = (|ey|^2 ux^2 - 2 ex.ey ux uy + |ex|^2 uy^2) / (16 area)
            const double factor = conductivity / (16 * area[c]);
            add(c, x, factor * dot(ey, ey));
            add(c, y, factor * dot(ex, ex));
            const double mixed = factor * dot(ex, ey);
            a[x][y] -= mixed;
            a[y][x] -= mixed;
            a[c][x] += mixed;
            a[x][c] += mixed;
            a[c][y] += mixed;
            a[y][c] += mixed;
            a[c][c] -= 2 * mixed;
        }
    }

  private:
    void add(int c, int d, double value) {
        a[c][c] += value;
        a[d][d] += value;
        a[c][d] -= value;
        a[d][c] -= value;
    }
};

double value_or(const PlaneFunction& f, const Place& place, double otherwise) {
    return f ? f(place[0], place[1]) : otherwise;
}

// The sides of a cell, by GridSide: the step to the cell beyond, and the corners at its ends.
constexpr int beyond[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
constexpr int ends[4][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};

class MappedNodes {
  public:
    MappedNodes(const GridExtents& extents, const GridBlock& block,
                const MappedBoundaryValues& problem)
        : extents_(extents), block_(block), problem_(problem), width_(block.width + 2) {
        giving_.reserve(std::size_t(width_) * (block.height + 2));
        for (int j = block.y - 1; j <= block.y + block.height; ++j) {
            break_off_if_overdue();
            for (int i = block.x - 1; i <= block.x + block.width; ++i)
                giving_.push_back(find_giving(i, j));
        }
    }

    Place place(int i, int j) const { return problem_.position(i, j); }
    bool has_cell(int i, int j) const {
        return is_inside(i, extents_.nx, extents_.is_periodic_x) &&
               is_inside(j, extents_.ny, extents_.is_periodic_y) &&
               (!problem_.is_part || problem_.is_part(i, j));
    }
    CellMatrix cell(int i, int j) const {
        const Place corners[4] = {place(i, j), place(i + 1, j), place(i, j + 1),
                                  place(i + 1, j + 1)};
        Place middle{};
        for (const Place& corner : corners)
            for (std::size_t c = 0; c < 2; ++c) middle[c] += corner[c] / 4;
        const CellMatrix result(corners, value_or(problem_.conductivity, middle, 1));
        if (!result.is_sound)
            throw InputError("cell (" + std::to_string(i) + ", " + std::to_string(j) +
                             ") of the mapped grid has no area or is turned over: its corners (i, "
                             "j), (i + 1, j), (i + 1, j + 1) have to turn to the left");
        return result;
    }
    // Of a side of a cell that is part, or null: there is a cell beyond.
    const SideCondition* condition(int i, int j, int side) const {
        int x = i + beyond[side][0], y = j + beyond[side][1];
        const bool is_outer = !is_inside(x, extents_.nx, extents_.is_periodic_x) ||
                              !is_inside(y, extents_.ny, extents_.is_periodic_y);
        if (is_outer) return &problem_.sides[side];
        return has_cell(x, y) ? nullptr : &problem_.land;
    }
    // The condition that gives the value of a node of the block or next to it, or null.
    const SideCondition* giving(int i, int j) const {
        return giving_[std::size_t(j - block_.y + 1) * width_ + (i - block_.x + 1)];
    }
    double given(int i, int j) const {
        const SideCondition* const side = giving(i, j);
        return side ? value_or(side->gamma, place(i, j), 0) / side->alpha : 0;
    }
    // k times the half of a side that belongs to the node at one end.
    double conductance(int i, int j, int other_i, int other_j) const {
        const Place here = place(i, j), edge = minus(place(other_i, other_j), here);
        const Place quarter = {here[0] + edge[0] / 4, here[1] + edge[1] / 4};
        return value_or(problem_.conductivity, quarter, 1) * std::sqrt(dot(edge, edge)) / 2;
    }
    bool is_in_some_cell(int i, int j) const {
        for (int c = 0; c < 4; ++c)
            if (has_cell(i - (c & 1), j - (c >> 1))) return true;
        return false;
    }
    // The halves of the part of a side that belongs to a node of it, where a cell ends there.
    std::vector<SidePart> parts_of(GridSide side, int i, int j) const {
        std::vector<SidePart> parts;
        for (const int step : {-1, 1}) {
            const int to_i = side < south ? i : i + step, to_j = side < south ? j + step : j;
            if (!has_cell(side == east ? i - 1 : std::min(i, to_i),
                          side == north ? j - 1 : std::min(j, to_j)))
                continue;
            const Place here = place(i, j), edge = minus(place(to_i, to_j), here);
            const Place quarter = {here[0] + edge[0] / 4, here[1] + edge[1] / 4};
            const double length = std::sqrt(dot(edge, edge));
            // from the edge, as it runs along i or j, to the left or right
            const double per_length = (side == west || side == north ? 1 : -1) * step / length;
            parts.push_back({i,
                             j,
                             here,
                             {-per_length * edge[1], per_length * edge[0]},
                             length / 2,
                             value_or(problem_.conductivity, quarter, 1),
                             0});
        }
        return parts;
    }

  private:
    // Of cells.
    static bool is_inside(int i, int n, bool is_periodic) {
        return is_periodic || (i >= 0 && i + 1 < n);
    }
    // The first of west, east, south, north and land.
    const SideCondition* find_giving(int i, int j) const {
        const SideCondition* found[5] = {};
        for (int c = 0; c < 4; ++c) {
            const int x = i - (c & 1), y = j - (c >> 1);
            if (!has_cell(x, y)) continue;
            for (int side = 0; side < 4; ++side) {
                if (ends[side][0] != c && ends[side][1] != c) continue;
                const SideCondition* const its = condition(x, y, side);
                if (its && its->beta == 0) found[its == &problem_.land ? 4 : side] = its;
            }
        }
        for (const SideCondition* one : found)
            if (one) return one;
        return nullptr;
    }

    const GridExtents& extents_;
    const GridBlock& block_;
    const MappedBoundaryValues& problem_;
    const int width_;
    std::vector<const SideCondition*> giving_;
};

}  // namespace

std::vector<SidePart> side_parts(const GridLayout& layout, const MappedBoundaryValues& problem,
                                 GridSide side) {
    const MappedNodes nodes(layout.extents(), layout.block(), problem);
    std::vector<SidePart> result;
    for_nodes_on_side(layout, side, [&](int i, int j) {
        for (const SidePart& part : nodes.parts_of(side, i, j)) result.push_back(part);
    });
    return result;
}

std::vector<double> node_areas(const GridLayout& layout, const MappedBoundaryValues& problem) {
    const MappedNodes nodes(layout.extents(), layout.block(), problem);
    const GridBlock& block = layout.block();
    std::vector<double> areas(std::size_t(block.width) * block.height);
    for (int j = block.y - 1; j < block.y + block.height; ++j) {
        break_off_if_overdue();
        for (int i = block.x - 1; i < block.x + block.width; ++i) {
            if (!nodes.has_cell(i, j)) continue;
            const CellMatrix cell = nodes.cell(i, j);
            for (int c = 0; c < 4; ++c) {
                const int ci = i + (c & 1), cj = j + (c >> 1);
                if (block.contains(ci, cj))
                    areas[std::size_t(cj - block.y) * block.width + (ci - block.x)] += cell.area[c];
            }
        }
    }
    return areas;
}

std::vector<int> givers(const GridLayout& layout, const MappedBoundaryValues& problem) {
    const MappedNodes nodes(layout.extents(), layout.block(), problem);
    const GridBlock& block = layout.block();
    std::vector<int> result;
    for (int j = block.y; j < block.y + block.height; ++j) {
        break_off_if_overdue();
        for (int i = block.x; i < block.x + block.width; ++i) {
            const SideCondition* const its = nodes.giving(i, j);
            result.push_back(!its                   ? not_given
                             : its == &problem.land ? given_by_land
                                                    : static_cast<int>(its - problem.sides.data()));
        }
    }
    return result;
}

template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const MappedBoundaryValues& problem) {
    const GridExtents& extents = grid.layout().extents();
    check_sides(extents, problem.sides);
    const GridBlock& block = grid.layout().block();
    std::optional<MappedNodes> made;
    grid.comm().agree([&] { made.emplace(extents, block, problem); });
    const MappedNodes& nodes = *made;
    const std::size_t size = std::size_t(block.width) * block.height;
    std::vector<double> straight(3 * size), diagonal(2 * size), right(size), given(size),
        marker(size), kept(size);
    std::vector<bool> is_held(size);  // by a value, an exchange or a reaction
    bool has_diagonals = false;
    const auto index = [&](int i, int j) {
        return std::size_t(j - block.y) * block.width + (i - block.x);
    };
    const auto add_cell = [&](int i, int j) {
        const CellMatrix cell = nodes.cell(i, j);
        for (int c = 0; c < 4; ++c) {
            const int ci = i + (c & 1), cj = j + (c >> 1);
            if (!block.contains(ci, cj) || nodes.giving(ci, cj)) continue;
            const std::size_t k = index(ci, cj);
            const Place place = nodes.place(ci, cj);
            const double reaction = value_or(problem.reaction, place, 0) * cell.area[c];
            if (reaction != 0) is_held[k] = true;
            straight[k] += cell.a[c][c] + reaction;
            right[k] += value_or(problem.source, place, 0) * cell.area[c];
            for (int d = 0; d < 4; ++d) {
                const int di = i + (d & 1), dj = j + (d >> 1), step = di - ci + 3 * (dj - cj);
                if (d == c) continue;
                if (nodes.giving(di, dj)) {
                    right[k] -= cell.a[c][d] * nodes.given(di, dj);
                    is_held[k] = true;
                } else if (step == 1 || step == 3) {
                    straight[(step == 1 ? 1 : 2) * size + k] += cell.a[c][d];
                } else if (step == 4 || step == 2) {
                    diagonal[(step == 4 ? 0 : 1) * size + k] += cell.a[c][d];
                    has_diagonals |= cell.a[c][d] != 0;
                }
            }
        }
        for (int side = 0; side < 4; ++side) {
            const SideCondition* const its = nodes.condition(i, j, side);
            if (!its || its->beta == 0) continue;
            for (const int end : {0, 1}) {
                const int c = ends[side][end], d = ends[side][1 - end];
                const int ci = i + (c & 1), cj = j + (c >> 1);
                if (!block.contains(ci, cj) || nodes.giving(ci, cj)) continue;
                const double exchange =
                    nodes.conductance(ci, cj, i + (d & 1), j + (d >> 1)) / its->beta;
                const std::size_t k = index(ci, cj);
                straight[k] += its->alpha * exchange;
                right[k] += value_or(its->gamma, nodes.place(ci, cj), 0) * exchange;
                if (its->alpha != 0) is_held[k] = true;
            }
        }
    };
    grid.comm().agree([&] {
        for (int j = block.y - 1; j < block.y + block.height; ++j) {
            break_off_if_overdue();
            for (int i = block.x - 1; i < block.x + block.width; ++i)
                if (nodes.has_cell(i, j)) add_cell(i, j);
        }
        for (int j = block.y; j < block.y + block.height; ++j) {
            break_off_if_overdue();
            for (int i = block.x; i < block.x + block.width; ++i) {
                const std::size_t k = index(i, j);
                if (nodes.giving(i, j))
                    given[k] = nodes.given(i, j);
                else if (nodes.is_in_some_cell(i, j))
                    marker[k] = kept[k] = 1;
                else
                    kept[k] = problem.land.beta == 0 ? 0 : 1;
            }
        }
    });
    const auto field = [&](const std::vector<double>& values, int columns) {
        Buffer<Real> result = grid.field(columns);
        grid.from_host(values, result);
        return result;
    };
    const bool is_singular =
        !grid.comm().any(std::find(is_held.begin(), is_held.end(), true) != is_held.end());
    RankSum sums[2];
    for (const double value : right) {
        sums[0] += value;
        sums[1] += std::abs(value);
    }
    grid.comm().sum(std::span(sums));
    FloatingParts floating;
    if (problem.is_part)
        floating = floating_parts(
            grid.comm(), grid.layout(), [&](int i, int j) { return nodes.has_cell(i, j); },
            [&](int i, int j) { return !nodes.giving(i, j); }, right, is_held);
    for (std::size_t k = 0; !floating.empty() && k < size; ++k) {
        if (floating.of_node[k] < 0) continue;
        const FloatingPart& part = floating.parts[floating.of_node[k]];
        right[k] -= part.imbalance / double(part.nodes);
    }
    Buffer<Real> unknowns, right_hand_side;
    grid.comm().agree([&] {
        unknowns = field(marker, 1);
        right_hand_side = field(right, 1);
    });
    if (is_singular && floating.empty()) grid.remove_mean(unknowns, right_hand_side);
    const bool crosses = grid.comm().any(has_diagonals);
    Buffer<Real> across, stored, prescribed, held;
    grid.comm().agree([&] {
        if (crosses) across = field(diagonal, 2);
        stored = field(straight, 3);
        prescribed = field(given, 1);
        held = field(kept, 1);
    });
    return {Stencil<Real>(grid, std::move(unknowns), std::move(stored), std::move(across)),
            std::move(right_hand_side),
            std::move(prescribed),
            is_singular,
            std::move(held),
            sums[0],
            sums[1],
            std::move(floating)};
}

BoundaryFlows boundary_flows(const Communicator& comm, const GridLayout& layout,
                             const MappedBoundaryValues& problem,
                             const std::function<double(int i, int j)>& U) {
    const GridBlock& block = layout.block();
    std::array<RankSum, 7> sums;  // sides, land, source, reaction
    comm.agree([&] {
        const MappedNodes nodes(layout.extents(), block, problem);
        const auto of = [&](const SideCondition* its) -> RankSum& {
            for (int side = 0; side < 4; ++side)
                if (its == &problem.sides[side]) return sums[side];
            return sums[4];
        };
        const auto add_cell = [&](int i, int j) {
            const CellMatrix cell = nodes.cell(i, j);
            for (int c = 0; c < 4; ++c) {
                const int ci = i + (c & 1), cj = j + (c >> 1);
                if (!block.contains(ci, cj)) continue;
                const Place place = nodes.place(ci, cj);
                const double made = value_or(problem.source, place, 0) * cell.area[c],
                             taken =
                                 value_or(problem.reaction, place, 0) * cell.area[c] * U(ci, cj);
                sums[5] += made;
                sums[6] += taken;
                const SideCondition* const giving = nodes.giving(ci, cj);
                if (!giving) continue;
                double residual = taken - made;
                for (int d = 0; d < 4; ++d) residual += cell.a[c][d] * U(i + (d & 1), j + (d >> 1));
                of(giving) += residual;
            }
            for (int side = 0; side < 4; ++side) {
                const SideCondition* const its = nodes.condition(i, j, side);
                if (!its || its->beta == 0) continue;
                for (const int end : {0, 1}) {
                    const int c = ends[side][end], d = ends[side][1 - end];
                    const int ci = i + (c & 1), cj = j + (c >> 1);
                    if (!block.contains(ci, cj) || nodes.giving(ci, cj)) continue;
                    of(its) +=
                        nodes.conductance(ci, cj, i + (d & 1), j + (d >> 1)) / its->beta *
                        (value_or(its->gamma, nodes.place(ci, cj), 0) - its->alpha * U(ci, cj));
                }
            }
        };
        for (int j = block.y - 1; j < block.y + block.height; ++j)
            for (int i = block.x - 1; i < block.x + block.width; ++i)
                if (nodes.has_cell(i, j)) add_cell(i, j);
    });
    comm.sum(std::span(sums));
    return {{sums[0], sums[1], sums[2], sums[3]}, sums[4], sums[5], sums[6]};
}

template BoundaryValueSystem<float> assemble(const Grid<float>&, const MappedBoundaryValues&);
template BoundaryValueSystem<double> assemble(const Grid<double>&, const MappedBoundaryValues&);

}  // namespace solenoid

#include "grid/stencil/mapped_grid.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "core/error.hpp"

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

class MappedNodes {
  public:
    MappedNodes(const GridExtents& extents, const MappedBoundaryValues& problem)
        : extents_(extents), problem_(problem) {}

    Place place(int i, int j) const { return problem_.position(i, j); }
    bool has_cell(int i, int j) const {
        return (extents_.is_periodic_x || (i >= 0 && i + 1 < extents_.nx)) &&
               (extents_.is_periodic_y || (j >= 0 && j + 1 < extents_.ny));
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
    // The side that gives the value of the node, or null.
    const SideCondition* giving(int i, int j) const {
        for (const GridSide side : {west, east, south, north})
            if (is_on_side(extents_, side, i, j) && problem_.sides[side].beta == 0)
                return &problem_.sides[side];
        return nullptr;
    }
    double given(int i, int j) const {
        const SideCondition* const side = giving(i, j);
        return side ? value_or(side->gamma, place(i, j), 0) / side->alpha : 0;
    }
    // The halves of the part of a side that belongs to a node of it.
    std::vector<SidePart> parts_of(GridSide side, int i, int j) const {
        std::vector<SidePart> parts;
        for (const int step : {-1, 1}) {
            const int to_i = side < south ? i : i + step, to_j = side < south ? j + step : j;
            if ((!extents_.is_periodic_x && (to_i < 0 || to_i >= extents_.nx)) ||
                (!extents_.is_periodic_y && (to_j < 0 || to_j >= extents_.ny)))
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
    // k times its length.
    double conductivity_of(GridSide side, int i, int j) const {
        double sum = 0;
        for (const SidePart& part : parts_of(side, i, j)) sum += part.conductivity * part.length;
        return sum;
    }

  private:
    const GridExtents& extents_;
    const MappedBoundaryValues& problem_;
};

}  // namespace

std::vector<SidePart> side_parts(const GridLayout& layout, const MappedBoundaryValues& problem,
                                 GridSide side) {
    const MappedNodes nodes(layout.extents(), problem);
    std::vector<SidePart> result;
    for_nodes_on_side(layout, side, [&](int i, int j) {
        for (const SidePart& part : nodes.parts_of(side, i, j)) result.push_back(part);
    });
    return result;
}

std::vector<double> node_areas(const GridLayout& layout, const MappedBoundaryValues& problem) {
    const MappedNodes nodes(layout.extents(), problem);
    const GridBlock& block = layout.block();
    std::vector<double> areas(std::size_t(block.width) * block.height);
    for (int j = block.y - 1; j < block.y + block.height; ++j)
        for (int i = block.x - 1; i < block.x + block.width; ++i) {
            if (!nodes.has_cell(i, j)) continue;
            const CellMatrix cell = nodes.cell(i, j);
            for (int c = 0; c < 4; ++c) {
                const int ci = i + (c & 1), cj = j + (c >> 1);
                if (block.contains(ci, cj))
                    areas[std::size_t(cj - block.y) * block.width + (ci - block.x)] += cell.area[c];
            }
        }
    return areas;
}

template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const MappedBoundaryValues& problem) {
    const GridExtents& extents = grid.layout().extents();
    check_sides(extents, problem.sides);
    const MappedNodes nodes(extents, problem);
    const GridBlock& block = grid.layout().block();
    const std::size_t size = std::size_t(block.width) * block.height;
    std::vector<double> straight(3 * size), diagonal(2 * size), right(size), given(size),
        marker(size);
    bool is_held = false;  // by a value, an exchange or a reaction
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
            is_held |= reaction != 0;
            straight[k] += cell.a[c][c] + reaction;
            right[k] += value_or(problem.source, place, 0) * cell.area[c];
            for (int d = 0; d < 4; ++d) {
                const int di = i + (d & 1), dj = j + (d >> 1), step = di - ci + 3 * (dj - cj);
                if (d == c) continue;
                if (nodes.giving(di, dj)) {
                    right[k] -= cell.a[c][d] * nodes.given(di, dj);
                    is_held = true;
                } else if (step == 1 || step == 3) {
                    straight[(step == 1 ? 1 : 2) * size + k] += cell.a[c][d];
                } else if (step == 4 || step == 2) {
                    diagonal[(step == 4 ? 0 : 1) * size + k] += cell.a[c][d];
                }
            }
        }
    };
    grid.comm().agree([&] {
        for (int j = block.y - 1; j < block.y + block.height; ++j)
            for (int i = block.x - 1; i < block.x + block.width; ++i)
                if (nodes.has_cell(i, j)) add_cell(i, j);
    });
    for (int j = block.y; j < block.y + block.height; ++j)
        for (int i = block.x; i < block.x + block.width; ++i) {
            const std::size_t k = index(i, j);
            if (nodes.giving(i, j)) {
                given[k] = nodes.given(i, j);
                continue;
            }
            marker[k] = 1;
            for (const GridSide side : {west, east, south, north}) {
                if (!is_on_side(extents, side, i, j)) continue;
                const auto& [alpha, beta, gamma] = problem.sides[side];
                const double exchange = nodes.conductivity_of(side, i, j) / beta;
                straight[k] += alpha * exchange;
                right[k] += value_or(gamma, nodes.place(i, j), 0) * exchange;
                is_held |= alpha != 0;
            }
        }
    const auto field = [&](const std::vector<double>& values, int columns) {
        Buffer<Real> result = grid.field(columns);
        grid.from_host(values, result);
        return result;
    };
    const bool is_singular = !grid.comm().any(is_held);
    Buffer<Real> unknowns = field(marker, 1), right_hand_side = field(right, 1);
    if (is_singular) grid.remove_mean(unknowns, right_hand_side);
    return {Stencil<Real>(grid, std::move(unknowns), field(straight, 3), field(diagonal, 2)),
            std::move(right_hand_side), field(given, 1), is_singular, field(marker, 1)};
}

template BoundaryValueSystem<float> assemble(const Grid<float>&, const MappedBoundaryValues&);
template BoundaryValueSystem<double> assemble(const Grid<double>&, const MappedBoundaryValues&);

}  // namespace solenoid

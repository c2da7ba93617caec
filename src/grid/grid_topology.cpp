#include "grid/grid_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/stop_signal.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

constexpr std::array<std::array<int, 2>, 4> corner_steps{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
constexpr std::array<std::array<int, 2>, 4> side_steps{{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
constexpr std::array<const char*, 4> side_names{"south", "east", "north", "west"};

double doubled_area(const Vec3& a, const Vec3& b, const Vec3& c) {  // twice the area of a triangle
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// In a loop over entities.
void break_off_now_and_then(std::size_t entity) {
    if (entity % 4096 == 0) break_off_if_overdue();
}

// A part of the grid that goes on round periodic directions: a place for each of its nodes, once.
struct Window {
    Window(const GridExtents& extents, const GridBlock& block, int ring)
        : extents(extents),
          x(first(block.x - ring, extents.is_periodic_x)),
          y(first(block.y - ring, extents.is_periodic_y)),
          width(count(block.x + block.width + ring, x, extents.nx, extents.is_periodic_x)),
          height(count(block.y + block.height + ring, y, extents.ny, extents.is_periodic_y)) {}

    std::size_t size() const { return static_cast<std::size_t>(width) * height; }
    // Of node (i, j) of the grid; -1: not in the window.
    std::int64_t place(int i, int j) const {
        const int column = distance(i - x, extents.nx, extents.is_periodic_x),
                  row = distance(j - y, extents.ny, extents.is_periodic_y);
        if (column < 0 || row < 0 || column >= width || row >= height) return -1;
        return std::int64_t(row) * width + column;
    }
    // Calls visit(i, j, place) for what is in the window and in the grid, row by row of the grid.
    template <class Visit>
    void each(const Visit& visit) const {
        const std::vector<int> columns = inside(x, width, extents.nx);
        for (const int j : inside(y, height, extents.ny)) {
            break_off_if_overdue();
            for (const int i : columns) visit(i, j, static_cast<std::size_t>(place(i, j)));
        }
    }

    const GridExtents extents;
    const int x, y, width, height;

  private:
    static int first(int at, bool is_periodic) { return is_periodic ? at : std::max(at, 0); }
    static int count(int end, int from, int n, bool is_periodic) {
        return is_periodic ? std::min(end - from, n) : std::min(end, n) - from;
    }
    static int distance(int from, int n, bool is_periodic) {
        return is_periodic ? (from % n + n) % n : from;
    }
    static std::vector<int> inside(int from, int count, int n) {
        std::vector<int> all;
        for (int k = from; k < from + count; ++k) all.push_back((k % n + n) % n);
        std::ranges::sort(all);
        return all;
    }
};

}  // namespace

// Finds what this rank holds.
struct GridTopology::Maker {
    static constexpr std::int8_t no_part = -1;  // else 0 interior, 1 border, 2 shared, 3 ghost
    using Kinds = std::vector<std::int8_t>;     // by places of the window

    Maker(GridTopology& t, const Communicator& comm, std::span<const GridBlock> blocks,
          const GridShape& shape)
        : t(t),
          comm(comm),
          blocks(blocks),
          shape(shape),
          own(blocks[comm.rank()]),
          window(t.extents_, own, 2) {}

    GridTopology& t;
    const Communicator& comm;
    const std::span<const GridBlock> blocks;
    const GridShape& shape;
    const GridBlock own;
    const Window window;
    const int nx = t.extents_.nx, ny = t.extents_.ny;
    std::vector<Index> node_at, cell_at;  // by places of the window; none: not held

    // Into the grid, round periodic directions; false where nothing is there.
    bool wrap(int& i, int& j) const {
        if (t.extents_.is_periodic_x) i = (i % nx + nx) % nx;
        if (t.extents_.is_periodic_y) j = (j % ny + ny) % ny;
        return i >= 0 && i < nx && j >= 0 && j < ny;
    }
    // Wraps, too.
    bool is_cell(int& i, int& j) const {
        return wrap(i, j) && (t.extents_.is_periodic_x || i + 1 < nx) &&
               (t.extents_.is_periodic_y || j + 1 < ny) && (!shape.is_part || shape.is_part(i, j));
    }
    bool is_node(int i, int j) const {
        for (const auto& step : corner_steps) {
            int x = i - step[0], y = j - step[1];
            if (is_cell(x, y)) return true;
        }
        return false;
    }
    int rank_of(int i, int j) const {
        if (own.contains(i, j)) return comm.rank();
        int rank = 0;
        while (!blocks[rank].contains(i, j)) ++rank;
        return rank;
    }
    Index at(const std::vector<Index>& held, int i, int j) const {
        const std::int64_t place = window.place(i, j);
        return place < 0 ? none : held[place];
    }

    // The numbers of those held, row by row, `columns` a row where all are there; returns how many
    // there are.
    template <class IsThere>
    std::int64_t number(const std::vector<Place>& at_grid, const std::vector<Index>& held,
                        int columns, int rows, std::vector<GlobalIndex>& numbers,
                        const IsThere& is_there) const {
        numbers.resize(at_grid.size());
        if (!shape.is_part) {
            for (std::size_t k = 0; k < at_grid.size(); ++k)
                numbers[k] = GlobalIndex(at_grid[k].j) * columns + at_grid[k].i;
            return std::int64_t(columns) * rows;
        }
        GlobalIndex count = 0;
        for (int j = 0; j < ny; ++j) {
            break_off_if_overdue();
            for (int i = 0; i < nx; ++i) {
                if (!is_there(i, j)) continue;
                if (const Index k = at(held, i, j); k != none) numbers[k] = count;
                ++count;
            }
        }
        return count;
    }

    // Asks the owners of ghosts, the entities from `first` on, for what they send.
    HaloPlan plan(const std::vector<Place>& at_grid, const std::vector<Index>& held,
                  Index first) const {
        std::map<int, std::vector<std::int64_t>> asked;
        std::map<int, std::vector<Index>> received;
        for (Index k = first; k < static_cast<Index>(at_grid.size()); ++k) {
            const int rank = rank_of(at_grid[k].i, at_grid[k].j);
            asked[rank].push_back(std::int64_t(at_grid[k].j) * nx + at_grid[k].i);
            received[rank].push_back(k);
        }
        std::map<int, std::vector<Index>> sent;
        for (const auto& [rank, keys] : exchange_values(comm, std::move(asked)))
            for (const std::int64_t key : keys)
                sent[rank].push_back(
                    at(held, static_cast<int>(key % nx), static_cast<int>(key / nx)));
        HaloPlan plan;
        for (int rank = 0; rank < comm.size(); ++rank) {
            if (!sent.contains(rank) && !received.contains(rank)) continue;
            const std::vector<Index>&out = sent[rank], &in = received[rank];
            plan.neighbours.push_back(rank);
            plan.send.insert(plan.send.end(), out.begin(), out.end());
            plan.receive.insert(plan.receive.end(), in.begin(), in.end());
            plan.send_start.push_back(static_cast<Index>(plan.send.size()));
            plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
        }
        return plan;
    }

    // Own cells and nodes with their neighbours.
    void find_held() {
        Kinds cells(window.size(), no_part), nodes(window.size(), no_part);
        for (int y = own.y - 1; y <= own.y + own.height; ++y) {
            break_off_if_overdue();
            for (int x = own.x - 1; x <= own.x + own.width; ++x) {
                int i = x, j = y;
                if (is_cell(i, j)) cells[window.place(i, j)] = own.contains(i, j) ? 0 : 3;
            }
        }
        const auto corners_of = [&](int i, int j, const auto& visit) {
            for (const auto& step : corner_steps) {
                int x = i + step[0], y = j + step[1];
                wrap(x, y);
                visit(nodes[window.place(x, y)], own.contains(x, y));
            }
        };
        const auto each_cell = [&](std::int8_t kind, const auto& visit) {
            window.each([&](int i, int j, std::size_t place) {
                if (cells[place] == kind) visit(i, j, cells[place]);
            });
        };
        // Shared nodes are those of own cells; of a foreign cell only what touches these, or an own
        // node, is held.
        each_cell(0, [&](int i, int j, std::int8_t&) {
            corners_of(i, j, [](std::int8_t& node, bool is_own) { node = is_own ? 0 : 2; });
        });
        each_cell(3, [&](int i, int j, std::int8_t& cell) {
            bool touches = false;
            corners_of(i, j, [&](std::int8_t node, bool is_own) {
                touches = touches || is_own || node == 0 || node == 2;
            });
            if (!touches) cell = no_part;
        });
        each_cell(3, [&](int i, int j, std::int8_t&) {
            corners_of(i, j, [](std::int8_t& node, bool is_own) {
                if (is_own) node = 1;
                if (node == no_part) node = 3;
            });
        });
        each_cell(0, [&](int i, int j, std::int8_t& cell) {
            corners_of(i, j, [&](std::int8_t node, bool) {
                if (node != 0) cell = 1;
            });
        });
        // A node of a border cell has ghosts, or shared nodes, among those next to it.
        each_cell(1, [&](int i, int j, std::int8_t&) {
            corners_of(i, j, [](std::int8_t& node, bool) {
                if (node == 0) node = 1;
            });
        });
        t.ranges_[3] = list(cells, t.cell_places_, cell_at);
        t.ranges_[0] = list(nodes, t.node_places_, node_at);
    }
    EntityRanges list(const Kinds& kinds, std::vector<Place>& at_grid,
                      std::vector<Index>& held) const {
        std::array<Index, 4> ends{};
        held.assign(window.size(), none);
        for (int kind = 0; kind < 4; ++kind) {
            window.each([&](int i, int j, std::size_t place) {
                if (kinds[place] != kind) return;
                held[place] = static_cast<Index>(at_grid.size());
                at_grid.push_back({i, j});
            });
            ends[kind] = static_cast<Index>(at_grid.size());
        }
        return {ends[0], ends[1], ends[2], ends[3]};
    }

    void join() const {
        for (const Place& p : t.node_places_) {
            break_off_now_and_then(t.positions_.size());
            t.positions_.push_back(shape.position(p.i, p.j));
        }
        for (const Place& p : t.cell_places_) {
            break_off_now_and_then(t.cell_owners_.size());
            t.cell_owners_.push_back(rank_of(p.i, p.j));
            for (const auto& step : corner_steps) {
                int i = p.i + step[0], j = p.j + step[1];
                wrap(i, j);
                t.cell_nodes_.push_back(at(node_at, i, j));
            }
            auto& beyond = t.beyond_.emplace_back();
            for (int side = 0; side < 4; ++side) {
                int i = p.i + side_steps[side][0], j = p.j + side_steps[side][1];
                const bool is_round =
                    (t.shift_x_ && (i < 0 || i >= nx)) || (t.shift_y_ && (j < 0 || j >= ny));
                beyond[side] = !is_cell(i, j) || at(cell_at, i, j) == none ? Beyond::nothing
                               : is_round                                  ? Beyond::periodic
                                                                           : Beyond::cell;
            }
        }
    }

    void check_folds() const {
        for (Index c = 0; c < t.ranges_[3].owned; ++c) {
            break_off_now_and_then(static_cast<std::size_t>(c));
            for (int k = 0; k < 4; ++k) {
                const Vec3 at = t.corner(c, k);
                if (doubled_area(t.corner(c, (k + 3) % 4), at, t.corner(c, (k + 1) % 4)) > 0)
                    continue;
                throw shape.error(fmt::format(
                    "the cell ({}, {}) of the grid is folded, or has no area, at ({:.6g}, {:.6g}): "
                    "its corners must turn counter-clockwise; exchange x or y, or refine there",
                    t.cell_places_[c].i, t.cell_places_[c].j, at.x, at.y));
            }
        }
    }
};

InputError GridShape::error(const std::string& message) const {
    return place.empty() ? InputError(message) : InputError(place, message);
}

GridTopology::GridTopology(const Communicator& comm, const GridExtents& extents,
                           std::span<const GridBlock> blocks, const GridShape& shape)
    : extents_(extents), block_(blocks[comm.rank()]), shape_(shape) {
    for (const auto& [n, is_periodic] : {std::pair(extents_.nx, extents_.is_periodic_x),
                                         std::pair(extents_.ny, extents_.is_periodic_y)})
        comm.agree([&] {
            if (n < (is_periodic ? 3 : 2))
                throw shape.error(fmt::format(
                    "a grid of {} x {} nodes: a direction takes two at least, a periodic one three",
                    extents_.nx, extents_.ny));
        });
    const bool moves_x = extents_.is_periodic_x && shape.period_x != Vec3(0),
               moves_y = extents_.is_periodic_y && shape.period_y != Vec3(0);
    if (moves_x || moves_y) shifts_.emplace_back(0);
    if (moves_x) {
        shift_x_ = static_cast<int>(shifts_.size());
        shifts_.push_back(shape.period_x);
    }
    if (moves_y) {
        shift_y_ = static_cast<int>(shifts_.size());
        shifts_.push_back(shape.period_y);
    }
    if (moves_x && moves_y) shifts_.push_back(shape.period_x + shape.period_y);
    if (!extents_.is_periodic_x) boundaries_ = {"west", "east"};
    if (!extents_.is_periodic_y) boundaries_.insert(boundaries_.end(), {"south", "north"});
    Maker maker(*this, comm, blocks, shape);
    const int columns = extents_.nx - !extents_.is_periodic_x,
              rows = extents_.ny - !extents_.is_periodic_y;  // of cells
    comm.agree([&] {
        maker.find_held();
        counts_[0] = maker.number(node_places_, maker.node_at, extents_.nx, extents_.ny,
                                  node_numbers_, [&](int i, int j) { return maker.is_node(i, j); });
        counts_[3] = maker.number(cell_places_, maker.cell_at, columns, rows, cell_numbers_,
                                  [&](int i, int j) { return maker.is_cell(i, j); });
        if (counts_[3] == 0) throw shape.error("no cell is part of the grid: all of it is land");
    });
    if (counts_[3] < std::int64_t(columns) * rows) boundaries_.emplace_back("land");
    halos_[0] = maker.plan(node_places_, maker.node_at, ranges_[0].owned);
    halos_[3] = maker.plan(cell_places_, maker.cell_at, ranges_[3].owned);
    comm.agree([&] {
        maker.join();
        maker.check_folds();
    });
}

std::vector<GlobalIndex> GridTopology::numbers(const Communicator&, Kind kind) const {
    if (kind == Kind::node) return node_numbers_;
    return kind == Kind::cell ? cell_numbers_ : std::vector<GlobalIndex>();
}

CellNodes GridTopology::nodes_of(Index cell) const {
    const Index* n = cell_nodes_.data() + std::size_t(4) * cell;
    return {CellShape::quadrilateral, {n[0], n[1], n[2], n[3]}};
}

Vec3 GridTopology::side_area(Index cell, int j) const {
    const Vec3 along = corner(cell, (j + 1) % 4) - corner(cell, j);
    return {along.y, -along.x, 0};
}

double GridTopology::volume(Index cell) const {
    const Vec3 a = corner(cell, 2) - corner(cell, 0), b = corner(cell, 3) - corner(cell, 1);
    return 0.5 * (a.x * b.y - a.y * b.x);
}

int GridTopology::shift(Index cell, int j) const {
    const Place& p = cell_places_[cell];
    const bool x = shift_x_ && p.i + corner_steps[j][0] == extents_.nx,
               y = shift_y_ && p.j + corner_steps[j][1] == extents_.ny;
    if (x && y) return static_cast<int>(shifts_.size()) - 1;
    return x ? shift_x_ : y ? shift_y_ : 0;
}

std::vector<Topology::Face> GridTopology::faces(std::size_t boundary) const {
    std::vector<Face> faces;
    for (Index c = 0; c < ranges_[3].owned; ++c)
        for (int side = 0; side < 4; ++side) {
            if (beyond_[c][side] != Beyond::nothing) continue;
            const int i = cell_places_[c].i + side_steps[side][0],
                      j = cell_places_[c].j + side_steps[side][1];
            const bool is_outer = (!extents_.is_periodic_x && (i < 0 || i + 1 >= extents_.nx)) ||
                                  (!extents_.is_periodic_y && (j < 0 || j + 1 >= extents_.ny));
            if (boundaries_[boundary] == (is_outer ? side_names[side] : "land"))
                faces.push_back(
                    {2, {corner(c, side), corner(c, (side + 1) % 4), Vec3(0), Vec3(0)}});
        }
    return faces;
}

std::uint64_t GridTopology::hash(const Communicator& comm) const {
    std::uint64_t sum = 0;
    for (Index n = 0; n < ranges_[0].owned; ++n)
        sum += mixed(mixed(static_cast<std::uint64_t>(node_numbers_[n])), positions_[n]);
    for (Index c = 0; c < ranges_[3].owned; ++c)  // of the same nodes, other cells may be land
        sum += mixed(mixed(static_cast<std::uint64_t>(cell_places_[c].i)) +
                     static_cast<std::uint64_t>(cell_places_[c].j));
    std::uint64_t all = 0;
    for (const std::uint64_t one : gathered(comm, std::vector<std::uint64_t>{sum})) all += one;
    return all;
}

Topology::Stored GridTopology::stored() const {
    return {positions_, node_numbers_, cell_numbers_, cell_nodes_, {}};
}

std::optional<Topology::Structure> GridTopology::structure() const {
    Structure s{.lines = shape_.lines,
                .columns = extents_.nx + extents_.is_periodic_x,
                .rows = extents_.ny + extents_.is_periodic_y,
                .first_column = block_.x,
                .last_column = 0,
                .first_row = block_.y,
                .last_row = 0,
                .node_at = {},
                .cell_at = {},
                .positions = {}};
    s.last_column = std::min(block_.x + block_.width, s.columns - 1);
    s.last_row = std::min(block_.y + block_.height, s.rows - 1);
    const int width = s.last_column - s.first_column + 1, height = s.last_row - s.first_row + 1;
    s.node_at.assign(static_cast<std::size_t>(width) * height, none);
    s.cell_at.assign(static_cast<std::size_t>(width - 1) * (height - 1), none);
    // Nodes of foreign cells, too: on the lines that pieces share a reader takes the marks of any
    // of them.
    for (Index c = 0; c < ranges_[3].all; ++c) {
        const int i = cell_places_[c].i - s.first_column, j = cell_places_[c].j - s.first_row;
        if (c < ranges_[3].owned) s.cell_at[static_cast<std::size_t>(j) * (width - 1) + i] = c;
        for (int k = 0; k < 4; ++k) {
            const int x = i + corner_steps[k][0], y = j + corner_steps[k][1];
            if (x >= 0 && y >= 0 && x < width && y < height)
                s.node_at[static_cast<std::size_t>(y) * width + x] =
                    cell_nodes_[std::size_t(4) * c + k];
        }
    }
    s.positions.reserve(s.node_at.size());
    for (int j = s.first_row; j <= s.last_row; ++j)
        for (int i = s.first_column; i <= s.last_column; ++i) {
            const bool x = i == extents_.nx, y = j == extents_.ny;
            Vec3 at = shape_.position(x ? 0 : i, y ? 0 : j);
            if (x) at += shape_.period_x;
            if (y) at += shape_.period_y;
            s.positions.push_back(at);
        }
    return s;
}

}  // namespace solenoid

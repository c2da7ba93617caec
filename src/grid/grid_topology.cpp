#include "grid/grid_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

constexpr std::array<std::array<int, 2>, 4> corner_steps{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
constexpr std::array<std::array<int, 2>, 4> side_steps{{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
constexpr std::array<const char*, 4> side_names{"south", "east", "north", "west"};

double doubled_area(const Vec3& a, const Vec3& b, const Vec3& c) {  // twice the area of a triangle
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

// Finds what this rank holds. A node or cell is known by its key, j nx + i.
struct GridTopology::Maker {
    GridTopology& t;
    const Communicator& comm;
    const GridBlocks& blocks;
    const GridShape& shape;
    const int nx = t.extents_.nx, ny = t.extents_.ny;

    std::int64_t key(int i, int j) const { return std::int64_t(j) * nx + i; }
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
        int rank = 0;
        while (!blocks.block(0, rank).contains(i, j)) ++rank;
        return rank;
    }

    // Numbers of the given ones, and how many there are, row by row.
    template <class IsThere>
    std::int64_t number(const std::vector<Place>& at_grid, std::vector<GlobalIndex>& numbers,
                        const IsThere& is_there) const {
        std::map<std::int64_t, Index> wanted;
        for (std::size_t k = 0; k < at_grid.size(); ++k)
            wanted[key(at_grid[k].i, at_grid[k].j)] = static_cast<Index>(k);
        numbers.resize(at_grid.size());
        auto next = wanted.begin();
        GlobalIndex count = 0;
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const bool is = is_there(i, j);
                if (next != wanted.end() && next->first == key(i, j)) {
                    numbers[next->second] = count;
                    ++next;
                }
                count += is;
            }
        return count;
    }

    // Asks the owners of ghosts, the entities from `first` on, for what they send.
    HaloPlan plan(const std::vector<Place>& at_grid, Index first) const {
        std::map<int, std::vector<std::int64_t>> asked;
        std::map<int, std::vector<Index>> received;
        std::map<std::int64_t, Index> own;
        for (Index k = 0; k < static_cast<Index>(at_grid.size()); ++k) {
            const std::int64_t at = key(at_grid[k].i, at_grid[k].j);
            if (k < first) {
                own[at] = k;
                continue;
            }
            const int rank = rank_of(at_grid[k].i, at_grid[k].j);
            asked[rank].push_back(at);
            received[rank].push_back(k);
        }
        std::map<int, std::vector<Index>> sent;
        for (const auto& [rank, keys] : exchange_values(comm, std::move(asked)))
            for (const std::int64_t at : keys) sent[rank].push_back(own.at(at));
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

    // Own cells and nodes with their neighbours: of each, its class (0 interior, 1 border, 2
    // shared, 3 ghost).
    void find_held() const {
        const GridBlock b = blocks.block(0, comm.rank());
        std::map<std::int64_t, int> cells, nodes;
        for (int y = b.y - 1; y <= b.y + b.height; ++y)
            for (int x = b.x - 1; x <= b.x + b.width; ++x) {
                int i = x, j = y;
                if (is_cell(i, j)) cells[key(i, j)] = b.contains(i, j) ? 0 : 3;
            }
        const auto corners_of = [&](std::int64_t cell, const auto& visit) {
            for (const auto& step : corner_steps) {
                int i = static_cast<int>(cell % nx) + step[0],
                    j = static_cast<int>(cell / nx) + step[1];
                wrap(i, j);
                visit(key(i, j), b.contains(i, j));
            }
        };
        // Shared nodes are those of own cells; of a foreign cell only what touches these, or an own
        // node, is held.
        for (const auto& [cell, kind] : cells)
            if (kind == 0)
                corners_of(cell, [&](std::int64_t n, bool is_own) { nodes[n] = is_own ? 0 : 2; });
        const std::map<std::int64_t, int> of_own = nodes;
        for (auto at = cells.begin(); at != cells.end();) {
            bool touches = at->second == 0;
            corners_of(at->first, [&](std::int64_t n, bool is_own) {
                touches = touches || is_own || of_own.contains(n);
            });
            at = touches ? std::next(at) : cells.erase(at);
        }
        for (const auto& [cell, kind] : cells)
            if (kind == 3)
                corners_of(cell, [&](std::int64_t n, bool is_own) {
                    const auto [node, is_new] = nodes.try_emplace(n, is_own ? 1 : 3);
                    if (is_own) node->second = 1;
                });
        for (auto& [cell, kind] : cells)
            if (kind == 0)
                corners_of(cell, [&](std::int64_t n, bool) {
                    if (nodes.at(n) != 0) kind = 1;
                });
        t.ranges_[3] = list(cells, t.cell_places_);
        t.ranges_[0] = list(nodes, t.node_places_);
    }
    EntityRanges list(const std::map<std::int64_t, int>& kinds, std::vector<Place>& at_grid) const {
        std::array<Index, 4> ends{};
        for (int kind = 0; kind < 4; ++kind) {
            for (const auto& [at, its] : kinds)
                if (its == kind)
                    at_grid.push_back({static_cast<int>(at % nx), static_cast<int>(at / nx)});
            ends[kind] = static_cast<Index>(at_grid.size());
        }
        return {ends[0], ends[1], ends[2], ends[3]};
    }

    void join() const {
        std::map<std::int64_t, Index> nodes, cells;
        for (const Place& p : t.node_places_) {
            nodes[key(p.i, p.j)] = static_cast<Index>(t.positions_.size());
            t.positions_.push_back(shape.position(p.i, p.j));
        }
        for (std::size_t c = 0; c < t.cell_places_.size(); ++c)
            cells[key(t.cell_places_[c].i, t.cell_places_[c].j)] = static_cast<Index>(c);
        for (const Place& p : t.cell_places_) {
            t.cell_owners_.push_back(rank_of(p.i, p.j));
            for (const auto& step : corner_steps) {
                int i = p.i + step[0], j = p.j + step[1];
                wrap(i, j);
                t.cell_nodes_.push_back(nodes.at(key(i, j)));
            }
            auto& beyond = t.beyond_.emplace_back();
            for (int side = 0; side < 4; ++side) {
                int i = p.i + side_steps[side][0], j = p.j + side_steps[side][1];
                const bool is_round =
                    (t.shift_x_ && (i < 0 || i >= nx)) || (t.shift_y_ && (j < 0 || j >= ny));
                beyond[side] = !is_cell(i, j) || !cells.contains(key(i, j)) ? Beyond::nothing
                               : is_round                                   ? Beyond::periodic
                                                                            : Beyond::cell;
            }
        }
    }

    void check_folds() const {
        for (Index c = 0; c < t.ranges_[3].owned; ++c)
            for (int k = 0; k < 4; ++k) {
                const Vec3 at = t.corner(c, k);
                if (doubled_area(t.corner(c, (k + 3) % 4), at, t.corner(c, (k + 1) % 4)) > 0)
                    continue;
                throw InputError(fmt::format(
                    "the cell ({}, {}) of the grid is folded, or has no area, at ({:.6g}, {:.6g}): "
                    "its corners must turn counter-clockwise; exchange x or y, or refine there",
                    t.cell_places_[c].i, t.cell_places_[c].j, at.x, at.y));
            }
    }
};

GridTopology::GridTopology(const Communicator& comm, const GridBlocks& blocks,
                           const GridShape& shape)
    : extents_(blocks.extents(0)) {
    for (const auto& [n, is_periodic] : {std::pair(extents_.nx, extents_.is_periodic_x),
                                         std::pair(extents_.ny, extents_.is_periodic_y)})
        if (n < (is_periodic ? 3 : 2))
            throw InputError(fmt::format(
                "a grid of {} x {} nodes: a direction takes two at least, a periodic one three",
                extents_.nx, extents_.ny));
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
    const Maker maker{*this, comm, blocks, shape};
    maker.find_held();
    counts_[0] = maker.number(node_places_, node_numbers_,
                              [&](int i, int j) { return maker.is_node(i, j); });
    counts_[3] = maker.number(cell_places_, cell_numbers_,
                              [&](int i, int j) { return maker.is_cell(i, j); });
    if (counts_[3] == 0) throw InputError("no cell is part of the grid: all of it is land");
    const auto whole = std::int64_t(extents_.nx - !extents_.is_periodic_x) *
                       (extents_.ny - !extents_.is_periodic_y);
    if (counts_[3] < whole) boundaries_.emplace_back("land");
    halos_[0] = maker.plan(node_places_, ranges_[0].owned);
    halos_[3] = maker.plan(cell_places_, ranges_[3].owned);
    maker.join();
    comm.agree([&] { maker.check_folds(); });
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

}  // namespace solenoid

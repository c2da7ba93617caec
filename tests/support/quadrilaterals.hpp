// A mesh of quadrilaterals by hand, to show that nobody above the physics asks for simplices: a
// grid of 5 x 4 cells, straight or distorted, cut into columns, perhaps periodic from west to east.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/hash.hpp"
#include "parallel/bytes.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/topology.hpp"

namespace solenoid::test {

class Quadrilaterals final : public Topology {
  public:
    static constexpr int columns = 5, rows = 4;
    enum class Form { straight, distorted, periodic };

    Quadrilaterals(const Communicator& comm, Form form) : form_(form) {
        if (form == Form::periodic) {
            boundaries_ = {"south", "north"};
            shifts_ = {Vec3(0), Vec3(size, 0, 0)};
        }
        std::vector<int> cells;  // own ones, then ghosts
        std::set<int> own_nodes;
        const auto owner_of = [&](int c) { return c % columns * comm.size() / columns; };
        for (int c = 0; c < columns * rows; ++c)
            if (owner_of(c) == comm.rank()) cells.push_back(c);
        const auto owned = static_cast<Index>(cells.size());
        for (const int c : cells)
            for (int j = 0; j < 4; ++j) own_nodes.insert(node_at(c, j));
        for (int c = 0; c < columns * rows; ++c)
            if (owner_of(c) != comm.rank() && touches(c, own_nodes)) cells.push_back(c);
        ranges_[3] = {owned, owned, owned, static_cast<Index>(cells.size())};
        number_cells_ = {cells.begin(), cells.end()};
        for (const int c : cells) owner_.push_back(owner_of(c));
        // nodes: own ones, shared ones of others, those of ghosts alone
        std::map<int, int> owner_of_node;
        for (const int c : cells)
            for (int j = 0; j < 4; ++j) {
                const auto at = owner_of_node.try_emplace(node_at(c, j), owner_of(c)).first;
                at->second = std::min(at->second, owner_of(c));
            }
        for (const int pass : {0, 1, 2}) {
            for (const auto& [node, owner] : owner_of_node)
                if (pass == (owner == comm.rank() && own_nodes.contains(node) ? 0
                             : own_nodes.contains(node)                       ? 1
                                                                              : 2)) {
                    local_[node] = static_cast<Index>(nodes_.size());
                    nodes_.push_back(node);
                }
            const auto count = static_cast<Index>(nodes_.size());
            if (pass == 0) ranges_[0].interior = ranges_[0].owned = count;
            if (pass == 1) ranges_[0].shared = count;
            ranges_[0].all = count;
        }
    }

    int dimension() const override { return 2; }
    const EntityRanges& range(Kind kind) const override {
        return ranges_[static_cast<std::size_t>(kind)];
    }
    const HaloPlan& halo(Kind) const override { throw std::logic_error("no halo is exchanged"); }
    std::int64_t count(Kind kind) const override {
        if (kind == Kind::cell) return columns * rows;
        return kind == Kind::node ? node_columns() * (rows + 1) : 0;
    }
    std::vector<GlobalIndex> numbers(const Communicator&, Kind kind) const override {
        return kind == Kind::cell ? number_cells_
                                  : std::vector<GlobalIndex>(nodes_.begin(), nodes_.end());
    }
    GlobalIndex node_number(Index node) const override { return nodes_[node]; }
    GlobalIndex cell_number(Index cell) const override { return number_cells_[cell]; }

    CellNodes nodes_of(Index cell) const override {
        CellNodes nodes{CellShape::quadrilateral, {}};
        for (int j = 0; j < 4; ++j) nodes.node[j] = local_.at(node_at(of_grid(cell), j));
        return nodes;
    }
    int owner(Index cell) const override { return owner_[cell]; }
    std::uint16_t region(Index cell) const override { return of_grid(cell) / columns < 2 ? 0 : 1; }
    Beyond beyond(Index cell, int j) const override {
        const int c = of_grid(cell);
        if ((j == 0 && c / columns == 0) || (j == 2 && c / columns == rows - 1))
            return Beyond::nothing;
        if ((j == 3 && c % columns == 0) || (j == 1 && c % columns == columns - 1))
            return form_ == Form::periodic ? Beyond::periodic : Beyond::nothing;
        return Beyond::cell;
    }
    Vec3 side_area(Index cell, int j) const override {
        const Vec3 along = corner(cell, (j + 1) % 4) - corner(cell, j);
        return {along.y, -along.x, 0};
    }
    double volume(Index cell) const override {
        const Vec3 a = corner(cell, 2) - corner(cell, 0), b = corner(cell, 3) - corner(cell, 1);
        return 0.5 * (a.x * b.y - a.y * b.x);
    }

    Vec3 position(Index node) const override { return position_of(nodes_[node]); }
    std::span<const Vec3> shifts() const override { return shifts_; }
    int shift(Index cell, int j) const override {
        return form_ == Form::periodic && of_grid(cell) % columns == columns - 1 &&
               (j == 1 || j == 2);
    }

    const std::vector<std::string>& regions() const override { return regions_; }
    const std::vector<std::string>& boundaries() const override { return boundaries_; }
    std::vector<Face> faces(std::size_t boundary) const override {
        const std::map<std::string, int> side{{"south", 0}, {"east", 1}, {"north", 2}, {"west", 3}};
        const int j = side.at(boundaries_[boundary]);
        std::vector<Face> faces;
        for (Index c = 0; c < range(Kind::cell).owned; ++c) {
            const int i = of_grid(c) % columns, k = of_grid(c) / columns;
            if (j == 0 ? k == 0 : j == 1 ? i == columns - 1 : j == 2 ? k == rows - 1 : i == 0)
                faces.push_back({2, {corner(c, j), corner(c, (j + 1) % 4), Vec3(0), Vec3(0)}});
        }
        return faces;
    }
    std::uint64_t hash(const Communicator& comm) const override {
        std::uint64_t sum = 0;
        for (Index n = 0; n < range(Kind::node).owned; ++n)
            sum += mixed(mixed(static_cast<std::uint64_t>(nodes_[n])), position(n));
        std::uint64_t all = 0;
        for (const std::uint64_t one : gathered(comm, std::vector<std::uint64_t>{sum})) all += one;
        return all;
    }

    static constexpr double size = 2.5;  // from west to east; from south to north 2 [m]

  private:
    int of_grid(Index cell) const { return static_cast<int>(number_cells_[cell]); }
    int node_columns() const { return form_ == Form::periodic ? columns : columns + 1; }
    // The number of a cell's corner, counter-clockwise from south-west.
    int node_at(int cell, int j) const {
        const int i = cell % columns + (j == 1 || j == 2), k = cell / columns + (j >= 2);
        return k * node_columns() + i % node_columns();
    }
    bool touches(int cell, const std::set<int>& nodes) const {
        for (int j = 0; j < 4; ++j)
            if (nodes.contains(node_at(cell, j))) return true;
        return false;
    }
    Vec3 position_of(int node) const {
        const int i = node % node_columns(), k = node / node_columns();
        const Vec3 at(i * size / columns, k * 0.5, 0);
        if (form_ == Form::straight) return at;
        const double angle = 2 * std::acos(-1.0) * i / columns;
        return at + 0.12 * Vec3(std::sin(2 * angle + k), std::cos(angle + 1.7 * k), 0);
    }

    const Form form_;
    std::array<EntityRanges, 4> ranges_{};
    std::vector<GlobalIndex> number_cells_;
    std::vector<int> owner_, nodes_;
    std::map<int, Index> local_;  // of the nodes held, by their numbers
    std::vector<Vec3> shifts_;
    std::vector<std::string> boundaries_{"west", "east", "south", "north"}, regions_{"low", "high"};
};

}  // namespace solenoid::test

// The topology of a structured grid in the plane: its nodes, and the bilinear cells between them,
// held as the blocks of the ranks lie.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "core/error.hpp"
#include "grid/grid_layout.hpp"
#include "parallel/halo.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

// Where the nodes lie, and which cells are part of the grid.
struct GridShape {
    std::function<Vec3(int i, int j)> position;  // of node (i, j) [m]
    // What a cell beyond the last column, or row, of a periodic direction sees its nodes moved by
    // [m]; 0 where the grid closes on itself, as round a body.
    Vec3 period_x{0}, period_y{0};
    // Of the cell with node (i, j) at its south-west corner; none: all are part. Cells that are not
    // part, and nodes of such cells alone, are land. Every rank asks for all cells, some often.
    std::function<bool(int i, int j)> is_part = nullptr;
    using Lines = Topology::Structure::Lines;
    Lines lines = Lines::curved;  // of nodes, for files
    std::string place = {};       // in front of errors, such as "case.toml:3"

    InputError error(const std::string& message) const;
};

// Numbers go row by row over what is part of the grid. A node is owned by the rank whose block it
// lies in, a cell by that of its node (i, j). Boundaries: west, east, south and north of directions
// that are not periodic, and "land" where there is some. Edges and faces are none.
class GridTopology final : public Topology {
  public:
    // blocks: of all ranks. Throws InputError where nothing is part of the grid, a direction has
    // too few nodes for a cell, or a cell is folded (its corners do not turn counter-clockwise):
    // the message says which. Collective.
    GridTopology(const Communicator& comm, const GridExtents& extents,
                 std::span<const GridBlock> blocks, const GridShape& shape);
    GridTopology(const Communicator& comm, const GridBlocks& blocks, const GridShape& shape)
        : GridTopology(comm, blocks.extents(0), blocks.all(), shape) {}

    const GridExtents& extents() const { return extents_; }
    const GridBlock& block() const { return block_; }  // of this rank

    // Of a node or a cell held here: its place in the grid.
    struct Place {
        int i, j;
    };
    Place node_place(Index node) const { return node_places_[node]; }
    Place cell_place(Index cell) const { return cell_places_[cell]; }

    int dimension() const override { return 2; }
    const EntityRanges& range(Kind kind) const override {
        return ranges_[static_cast<std::size_t>(kind)];
    }
    const HaloPlan& halo(Kind kind) const override {
        return halos_[static_cast<std::size_t>(kind)];
    }
    std::int64_t count(Kind kind) const override { return counts_[static_cast<std::size_t>(kind)]; }
    std::vector<GlobalIndex> numbers(const Communicator&, Kind kind) const override;
    GlobalIndex node_number(Index node) const override { return node_numbers_[node]; }
    GlobalIndex cell_number(Index cell) const override { return cell_numbers_[cell]; }

    CellNodes nodes_of(Index cell) const override;
    int owner(Index cell) const override { return cell_owners_[cell]; }
    std::uint16_t region(Index) const override { return 0; }
    Beyond beyond(Index cell, int j) const override { return beyond_[cell][j]; }
    Vec3 side_area(Index cell, int j) const override;
    double volume(Index cell) const override;

    Vec3 position(Index node) const override { return positions_[node]; }
    std::span<const Vec3> shifts() const override { return shifts_; }
    int shift(Index cell, int j) const override;

    const std::vector<std::string>& regions() const override { return regions_; }
    const std::vector<std::string>& boundaries() const override { return boundaries_; }
    std::vector<Face> faces(std::size_t boundary) const override;
    std::uint64_t hash(const Communicator& comm) const override;
    Stored stored() const override;
    std::optional<Structure> structure() const override;

  private:
    struct Maker;
    GridExtents extents_;
    GridBlock block_;
    GridShape shape_;
    std::array<EntityRanges, 4> ranges_{};
    std::array<HaloPlan, 4> halos_;
    std::array<std::int64_t, 4> counts_{};
    std::vector<Place> node_places_, cell_places_;
    std::vector<GlobalIndex> node_numbers_, cell_numbers_;
    std::vector<int> cell_owners_;
    std::vector<Index> cell_nodes_;  // four a cell
    std::vector<std::array<Beyond, 4>> beyond_;
    std::vector<Vec3> positions_, shifts_;
    int shift_x_ = 0, shift_y_ = 0;  // indices into shifts_; 0: none
    std::vector<std::string> regions_{"domain"}, boundaries_;
};

}  // namespace solenoid

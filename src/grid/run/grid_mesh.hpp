// The mesh of a run whose physics computes on a structured grid, by [grid] of its case.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "grid/grid_topology.hpp"
#include "run/run.hpp"

namespace solenoid {

class GridMesh final : public RunMesh {
  public:
    using IsLand = std::function<bool(const Vec3& at)>;
    // blocks: of all ranks. is_land: of nodes, beside the land of the case. Throws InputError with
    // the place in the case where the grid is folded, land, or does not close. Collective.
    GridMesh(const Communicator& comm, const GridSettings& settings,
             std::span<const GridBlock> blocks, const IsLand& is_land = nullptr);

    const Topology& topology() const override { return topology_; }
    MeshNames names(const Communicator&) const override;

    const GridTopology& grid() const { return topology_; }
    const GridExtents& extents() const { return topology_.extents(); }
    bool is_mapped() const { return !settings_.maps.empty(); }
    // Of the rectangle, between nodes [m].
    double spacing(int direction) const { return spacing_[direction]; }
    // Of node (i, j) [m]; behind periodic sides i and j go on.
    Vec3 position(int i, int j) const;
    // Of the whole grid, round periodic directions. Whether the cell with the corners (i, j) and (i
    // + 1, j + 1) is part of it; whether a node belongs to such a cell; whether the line from a
    // node by (di, dj), (1, 0) or (0, 1), is a side of one. What is not, is land or beyond a side.
    bool is_cell(int i, int j) const;
    bool is_node(int i, int j) const;
    bool is_line(int i, int j, int di, int dj) const {
        return is_cell(i, j) || is_cell(i - dj, j - di);
    }
    bool has_land() const { return !land_.empty(); }

  private:
    GridShape shape(const Communicator& comm, const IsLand& is_land);
    void find_land(const IsLand& is_land);
    Vec3 mapped(double x, double y) const;
    Vec3 period(int direction) const;
    bool is_part(int i, int j) const;
    Topology::Structure::Lines lines() const;

    const GridSettings settings_;
    const GridExtents extents_;
    std::array<double, 2> spacing_;
    std::array<Vec3, 2> period_{Vec3(0), Vec3(0)};
    std::vector<std::uint8_t> land_;  // of all nodes, row by row; empty: there is none
    const GridTopology topology_;
};

GridExtents extents_of(const GridSettings& settings);

// For Physics::make_mesh, of a case that has [grid]. cut: into the blocks of all ranks. Throws
// Error, the same on every rank. Collective.
std::unique_ptr<RunMesh> make_grid_mesh(
    Run& run, const std::function<std::vector<GridBlock>(const GridExtents&, int ranks)>& cut,
    const GridMesh::IsLand& is_land = nullptr);
// The usual cut, of grids with coarser ones (GridBlocks).
std::vector<GridBlock> usual_cut(const GridExtents& extents, int ranks);

// Physics on grids compute in one precision: throws InputError with --precision mixed. Collective.
void refuse_mixed_precision(const Run& run);

// The mesh of a run whose physics has made a grid; another is an error of the program.
const GridMesh& grid_of(const Run& run);

}  // namespace solenoid

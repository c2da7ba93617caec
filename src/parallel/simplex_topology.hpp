// The topology of a distributed mesh of triangles or tets.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

class SimplexTopology final : public Topology {
  public:
    // The mesh must outlive this.
    explicit SimplexTopology(const DistributedMesh& distributed)
        : distributed_(distributed), mesh_(distributed.mesh) {}

    int dimension() const override { return mesh_.dimension; }
    const EntityRanges& range(Kind kind) const override { return distributed_.range(kind); }
    const HaloPlan& halo(Kind kind) const override { return distributed_.halo(kind); }
    std::int64_t count(Kind kind) const override {
        return distributed_.global_count[static_cast<int>(kind)];
    }
    std::vector<GlobalIndex> numbers(const Communicator& comm, Kind kind) const override;
    GlobalIndex node_number(Index node) const override { return mesh_.node_number[node]; }
    GlobalIndex cell_number(Index cell) const override { return mesh_.cell_number[cell]; }

    CellNodes nodes_of(Index cell) const override {
        const Index* n = mesh_.cell_nodes.row(cell);
        if (mesh_.dimension == 2) return {CellShape::triangle, {n[0], n[1], n[2], none}};
        return {CellShape::tetrahedron, {n[0], n[1], n[2], n[3]}};
    }
    int owner(Index cell) const override { return distributed_.cell_owner[cell]; }
    std::uint16_t region(Index cell) const override { return mesh_.cell_region[cell]; }
    Beyond beyond(Index cell, int j) const override;
    Vec3 side_area(Index cell, int j) const override;
    double volume(Index cell) const override;

    Vec3 position(Index node) const override { return mesh_.points[node]; }
    std::span<const Vec3> shifts() const override {
        return mesh_.periodic_map.empty() ? std::span<const Vec3>() : mesh_.periodic_map.shifts;
    }
    int shift(Index cell, int j) const override { return mesh_.corner_code(cell, j); }

    const std::vector<std::string>& regions() const override { return mesh_.regions; }
    const std::vector<std::string>& boundaries() const override { return mesh_.boundaries; }
    std::vector<Face> faces(std::size_t boundary) const override;
    std::uint64_t hash(const Communicator& comm) const override;

    Stored stored() const override {
        return {mesh_.points, mesh_.node_number, mesh_.cell_number, mesh_.cell_nodes.data,
                mesh_.cell_region};
    }

  private:
    const DistributedMesh& distributed_;
    const Mesh& mesh_;
};

}  // namespace solenoid

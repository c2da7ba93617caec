// A mesh on a device: sizes, ranges of entities, topology buffers, halos and operators.
// Discretizations hold a reference to it. Each object is made at its first use.
#pragma once

#include <memory>

#include "device/expression.hpp"
#include "device/sell_rows.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

template <class Real>
class Field;
template <class Real>
class Operators;

class Domain {
  public:
    // comm, device and mesh must outlive the domain.
    Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh);
    // The mesh of `other` on another device.
    Domain(const Domain& other, Device& device);
    ~Domain();
    Domain(const Domain&) = delete;
    Domain& operator=(const Domain&) = delete;

    const Communicator& comm;
    Device& device;
    const DistributedMesh& mesh;
    const Geometry& geometry;
    const int dimension;
    const Kind codim2_kind;  // entities of dimension - 2: nodes in 2D, edges in 3D
    const EntityRanges &nodes, &edges, &faces, &cells, &codim2_entities;

    const EntityRanges& range(Kind kind) const { return mesh.range(kind); }
    // Algebra and launches over the entities of a kind: those that this rank owns, each counted
    // once in a sum; those of its cells, on ranks that share them alike; all that are held here,
    // ghosts too. Fields are current there afterwards, and those that are read are renewed before,
    // which is collective for shared() and held().
    Over own(Kind kind) const { return {device, range(kind).owned_range()}; }
    Over shared(Kind kind) const { return {device, {0, range(kind).shared}, Reach::closure}; }
    Over held(Kind kind) const { return {device, range(kind).whole(), Reach::halo}; }

    // A zero field on the entities of a kind. further: additional entries at the end of each column
    // (see Field).
    template <class Real>
    Field<Real> field(Kind kind, int columns = 1, Index further = 0) const;
    template <class Real>
    Field<Real> vector_field(Kind kind, Index further = 0) const;
    // The halo of fields of this kind and number of columns. Collective at the first call for a
    // shape. Real: float, double.
    template <class Real>
    Halo<Real>& halo(Kind kind, int columns = 1) const;
    template <class Real>
    Operators<Real>& operators() const;

    // The domain's device where it computes in double, else the processor, made once: for solves of
    // the set-up that need double.
    Device& double_device() const;

    // Topology buffers of all entities held here, for kernels. cell_faces() and face_cells() have
    // the layout of Mesh.
    const Buffer<std::uint32_t>& cell_faces() const;
    const Buffer<std::uint32_t>& cell_nodes() const;
    const Buffer<std::uint32_t>& face_nodes() const;
    const Buffer<std::uint32_t>& face_cells() const;
    // For each face its j in both of its cells: cell_faces(cell, j) == face.
    const Buffer<std::uint32_t>& face_slots() const;
    const Buffer<std::uint32_t>& face_codim2() const;
    const SellRows& codim2_faces() const;
    const SellRows& node_edges() const;
    const SellRows& edge_cells() const;
    // In the layout of edge_cells(): the places a and b of the edge's lower and higher node in the
    // cell, as a + 4 b.
    const Buffer<std::uint32_t>& edge_cell_ends() const;

  private:
    struct Made;
    Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh,
           std::shared_ptr<const Geometry> sizes);
    std::unique_ptr<Made> made_;
};

}  // namespace solenoid

#include "operators/field.hpp"

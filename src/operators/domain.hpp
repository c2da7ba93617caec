// All that is made once of a mesh and a device: sizes, ranges of entities, topology on the device,
// halos, operators.
//
// Discretizations hold a reference to it and ask it for what they need; what is asked for first is
// made then.
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
    // comm, device and mesh must outlive the domain, and the domain all that is made on it.
    Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh);
    // The same mesh on another device.
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
    // Algebra on the entities of a kind: those of this rank, each counted once in a sum; those of
    // its cells, on ranks that share them alike; all that are held here, ghosts too.
    Over own(Kind kind) const { return {device, range(kind).owned_range()}; }
    Over shared(Kind kind) const { return {device, {0, range(kind).shared}}; }
    Over held(Kind kind) const { return {device, range(kind).whole()}; }

    // A zero field on the entities of a kind held here. further: entries beside them (see Field).
    template <class Real>
    Field<Real> field(Kind kind, int columns = 1, Index further = 0) const;
    template <class Real>
    Field<Real> vector_field(Kind kind, Index further = 0) const;
    // Exchanges of fields of this shape. The first of a shape is collective; Real: float, double.
    template <class Real>
    Halo<Real>& halo(Kind kind, int columns = 1) const;
    template <class Real>
    Operators<Real>& operators() const;

    // The domain's device where it computes in double, else the processor, made once: for solves of
    // the set-up that need double.
    Device& double_device() const;

    // Topology, of all entities held here, as kernels read it. Faces of cells and cells of faces as
    // Mesh has them.
    const Buffer<std::uint32_t>& cell_faces() const;
    const Buffer<std::uint32_t>& cell_nodes() const;
    const Buffer<std::uint32_t>& face_nodes() const;
    const Buffer<std::uint32_t>& face_cells() const;
    // the place of a face among those of each of its cells
    const Buffer<std::uint32_t>& face_slots() const;
    const Buffer<std::uint32_t>& face_codim2() const;
    const SellRows& codim2_faces() const;

  private:
    struct Made;
    Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh,
           std::shared_ptr<const Geometry> sizes);
    std::unique_ptr<Made> made_;
};

}  // namespace solenoid

#include "operators/field.hpp"

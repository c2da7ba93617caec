#include "parallel/slices/distribute.hpp"

#include <algorithm>

#include "core/memory.hpp"
#include "core/timer.hpp"
#include "mesh/geometry.hpp"
#include "parallel/halo_plan.hpp"
#include "parallel/slices/redistribute.hpp"
#include "parallel/slices/scatter_slices.hpp"
#include "partition/components.hpp"
#include "partition/order_coupled.hpp"

namespace solenoid {
namespace {

// Properties of the whole partition.
struct Cut {
    std::int64_t edge_cut = 0;
    double imbalance = 1, seconds = 0;
    std::int64_t components = 1;
};

PartPiece whole_piece(SimplexMesh&& mesh, Cut& cut) {
    Components components = connected_components(mesh.cells, mesh.dimension, mesh.points.size());
    cut.components = components.count;
    PartPiece held;
    held.node_component = std::move(components.of_node);
    held.cell_owner.assign(mesh.cell_count(), 0);
    held.piece = whole(std::move(mesh));
    return held;
}

PartPiece cut_and_deal(const Communicator& comm, SlicedMesh&& mesh, std::size_t most,
                       const CoupledNodes& coupled, const GivenParts& given, Cut& cut) {
    const Stopwatch watch;
    const SliceParts parts =
        given ? cut_as_given(comm, mesh.slice, std::move(mesh.faces.neighbours), given)
              : cut_slices(comm, mesh.slice, std::move(mesh.faces.neighbours), most);
    release_memory();
    cut.edge_cut = parts.edge_cut;
    cut.imbalance = parts.imbalance;
    cut.seconds = watch.seconds();
    const RowPartition nodes = mesh.slice.node_ranges;
    PartPiece held =
        redistribute(comm, std::move(mesh.slice), mesh.faces.sides, parts.part, coupled);
    mesh = {};
    release_memory();
    cut.components = find_components(comm, nodes, held, coupled);
    return held;
}

Bounds bounds_of_all(const Communicator& comm, const MeshPiece& piece) {
    Bounds box;
    if (piece.periodic_map.empty())
        for (const Vec3& point : piece.points) box.add(point);
    else
        for (std::size_t k = 0; k < piece.cells.size(); ++k) box.add(piece.corner(k));
    comm.min(std::span(&box.low.x, 3));
    comm.max(std::span(&box.high.x, 3));
    return box;
}

using Numberings = std::array<Numbering, 4>;

Numbering number_cells(const EntityRanges& ranges, const std::vector<int>& cell_owner) {
    return {ranges, {cell_owner.begin() + ranges.owned, cell_owner.end()}};
}

// The part of the construction without messages: order of cells and nodes, topology, order of edges
// and faces.
Numberings build(PartPiece&& held, int rank, int ranks, CellOrdering ordering, const Bounds& box,
                 const CoupledNodes& coupled, DistributedMesh& result) {
    Numberings numberings;
    const EntityRanges cells = order_cells(held, coupled, rank, ordering, box.low, box.high);
    numberings[int(Kind::cell)] = number_cells(cells, held.cell_owner);
    numberings[int(Kind::node)] = order_nodes(held, cells, rank);
    result.cell_owner = std::move(held.cell_owner);
    result.node_component = std::move(held.node_component);
    result.mesh = build_mesh(std::move(held.piece));
    for (Kind kind : {Kind::face, Kind::edge}) {
        Numbering& numbering = numberings[int(kind)];
        const Index count = result.mesh.count(kind);
        if (kind == Kind::edge && result.mesh.dimension == 2)
            numbering = numberings[int(Kind::face)];
        else if (ranks == 1)
            numbering.ranges = {count, count, count, count};
        else
            numbering = order_entities(result.mesh, kind, cells, result.cell_owner, rank);
    }
    return numberings;
}

// Builds the distributed mesh from this rank's piece.
DistributedMesh finished(const Communicator& comm, PartPiece&& held, const Cut& cut,
                         CellOrdering ordering, const CoupledNodes& coupled) {
    release_memory();
    DistributedMesh result;
    result.components = static_cast<Index>(cut.components);
    result.edge_cut = static_cast<std::size_t>(cut.edge_cut);
    result.imbalance = cut.imbalance;
    result.partition_seconds = cut.seconds;

    const Bounds box = bounds_of_all(comm, held.piece);
    Numberings numberings;
    comm.agree([&] {
        numberings =
            build(std::move(held), comm.rank(), comm.size(), ordering, box, coupled, result);
    });
    for (Kind kind : all_kinds) {
        const int k = static_cast<int>(kind);
        result.ranges[k] = numberings[k].ranges;
        result.global_count[k] = result.ranges[k].owned;
        const bool is_face_twice = kind == Kind::face && result.mesh.dimension == 2;
        result.halos[k] = is_face_twice ? result.halo(Kind::edge)
                                        : halo_plan(comm, result.mesh, kind, numberings[k]);
    }
    comm.sum(std::span(result.global_count));
    release_memory();
    return result;
}

}  // namespace

SlicedMesh sliced(const Communicator& comm, MeshSlice&& slice) {
    FaceMatch faces = match_faces(comm, slice);
    return {std::move(slice), std::move(faces)};
}

DistributedMesh distribute(const Communicator& comm, std::optional<SimplexMesh> mesh,
                           CellOrdering ordering, const CoupledNodes& coupled,
                           const GivenParts& given) {
    comm.agree([&] {
        if (comm.is_root() && !mesh) throw std::logic_error("distribute: the root has no mesh");
    });
    if (comm.size() > 1)
        return distribute(comm, sliced(comm, scatter_slices(comm, mesh)), ordering, most_arcs,
                          coupled, given);
    Cut cut;
    PartPiece held = whole_piece(std::move(*mesh), cut);
    mesh.reset();
    return finished(comm, std::move(held), cut, ordering, coupled);
}

DistributedMesh distribute(const Communicator& comm, SlicedMesh&& mesh, CellOrdering ordering,
                           std::size_t most, const CoupledNodes& coupled, const GivenParts& given) {
    Cut cut;
    PartPiece held = cut_and_deal(comm, std::move(mesh), most, coupled, given, cut);
    return finished(comm, std::move(held), cut, ordering, coupled);
}

}  // namespace solenoid

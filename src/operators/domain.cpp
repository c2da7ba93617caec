#include "operators/domain.hpp"

#include <functional>
#include <map>
#include <optional>

#include "device/upload.hpp"
#include "operators/operators.hpp"

namespace solenoid {
namespace {

template <class T>
const T& once(std::optional<T>& slot, const std::function<T()>& make) {
    if (!slot) slot = make();
    return *slot;
}

// The j with cell_faces(cell, j) == face, or none.
Index slot_of(const Mesh& mesh, Index face, Index cell) {
    for (int j = 0; j <= mesh.dimension; ++j)
        if (entity_of(mesh.cell_faces(cell, j)) == face) return j;
    return none;
}

Table slots_of_faces(const Mesh& mesh) {
    Table slots(mesh.faces(), 2, 0);
    for_each(0, mesh.faces(), [&](Index f) {
        for (int side = 0; side < 2; ++side)
            if (mesh.face_cells(f, side) != none)
                slots(f, side) = slot_of(mesh, f, mesh.face_cells(f, side));
    });
    return slots;
}

Table codim2_of_faces(const Mesh& mesh) {
    Table codim2_entities(mesh.faces(), mesh.dimension);
    for_each(0, mesh.faces(), [&](Index f) {
        const auto of_face = mesh.face_codim2(f);
        for (int j = 0; j < mesh.dimension; ++j) codim2_entities(f, j) = of_face[j];
    });
    return codim2_entities;
}

std::vector<Index> ends_in(const Mesh& mesh, const Rows& cells) {
    std::vector<Index> ends(cells.index.size());
    for_each(0, cells.rows(), [&](Index e) {
        const Index* node = mesh.nodes_of(Kind::edge, e);
        for (Index k = cells.start[e]; k < cells.start[e + 1]; ++k)
            ends[k] = mesh.place_in_cell(cells.index[k], node[0]) +
                      4 * mesh.place_in_cell(cells.index[k], node[1]);
    });
    return ends;
}

// Objects of one precision.
template <class Real>
struct Precision {
    std::map<std::pair<Kind, int>, Halo<Real>> halos;
    std::unique_ptr<Operators<Real>> operators;
};

}  // namespace

struct Domain::Made {
    std::shared_ptr<const Geometry> geometry;
    std::optional<Buffer<std::uint32_t>> cell_faces, cell_nodes, face_nodes, face_cells, face_slots,
        face_codim2, edge_cell_ends;
    std::optional<SellRows> codim2_faces, edge_cells, node_edges;
    std::tuple<Precision<float>, Precision<double>> precision;
    std::unique_ptr<Device> processor;  // double_device() where `device` has no double

    explicit Made(std::shared_ptr<const Geometry> geometry) : geometry(std::move(geometry)) {}
};

Domain::Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh,
               std::shared_ptr<const Geometry> sizes)
    : comm(comm),
      device(device),
      mesh(mesh),
      geometry(*sizes),
      dimension(mesh.mesh.dimension),
      codim2_kind(mesh.mesh.codim2_kind()),
      nodes(mesh.range(Kind::node)),
      edges(mesh.range(Kind::edge)),
      faces(mesh.range(Kind::face)),
      cells(mesh.range(Kind::cell)),
      codim2_entities(mesh.range(mesh.mesh.codim2_kind())),
      made_(std::make_unique<Made>(std::move(sizes))) {}

Domain::Domain(const Communicator& comm, Device& device, const DistributedMesh& mesh)
    : Domain(comm, device, mesh, std::make_shared<const Geometry>(solenoid::geometry(mesh.mesh))) {}

Domain::Domain(const Domain& other, Device& device)
    : Domain(other.comm, device, other.mesh, other.made_->geometry) {}

Domain::~Domain() = default;

template <class Real>
Halo<Real>& Domain::halo(Kind kind, int columns) const {
    return std::get<Precision<Real>>(made_->precision)
        .halos.try_emplace({kind, columns}, comm, device, mesh.halo(kind), columns)
        .first->second;
}

template <class Real>
Operators<Real>& Domain::operators() const {
    auto& operators = std::get<Precision<Real>>(made_->precision).operators;
    if (!operators) operators = std::make_unique<Operators<Real>>(*this);
    return *operators;
}

Device& Domain::double_device() const {
    if (device.info().has_fp64) return device;
    if (!made_->processor) made_->processor = make_cpu_device();
    return *made_->processor;
}

const Buffer<std::uint32_t>& Domain::cell_faces() const {
    return once<Buffer<std::uint32_t>>(
        made_->cell_faces, [&] { return uploaded_table(device, mesh.mesh.cell_faces); });
}
const Buffer<std::uint32_t>& Domain::cell_nodes() const {
    return once<Buffer<std::uint32_t>>(
        made_->cell_nodes, [&] { return uploaded_table(device, mesh.mesh.cell_nodes); });
}
const Buffer<std::uint32_t>& Domain::face_nodes() const {
    return once<Buffer<std::uint32_t>>(
        made_->face_nodes, [&] { return uploaded_table(device, mesh.mesh.face_nodes); });
}
const Buffer<std::uint32_t>& Domain::face_cells() const {
    return once<Buffer<std::uint32_t>>(
        made_->face_cells, [&] { return uploaded_table(device, mesh.mesh.face_cells); });
}
const Buffer<std::uint32_t>& Domain::face_slots() const {
    return once<Buffer<std::uint32_t>>(
        made_->face_slots, [&] { return uploaded_table(device, slots_of_faces(mesh.mesh)); });
}
const Buffer<std::uint32_t>& Domain::face_codim2() const {
    return once<Buffer<std::uint32_t>>(
        made_->face_codim2, [&] { return uploaded_table(device, codim2_of_faces(mesh.mesh)); });
}
const SellRows& Domain::codim2_faces() const {
    return once<SellRows>(made_->codim2_faces,
                          [&] { return SellRows(device, solenoid::codim2_faces(mesh.mesh)); });
}
const SellRows& Domain::node_edges() const {
    return once<SellRows>(made_->node_edges,
                          [&] { return SellRows(device, solenoid::node_edges(mesh.mesh)); });
}
const SellRows& Domain::edge_cells() const {
    return once<SellRows>(made_->edge_cells,
                          [&] { return SellRows(device, cells_of(mesh.mesh, Kind::edge)); });
}
const Buffer<std::uint32_t>& Domain::edge_cell_ends() const {
    return once<Buffer<std::uint32_t>>(made_->edge_cell_ends, [&] {
        const Rows cells = cells_of(mesh.mesh, Kind::edge);
        return RowLayout(cells, device.row_stride())
            .template upload<std::uint32_t>(device,
                                            std::span<const Index>(ends_in(mesh.mesh, cells)));
    });
}

template Halo<float>& Domain::halo(Kind, int) const;
template Halo<double>& Domain::halo(Kind, int) const;
template Operators<float>& Domain::operators() const;
template Operators<double>& Domain::operators() const;

}  // namespace solenoid

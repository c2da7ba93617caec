#include "operators/operators.hpp"

#include "device/kernels.hpp"

namespace solenoid {
namespace {

// A host table as columns.
Buffer<std::uint32_t> columns_of(Device& device, const Table& table) {
    std::vector<std::uint32_t> values(table.data.size());
    const std::size_t n = table.rows();
    for (std::size_t i = 0; i < n; ++i)
        for (int j = 0; j < table.width; ++j) values[j * n + i] = table(i, j);
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), table.width);
}

// count x slots vectors as columns, component fastest.
template <class Real, class Vector>
Buffer<Real> vector_columns(Device& device, std::size_t count, int slots, int dimension, const Vector& vector) {
    std::vector<Real> values(count * slots * dimension);
    for (std::size_t i = 0; i < count; ++i)
        for (int j = 0; j < slots; ++j) {
            const Vec3 v = vector(static_cast<Index>(i), j);
            for (int k = 0; k < dimension; ++k) values[(std::size_t(j) * dimension + k) * count + i] = static_cast<Real>(v[k]);
        }
    return device.buffer<Real>(std::span<const Real>(values), slots * dimension);
}

template <class T>
T& made(std::optional<T>& slot, const std::function<T()>& make) {
    if (!slot) slot = make();
    return *slot;
}

// The place of `face` among the faces of its cell.
Index slot_of(const Mesh& mesh, Index face, Index cell) {
    for (int j = 0; j <= mesh.dimension; ++j)
        if (entity_of(mesh.cell_faces(cell, j)) == face) return j;
    return none;
}

}  // namespace

template <class Real>
struct Operators<Real>::Tables {
    Tables(Device& device, const Mesh& mesh) : device(device), mesh(mesh) {}

    Device& device;
    const Mesh& mesh;
    std::optional<Geometry> host_geometry;
    std::optional<Buffer<std::uint32_t>> cell_faces_, cell_nodes_, face_cells_, face_slots_, face_ridges_, edge_cell_ends_;
    std::optional<Buffer<Real>> face_offsets_, volumes_, areas_;
    std::optional<SlicedRows> ridge_faces_, edge_cells_, node_edges_;

    const Geometry& geometry() {
        if (!host_geometry) host_geometry = solenoid::geometry(mesh);
        return *host_geometry;
    }
    Buffer<std::uint32_t>& cell_faces() {
        return made<Buffer<std::uint32_t>>(cell_faces_, [&] { return columns_of(device, mesh.cell_faces); });
    }
    Buffer<std::uint32_t>& cell_nodes() {
        return made<Buffer<std::uint32_t>>(cell_nodes_, [&] { return columns_of(device, mesh.cell_nodes); });
    }
    Buffer<std::uint32_t>& face_cells() {
        return made<Buffer<std::uint32_t>>(face_cells_, [&] { return columns_of(device, mesh.face_cells); });
    }
    Buffer<std::uint32_t>& face_slots() {
        return made<Buffer<std::uint32_t>>(face_slots_, [&] {
            Table slots(mesh.faces(), 2, 0);
            for (Index f = 0; f < mesh.faces(); ++f)
                for (int side = 0; side < 2; ++side)
                    if (mesh.face_cells(f, side) != none) slots(f, side) = slot_of(mesh, f, mesh.face_cells(f, side));
            return columns_of(device, slots);
        });
    }
    Buffer<std::uint32_t>& face_ridges() {
        return made<Buffer<std::uint32_t>>(face_ridges_, [&] {
            Table ridges(mesh.faces(), mesh.dimension);
            for (Index f = 0; f < mesh.faces(); ++f) {
                const auto of_face = mesh.face_ridges(f);
                for (int j = 0; j < mesh.dimension; ++j) ridges(f, j) = of_face[j];
            }
            return columns_of(device, ridges);
        });
    }
    Buffer<Real>& face_offsets() {
        return made<Buffer<Real>>(face_offsets_, [&] {
            const Geometry& g = geometry();
            return vector_columns<Real>(device, mesh.cells(), mesh.dimension + 1, mesh.dimension, [&](Index c, int j) {
                return face_offset(mesh, g, c, j);
            });
        });
    }
    Buffer<Real>& volumes() {
        return made<Buffer<Real>>(volumes_, [&] {
            const auto& volume = geometry().cell_volume;
            const std::vector<Real> values(volume.begin(), volume.end());
            return device.template buffer<Real>(std::span<const Real>(values));
        });
    }
    Buffer<Real>& areas() {
        return made<Buffer<Real>>(areas_, [&] {
            return vector_columns<Real>(device, mesh.cells(), mesh.dimension + 1, mesh.dimension,
                                        [&](Index c, int j) { return opposite_area(mesh, c, j); });
        });
    }
    SlicedRows& ridge_faces() {
        return made<SlicedRows>(ridge_faces_, [&] { return SlicedRows(device, solenoid::ridge_faces(mesh)); });
    }
    SlicedRows& node_edges() {
        return made<SlicedRows>(node_edges_, [&] { return SlicedRows(device, solenoid::node_edges(mesh)); });
    }
    SlicedRows& edge_cells() {
        if (!edge_cells_) {
            const Rows cells = cells_of(mesh, Kind::edge);
            edge_cells_ = SlicedRows(device, cells);
            edge_cell_ends_ = RowLayout(cells, device.row_stride()).template upload<std::uint32_t>(device, std::span<const Index>(ends_in(cells)));
        }
        return *edge_cells_;
    }
    Buffer<std::uint32_t>& edge_cell_ends() {
        edge_cells();
        return *edge_cell_ends_;
    }

    // For every cell round an edge: the places of the edge's lower and higher node among the cell's, a + 4 b.
    std::vector<Index> ends_in(const Rows& cells) const {
        std::vector<Index> ends;
        ends.reserve(cells.index.size());
        for (Index e = 0; e < cells.rows(); ++e) {
            const Index* node = mesh.nodes_of(Kind::edge, e);
            for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
                Index place[2] = {0, 0};
                for (int end = 0; end < 2; ++end)
                    while (mesh.cell_nodes(*c, place[end]) != node[end]) ++place[end];
                ends.push_back(place[0] + 4 * place[1]);
            }
        }
        return ends;
    }
};

template <class Real>
Operators<Real>::Operators(const Communicator& comm, Device& device, const DistributedMesh& mesh)
    : comm_(comm), device_(device), mesh_(mesh), tables_(std::make_unique<Tables>(device, mesh.mesh)) {}

template <class Real>
Operators<Real>::~Operators() = default;

template <class Real>
Halo<Real>& Operators<Real>::halo(Kind kind, int columns) {
    const auto key = std::make_pair(kind, columns);
    const auto found = halos_.find(key);
    if (found != halos_.end()) return found->second;
    return halos_.try_emplace(key, comm_, device_, mesh_.halo(kind), columns).first->second;
}

// The launch, written once, over the entities that read no ghost and then over the rest.
template <class Real>
void Operators<Real>::overlapped(Kind from, Buffer<Real>& input, Kind to, const Sweep& sweep) {
    const EntityRanges& range = mesh_.range(to);
    auto ghosts = halo(from, input.columns()).start(input);
    if (range.interior) sweep(range.inside());
    ghosts.finish();
    if (range.shared > range.interior) sweep({range.interior, range.shared});
}

template <class Real>
void Operators<Real>::gradient(Buffer<Real>& p, Buffer<Real>& g) {
    const kernels::Gradient<Real> kernel{tables_->face_cells(), p, g};
    overlapped(Kind::cell, p, Kind::face, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::divergence(Buffer<Real>& flux, Buffer<Real>& out) {
    const kernels::Divergence<Real> kernel{mesh_.mesh.dimension, tables_->cell_faces(), flux, out};
    overlapped(Kind::face, flux, Kind::cell, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::curl(Buffer<Real>& s, Buffer<Real>& flux) {
    const kernels::Curl<Real> kernel{mesh_.mesh.dimension, tables_->face_ridges(), s, flux};
    overlapped(mesh_.mesh.ridge_kind(), s, Kind::face, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::rotation(Buffer<Real>& q, Buffer<Real>& out) {
    SlicedRows& faces = tables_->ridge_faces();
    const kernels::Rotation<Real> kernel{faces.rows, faces.index, q, out};
    overlapped(Kind::face, q, mesh_.mesh.ridge_kind(), [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::interpolation(Buffer<Real>& flux, Buffer<Real>& u) {
    const kernels::Interpolation<Real> kernel{mesh_.mesh.dimension, tables_->cell_faces(), tables_->face_offsets(), tables_->volumes(), flux, u};
    overlapped(Kind::face, flux, Kind::cell, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::integration(Buffer<Real>& v, Buffer<Real>& out) {
    const kernels::Integration<Real> kernel{mesh_.mesh.dimension, tables_->face_cells(), tables_->face_slots(), tables_->face_offsets(), v, out};
    overlapped(Kind::cell, v, Kind::face, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::node_gradient(Buffer<Real>& t, Buffer<Real>& g) {
    const kernels::NodeGradient<Real> kernel{mesh_.mesh.dimension, tables_->cell_nodes(), tables_->areas(), tables_->volumes(), t, g};
    overlapped(Kind::node, t, Kind::cell, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
typename Operators<Real>::GradientSums Operators<Real>::gradient_sums(const Buffer<Real>& u) {
    const EntityRanges& cells = mesh_.range(Kind::cell);
    if (cells.owned == 0) return {0, 0};
    const auto sums = kernels::GradientSums<Real>{mesh_.mesh.dimension, tables_->cell_nodes(), tables_->areas(), tables_->volumes(), u}.run(device_, cells.marked());
    return {sums.rotation, sums.strain};
}

template <class Real>
void Operators<Real>::dual_flux(Buffer<Real>& q, Buffer<Real>& out) {
    SlicedRows& cells = tables_->edge_cells();
    const kernels::DualFlux<Real> kernel{mesh_.mesh.dimension, cells.rows, cells.index, tables_->edge_cell_ends(), tables_->areas(), q, out};
    overlapped(Kind::cell, q, Kind::edge, [&](Range range) { kernel.run(device_, range); });
}

template <class Real>
void Operators<Real>::dual_divergence(Buffer<Real>& flux, Buffer<Real>& out) {
    SlicedRows& edges = tables_->node_edges();
    const kernels::DualDivergence<Real> kernel{edges.rows, edges.index, flux, out};
    overlapped(Kind::edge, flux, Kind::node, [&](Range range) { kernel.run(device_, range); });
}

template class Operators<float>;
template class Operators<double>;

}  // namespace solenoid

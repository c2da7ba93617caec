#include "flow/convection/skew_convection.hpp"

#include <algorithm>

#include "core/transposed_incidence.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/convection/convection_correction.hpp"

namespace solenoid {
namespace {

// The neighbour through each face of each cell held; the cell itself where there is none.
Table neighbours(const Mesh& m) {
    Table result(m.cells(), m.dimension + 1);
    for_each(0, m.cells(), [&](Index c) {
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j)),
                        other = m.face_cells(f, 0) == c ? m.face_cells(f, 1) : m.face_cells(f, 0);
            result(c, j) = other == none ? c : other;
        }
    });
    return result;
}

// The weights of each owned cell in the values of its nodes (a column of NodeWeights); zero where
// the values are given.
std::vector<double> transposed_weights(const DistributedMesh& mesh, const Geometry& geometry,
                                       const FlowBoundaries& boundaries) {
    const Mesh& m = mesh.mesh;
    const NodeWeights weights = node_weights(mesh, geometry, boundaries.symmetry_nodes());
    std::vector<bool> given(m.nodes(), false);
    for (const Index i : boundaries.nodes()) given[i] = true;
    const Index owned = mesh.range(Kind::cell).owned;
    std::vector<double> result(std::size_t(owned) * (m.dimension + 1), 0.0);
    for_each(0, mesh.range(Kind::node).shared, [&](Index i) {
        for (Index k = weights.cells.start[i]; k < weights.cells.start[i + 1] && !given[i]; ++k)
            if (const Index c = weights.cells.index[k]; c < owned)
                result[std::size_t(c) * (m.dimension + 1) + m.place_in_cell(c, i)] =
                    weights.weights[k];
    });
    return result;
}

// For each cell of a node, in the order of CellStencil::node_cells, the row of the node in work_.
Rows corners_at_nodes(const DistributedMesh& mesh, const Geometry& geometry,
                      const FlowBoundaries& boundaries) {
    const Mesh& m = mesh.mesh;
    Rows rows = node_weights(mesh, geometry, boundaries.symmetry_nodes()).cells;
    for_each(0, mesh.range(Kind::node).shared, [&](Index i) {
        for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k)
            rows.index[k] = rows.index[k] * (m.dimension + 1) + m.place_in_cell(rows.index[k], i);
    });
    return rows;
}

std::vector<bool> ends_of_ducts(const Mesh& m, const FlowBoundaries& boundaries) {
    std::vector<bool> ends(m.faces());
    for (Index f = 0; f < m.faces(); ++f)
        ends[f] = boundaries.is_open(f) && boundaries.boundary(f)->condition->drives();
    return ends;
}

// For each part of the domain 1 where fluid passes its boundary, else 0. Collective.
std::vector<double> passed_parts(const Domain& domain, const FlowBoundaries& boundaries) {
    std::vector<double> passed(domain.mesh.components, 0.0);
    for (std::size_t k = 0; k < boundaries.faces().faces.size(); ++k)
        if (boundaries.condition(k).lets_through())
            passed[domain.mesh.node_component[domain.mesh.mesh.face_nodes(
                boundaries.faces().faces[k], 0)]] = 1;
    domain.comm.max(passed);
    return passed;
}

// The two cells of each face held; at a boundary face its cell twice.
Table cells_beside(const Mesh& m) {
    Table result(m.faces(), 2);
    for (Index f = 0; f < m.faces(); ++f)
        for (int side = 0; side < 2; ++side) {
            const Index c = m.face_cells(f, side);
            result(f, side) = c == none ? m.face_cells(f, 1 - side) : c;
        }
    return result;
}

// For each node of [0, shared) the faces with two cells.
Rows faces_at_nodes(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    Rows rows = inverse_rows(m.face_nodes, mesh.range(Kind::node).shared, [&](std::size_t f) {
        return m.face_cells(f, 0) != none && m.face_cells(f, 1) != none;
    });
    if (const auto& names = mesh.halo(Kind::face).names)  // of a reproducible run
        for_each(0, rows.rows(), [&](std::size_t i) {
            std::sort(
                rows.index.begin() + rows.start[i], rows.index.begin() + rows.start[i + 1],
                [&](Index f, Index g) { return (*names)[entity_of(f)] < (*names)[entity_of(g)]; });
        });
    return rows;
}

// Uploads values with a row for each face of each cell held and as many columns as a cell has
// faces.
template <class Real, class Values>
Buffer<Real> uploaded_squares(Device& device, const Values& values, int faces) {
    const std::size_t rows = values.size() / faces;
    UninitializedVector<Real> by_column(values.size());
    for_each(0, rows, [&](std::size_t i) {
        for (int j = 0; j < faces; ++j)
            by_column[j * rows + i] = static_cast<Real>(values[i * faces + j]);
    });
    return device.buffer<Real>(std::span<const Real>(by_column), faces);
}

}  // namespace

template <class Real>
SkewConvection<Real>::SkewConvection(const ConvectedField<Real>& field)
    : domain_(field.domain),
      d_(domain_.dimension),
      stencil_(field.stencil),
      boundary_(*field.velocity),
      ends_(domain_, field.boundaries, boundary_),
      jump_penalty_(field.jump_penalty),
      neighbour_(uploaded_table(domain_.device, neighbours(domain_.mesh.mesh), domain_.cells.all)),
      face_cells_(uploaded_table(domain_.device, cells_beside(domain_.mesh.mesh))),
      node_faces_(domain_.device, faces_at_nodes(domain_.mesh)),
      corners_(domain_.device, corners_at_nodes(domain_.mesh, domain_.geometry, field.boundaries)),
      work_(domain_.device.buffer<Real>(domain_.cells.all * (d_ + 1), d_)),
      variation_(domain_.vector_field<Real>(Kind::face)),
      jump_(domain_.vector_field<Real>(Kind::face)),
      jumps_(domain_.vector_field<Real>(Kind::cell)),
      sharp_(domain_.vector_field<Real>(Kind::cell)),
      rough_(domain_.vector_field<Real>(Kind::cell)),
      penalty_(domain_.vector_field<Real>(Kind::cell)),
      at_nodes_(domain_.vector_field<Real>(Kind::node)) {
    set_still_faces(passed_parts(domain_, field.boundaries));
    const std::vector<double> transposed =
        transposed_weights(domain_.mesh, domain_.geometry, field.boundaries);
    weight_ = uploaded_squares<Real>(domain_.device, transposed, d_ + 1);
    const std::vector<bool> ends = ends_of_ducts(domain_.mesh.mesh, field.boundaries);
    gamma_ = uploaded_squares<Real>(
        domain_.device,
        convection_correction(domain_.comm, domain_.mesh, domain_.geometry, transposed,
                              correction_left, correction_iterations, ends)
            .gamma,
        d_ + 1);
}

// Finds the faces of the parts whose boundary fluid passes: the covariance of flux and velocity is
// left out there.
template <class Real>
void SkewConvection<Real>::set_still_faces(const std::vector<double>& passed) {
    varies_ = std::ranges::count(passed, 0.0) > 0;
    if (!varies_ || std::ranges::count(passed, 1.0) == 0) return;
    std::vector<Index> faces;
    for (Index f = 0; f < domain_.faces.shared; ++f)
        if (passed[domain_.mesh.node_component[domain_.mesh.mesh.face_nodes(f, 0)]] > 0)
            faces.push_back(f);
    still_ = uploaded(domain_.device, faces);
    no_variation_ = uploaded_vectors<Real>(domain_.device, std::vector<Vec3>(faces.size(), Vec3(0)),
                                           faces.size(), 1, d_);
}

template <class Real>
void SkewConvection<Real>::to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                                    Field<Real>& transport) {
    const auto& [u, defect, at_nodes, flux] = carried;
    if (!keeps_variation_) update_variation(at_nodes);
    kernels::SkewFaceTransport<Real>{.dimension = d_,
                                     .cell = stencil_.face_cells,
                                     .node = stencil_.face_nodes,
                                     .diffusion = diffusion,
                                     .cell_face = stencil_.cell_faces,
                                     .neighbour = neighbour_,
                                     .gamma = gamma_,
                                     .flux = flux,
                                     .variation = variation_,
                                     .u = u,
                                     .defect = defect,
                                     .t = at_nodes,
                                     .value = transport,
                                     .cells = domain_.cells.all}
        .run();
}

template <class Real>
void SkewConvection<Real>::add_to_cells(const Carried& carried, Field<Real>& brought) {
    const auto& [u, defect, at_nodes, flux] = carried;
    sharpen(defect, sharp_);
    kernels::Roughness<Real>{.dimension = d_,
                             .face = stencil_.cell_faces,
                             .neighbour = neighbour_,
                             .flux = flux,
                             .sharp = sharp_,
                             .value = rough_,
                             .penalty = static_cast<Real>(jump_penalty_)}
        .run();
    sharpen(rough_, penalty_);
    kernels::FluxJump<Real>{
        .dimension = d_, .cell = face_cells_, .flux = flux, .u = u, .value = jump_}
        .run(domain_.held(Kind::face));
    kernels::FaceJumps<Real>{.dimension = d_,
                             .face = stencil_.cell_faces,
                             .node = stencil_.face_nodes,
                             .neighbour = neighbour_,
                             .jump = complete(jump_.values()),  // computed as far as it is read
                             .variation = variation_,
                             .t = at_nodes,
                             .rough = penalty_,
                             .value = jumps_}
        .run();
    if (varies_)
        kernels::CovarianceWork<Real>{.dimension = d_,
                                      .face = stencil_.cell_faces,
                                      .face_node = stencil_.face_nodes,
                                      .node = stencil_.cell_nodes,
                                      .neighbour = neighbour_,
                                      .variation = variation_,
                                      .u = u,
                                      .t = at_nodes,
                                      .value = work_}
            .run(domain_.device, {0, work_.size()});
    kernels::NodeJumps<Real>{.dimension = d_,
                             .faces = node_faces_.rows,
                             .cells = stencil_.node_cells.rows,
                             .face = node_faces_.index,
                             .cell = stencil_.node_cells.index,
                             .corner = corners_.index,
                             .jump = complete(jump_.values()),  // computed as far as it is read
                             .jumps = jumps_,
                             .work = complete(work_),
                             .value = at_nodes_}
        .run();
    ends_.add(carried, at_nodes_);
    boundary_.extend_change_to_nodes(at_nodes_);
    kernels::TransposedJumps<Real>{.dimension = d_,
                                   .node = stencil_.cell_nodes,
                                   .weight = weight_,
                                   .at_nodes = at_nodes_,
                                   .rough = penalty_,
                                   .brought = brought}
        .run();
}

template <class Real>
void SkewConvection<Real>::update_variation(const Field<Real>& at_nodes) {
    if (!varies_) return;
    kernels::FluxVariation<Real>{.dimension = d_,
                                 .node = stencil_.face_nodes,
                                 .area = stencil_.area,
                                 .t = at_nodes,
                                 .value = variation_}
        .run();
    if (still_.size()) domain_.device.scatter(no_variation_, still_, variation_, Reach::closure);
}

template <class Real>
void SkewConvection<Real>::freeze(const Field<Real>& at_nodes) {
    update_variation(at_nodes);
    keeps_variation_ = is_frozen_ = true;
}

// S of a field: the cell's value less the mean over its nodes of the means of the nodes' cells;
// zero at nodes with a given velocity. S is symmetric with eigenvalues in [0, 1].
template <class Real>
void SkewConvection<Real>::sharpen(const Field<Real>& field, Field<Real>& sharp) {
    kernels::NodeMean<Real>{.dimension = d_,
                            .cells = stencil_.node_cells.rows,
                            .cell = stencil_.node_cells.index,
                            .u = field,
                            .value = at_nodes_}
        .run();
    boundary_.project_to_free_at_nodes(at_nodes_);
    kernels::CellDefect<Real>{
        .dimension = d_, .node = stencil_.cell_nodes, .u = field, .t = at_nodes_, .value = sharp}
        .run();
}

// The sum over faces of penalty |U_f| [S D u]^2, computed in cells.
template <class Real>
double SkewConvection<Real>::penalty_power() const {
    return domain_.own(Kind::cell).sum(domain_.comm, dot(sharp_, rough_));
}

template class SkewConvection<float>;
template class SkewConvection<double>;

}  // namespace solenoid

#include "flow/discretization/cell_stencil.hpp"

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/implicit_part.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "flow/discretization/slope_parts.hpp"

namespace solenoid {
namespace {

// for implicit_factors(): the largest ratio for which extrapolation from three states is stable
constexpr double most_of_diffusion = 1.2;

}  // namespace

template <class Real>
CellStencil<Real>::CellStencil(const Domain& domain, const BoundaryFaces& boundary,
                               const FreeDirections& mirrored, double steepness)
    : domain(domain),
      face_nodes(domain.face_nodes()),
      cell_faces(domain.cell_faces()),
      cell_nodes(domain.cell_nodes()),
      mirrored(mirrored) {
    const Mesh& m = domain.mesh.mesh;
    const int d = m.dimension;
    const Index faces = domain.faces.shared, cells = domain.cells.owned;
    const FaceCoefficients c = face_coefficients(domain.mesh, domain.geometry, boundary);
    face_cells = uploaded_table(domain.device, c.cells, faces);
    slope_part = slope_parts(m);
    set_interpolation(c);
    cross = uploaded<Real>(domain.device, c.cross, d - 1);
    area = uploaded_vectors<Real>(domain.device, domain.geometry.face_area, faces, 1, d);
    volume = uploaded<Real>(domain.device, {domain.geometry.cell_volume.begin(),
                                            domain.geometry.cell_volume.begin() + cells});
    const NodeWeights weights = node_weights(domain.mesh, domain.geometry, mirrored);
    oblique_ratio = oblique_ratios(domain.mesh, domain.geometry, weights);
    choose_diffusion(steepness);
    std::vector<double> beyond(c.conduction);
    for_each(0, faces, [&](Index f) { beyond[f] *= implicit_factor[f] - 1; });
    excess = uploaded<Real>(domain.device, beyond);
    node_cells = SellRows(domain.device, weights.cells);
    node_weight =
        RowLayout(weights.cells, domain.device.row_stride())
            .template upload<Real>(domain.device, std::span<const double>(weights.weights));

    boundary_faces = uploaded(domain.device, boundary.faces);
    Table inside(boundary.faces.size(), d + 1);
    for (std::size_t k = 0; k < boundary.faces.size(); ++k)
        for (int j = 0; j <= d; ++j) inside(k, j) = m.cell_nodes(boundary.cells[k], j);
    boundary_cell_nodes = uploaded_table(domain.device, inside, boundary.faces.size());
    boundary_weight = uploaded<Real>(
        domain.device, boundary_weights(domain.mesh, domain.geometry, boundary), d + 1);
}

// With factors f of the conductions the explicit part over the implicit one has eigenvalues up to
// 1 - x.Ax / (f x.Kx), with the least ratio x.Ax / x.Kx near 1 on thin cells.
template <class Real>
void CellStencil<Real>::choose_diffusion(double steepness) {
    double largest = most_of_diffusion;
    for (const double ratio : oblique_ratio) largest = std::max(largest, ratio);
    explicit_diffusion_bound = 1 - most_of_diffusion / domain.comm.max(largest);
    diffusion_is_implicit = explicit_diffusion_bound > most_of_explicit_diffusion;
    implicit_factor = diffusion_is_implicit ? std::vector<double>(domain.faces.shared, 1.0)
                                            : implicit_factors(domain.mesh, oblique_ratio,
                                                               most_of_diffusion / steepness);
}

// With the part p of slopes a face's value is p (i + r) / 2 + (1 - p) j, j between the two cells by
// their distances and a part of the skewness. Kernel face_interpolation computes (1 - p / 2) i' + p
// / 2 r.
template <class Real>
void CellStencil<Real>::set_interpolation(FaceCoefficients c) {
    const Mesh& m = domain.mesh.mesh;
    const std::vector<double> part = slope_parts_at_faces(m, slope_part, domain.faces.shared);
    const std::vector<double> kept = skewness_parts(m, c.theta);
    for_each(0, part.size(), [&](Index f) {
        if (m.face_cells(f, 0) == none || m.face_cells(f, 1) == none) return;
        const double factor = (part[f] + 2 * (1 - part[f]) * kept[f]) / (2 - part[f]);
        for (std::size_t j = f; j < c.skew.size(); j += part.size()) c.skew[j] *= factor;
    });
    face_slope_part = uploaded<Real>(domain.device, part);
    cell_slope_part = uploaded<Real>(domain.device,
                                     {slope_part.begin(), slope_part.begin() + domain.cells.owned});
    theta = uploaded<Real>(domain.device, c.theta);
    skew = uploaded<Real>(domain.device, c.skew, m.dimension - 1);
}

template <class Real>
void recover_at_nodes(const CellStencil<Real>& stencil, const Field<Real>& field,
                      Field<Real>& at_nodes) {
    const SellRows& cells = stencil.node_cells;
    if (field.columns() == 1)
        kernels::ScalarNodeInterpolation<Real>{.cells = cells.rows,
                                               .cell = cells.index,
                                               .weight = stencil.node_weight,
                                               .u = field,
                                               .value = at_nodes}
            .run();
    else
        kernels::NodeInterpolation<Real>{.dimension = field.columns(),
                                         .cells = cells.rows,
                                         .cell = cells.index,
                                         .weight = stencil.node_weight,
                                         .u = field,
                                         .value = at_nodes}
            .run();
}

// A recovered value is a weighted mean of cell values u_c = u_i - g_c . (x_i - x_c) + ... Half of
// the slopes' contribution makes it exact for parabolas; g_c . (x_i - x_c) is the node's value less
// the mean over the cell's nodes.
template <class Real>
void add_quadratic_correction(const CellStencil<Real>& stencil, const KinkedNodes<Real>& kinks,
                              const Field<Real>& field, Field<Real>& at_nodes) {
    const Domain& domain = stencil.domain;
    const int columns = field.columns();
    auto defect = domain.field<Real>(Kind::cell, columns),
         missing = domain.field<Real>(Kind::node, columns);
    if (columns == 1)
        kernels::ScalarCellDefect<Real>{.dimension = domain.dimension,
                                        .node = stencil.cell_nodes,
                                        .u = field,
                                        .t = at_nodes,
                                        .value = defect}
            .run();
    else
        kernels::CellDefect<Real>{.dimension = columns,
                                  .node = stencil.cell_nodes,
                                  .u = field,
                                  .t = at_nodes,
                                  .value = defect}
            .run();
    recover_at_nodes(stencil, defect, missing);
    kinks.interpolate(defect, missing);
    domain.shared(Kind::node)[at_nodes] += 0.5 * missing;
}

template struct CellStencil<float>;
template struct CellStencil<double>;
template void recover_at_nodes(const CellStencil<float>&, const Field<float>&, Field<float>&);
template void recover_at_nodes(const CellStencil<double>&, const Field<double>&, Field<double>&);
template void add_quadratic_correction(const CellStencil<float>&, const KinkedNodes<float>&,
                                       const Field<float>&, Field<float>&);
template void add_quadratic_correction(const CellStencil<double>&, const KinkedNodes<double>&,
                                       const Field<double>&, Field<double>&);

}  // namespace solenoid

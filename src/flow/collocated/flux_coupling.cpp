#include "flow/collocated/flux_coupling.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/gradient_fit.hpp"

namespace solenoid {
namespace {

// Least |U|/A in constrain(), over the largest |U|/A of the domain's part: where a flow turns its
// fluxes vanish, and its cells must not be limited for that.
constexpr double least_part = 0.2;

// The Reynolds number of a cell at a wall up to which its pressure gradient is the reconstruction
// alone.
constexpr double viscous_cell = 10;

// Factor of |U| / (A h) in the rate r at which the lag fades.
constexpr double lag_fade = 1;

// Factor of 2 nu / h^2 in the rate r. With 1 a steady G differs from the pressure gradient by nu
// u'' on every mesh, and the flux that a pressure drives through a channel does not converge. With
// 0 the order in time falls and the lag of slow flows stays.
constexpr double viscous_fade = 0.1;

}  // namespace

template <class Real>
FluxCoupling<Real>::FluxCoupling(const Domain& domain, const FlowBoundaries& boundaries,
                                 Momentum<Real>& momentum)
    : domain_(domain),
      d_(domain.dimension),
      momentum_(momentum),
      operators_(domain.operators<Real>()),
      stencil_(momentum.stencil()) {
    std::vector<double> distance(domain_.faces.shared), size(domain_.faces.shared);
    for_each(0, domain_.faces.shared, [&](Index f) {
        const auto [a, b] = centroids_beside(domain.mesh.mesh, domain.geometry, f);
        distance[f] = glm::length(b - a);
        size[f] = glm::length(domain.geometry.face_area[f]);
    });
    spacing_ = uploaded<Real>(domain.device, distance);
    face_size_ = uploaded<Real>(domain.device, size);
    set_walls(domain.geometry, boundaries);
    std::vector<Index> outer;
    const std::vector<Index>& inside = boundaries.faces().cells;
    for (std::size_t k = 0; k < inside.size(); ++k)
        if (inside[k] < domain_.cells.owned &&
            (!boundaries.condition(k).slips() || boundaries.curved(k)))
            outer.push_back(inside[k]);
    std::sort(outer.begin(), outer.end());
    outer.erase(std::unique(outer.begin(), outer.end()), outer.end());
    outer_ = uploaded(domain.device, outer);
    zero_ = uploaded_vectors<Real>(domain.device, std::vector<Vec3>(outer.size(), Vec3(0)),
                                   outer.size(), 1, d_);
    for (auto* field : {&lag_, &lag_before_, &at_faces_, &rest_, &rest_before_, &ahead_, &smooth_,
                        &fading_, &fading_before_})
        *field = domain.field<Real>(Kind::face);
    long_ = momentum.with_boundary_values();
    cell_vector_ = domain.vector_field<Real>(Kind::cell);
}

// All cells' gradients by interpolation, and those of cells at walls apart: with the faces whose
// dp/dn the projection does not give as a parabola fitted to those round the cell has it
// (gradient_fit). By the cell's other faces alone, a least-squares fit, what the noise of G does
// there is work on the flow: ducts of tets had up to 4 % of their friction out of nothing.
template <class Real>
void FluxCoupling<Real>::set_walls(const Geometry& geometry, const FlowBoundaries& boundaries) {
    const Mesh& m = domain_.mesh.mesh;
    const std::vector<bool> known = boundaries.gradient_known();
    const int faces_of_cell = d_ + 1;
    std::vector<Vec3> interpolation(std::size_t(domain_.cells.owned) * faces_of_cell, Vec3(0));
    const std::vector<double> fitted = fitted_parts(boundaries);
    std::vector<Index> cells;  // with a face that is not known, and a fit
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j < faces_of_cell; ++j) {
            if (known[entity_of(m.cell_faces(c, j))])
                interpolation[std::size_t(c) * faces_of_cell + j] =
                    face_offset(m, geometry, c, j) / geometry.cell_volume[c];
            else if (fitted[c] > 0 && (cells.empty() || cells.back() != c))
                cells.push_back(c);
        }
    set_fit(geometry, boundaries, cells, fitted);
    if (boundaries.has_unsteady_inflow()) set_inflows(geometry, boundaries, fitted);
    reconstruct_from_ = uploaded_vectors<Real>(domain_.device, interpolation, domain_.cells.owned,
                                               faces_of_cell, d_);
    has_walls_ = domain_.comm.any(!cells.empty());
    std::vector<Vec3> vectors;
    std::vector<double> lengths;
    Table faces(cells.size(), faces_of_cell);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const Index c = cells[k];
        lengths.push_back(std::pow(geometry.cell_volume[c], 1.0 / d_));
        for (int j = 0; j <= d_; ++j) {
            faces(k, j) = m.cell_faces(c, j);
            vectors.push_back(interpolation[std::size_t(c) * faces_of_cell + j]);
        }
    }
    walls_ = {uploaded(domain_.device, cells), uploaded_table(domain_.device, faces, cells.size()),
              uploaded_vectors<Real>(domain_.device, vectors, cells.size(), d_ + 1, d_),
              uploaded<Real>(domain_.device, lengths),
              domain_.device.buffer<Real>(static_cast<Index>(cells.size()), d_)};
}

// The part of the fit in the gradient of each owned cell at a wall: none in thin cells, whose steps
// it would make unstable, and none in cells that touch an open boundary, where it takes R (1 - P) I
// out of [0, 4/3).
template <class Real>
std::vector<double> FluxCoupling<Real>::fitted_parts(const FlowBoundaries& boundaries) const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<bool> open(m.nodes(), false);
    for (Index f = 0; f < m.faces(); ++f)
        if (boundaries.is_open(f))
            for (int j = 0; j < d_; ++j) open[m.face_nodes(f, j)] = true;
    std::vector<double> parts(stencil_.slope_part.begin(),
                              stencil_.slope_part.begin() + domain_.cells.owned);
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j <= d_; ++j)
            if (open[m.cell_nodes(c, j)]) parts[c] = 0;
    return parts;
}

// q = 1/V sum of G_f (x_f - x_c), G_f of the unknown faces A n . q_fit, times the cell's part.
template <class Real>
void FluxCoupling<Real>::set_fit(const Geometry& geometry, const FlowBoundaries& boundaries,
                                 const std::vector<Index>& cells, const std::vector<double>& part) {
    const Mesh& m = domain_.mesh.mesh;
    const std::vector<bool> known = boundaries.gradient_known();
    GradientFit fit = gradient_fit(domain_.mesh, geometry, cells, known, boundaries.mirrors());
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const Index c = cells[k];
        for (Index i = fit.faces.start[k]; i < fit.faces.start[k + 1]; ++i) {
            const Vec3 of_fit = fit.vectors[i];
            Vec3 vector(0);
            for (int j = 0; j <= d_; ++j) {
                const Index f = entity_of(m.cell_faces(c, j));
                const double sign = orientation_of(m.cell_faces(c, j));
                const Vec3 r = face_offset(m, geometry, c, j) / geometry.cell_volume[c];
                if (!known[f])
                    vector += r * (part[c] * (sign * glm::dot(geometry.face_area[f], of_fit)));
                else if (f == fit.faces.index[i])
                    vector += sign * r;
            }
            fit.vectors[i] = vector;
        }
    }
    fit_ = FittedRows<Real>(domain_.device, fit, d_);
}

template <class Real>
void FluxCoupling<Real>::set_inflows(const Geometry& geometry, const FlowBoundaries& boundaries,
                                     const std::vector<double>& fitted) {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Index> cells;
    for (Index c = 0; c < domain_.cells.owned; ++c)
        for (int j = 0; j <= d_; ++j)
            if (boundaries.is_inflow(entity_of(m.cell_faces(c, j))) &&
                (cells.empty() || cells.back() != c))
                cells.push_back(c);
    has_inflows_ = domain_.comm.any(!cells.empty());
    std::vector<Vec3> vectors;
    std::vector<double> lengths, parts;
    Table faces(cells.size(), d_ + 1);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const Index c = cells[k];
        lengths.push_back(std::pow(geometry.cell_volume[c], 1.0 / d_));
        parts.push_back(fitted[c]);
        for (int j = 0; j <= d_; ++j) {
            faces(k, j) = m.cell_faces(c, j);
            vectors.push_back(boundaries.is_inflow(entity_of(m.cell_faces(c, j)))
                                  ? face_offset(m, geometry, c, j) / geometry.cell_volume[c]
                                  : Vec3(0));
        }
    }
    inflows_ = {uploaded(domain_.device, cells),
                uploaded_table(domain_.device, faces, cells.size()),
                uploaded_vectors<Real>(domain_.device, vectors, cells.size(), d_ + 1, d_),
                uploaded<Real>(domain_.device, lengths),
                uploaded<Real>(domain_.device, parts),
                domain_.device.buffer<Real>(static_cast<Index>(cells.size()), d_)};
}

template <class Real>
void FluxCoupling<Real>::to_cells(const Field<Real>& gradient, Field<Real>& q) {
    kernels::Reconstruction<Real>{.dimension = d_,
                                  .face = stencil_.cell_faces,
                                  .r = reconstruct_from_,
                                  .flux = gradient,
                                  .value = q}
        .run();
    if (!has_walls_) return;
    fit_.apply(domain_.device, gradient, walls_.q);
    domain_.device.scatter(walls_.q, walls_.cell, q);
}

template <class Real>
void FluxCoupling<Real>::to_cells(const Field<Real>& gradient, const Field<Real>& flux,
                                  Field<Real>& q) {
    to_cells(gradient, q);
    const bool is_undamped = momentum_.scheme().is_undamped();
    if (has_walls_ && is_undamped) take_from_walls(gradient, flux, q);
    if (!has_inflows_) return;
    kernels::InflowGradient<Real>{.dimension = d_,
                                  .cell = inflows_.cell,
                                  .face = inflows_.face,
                                  .r = inflows_.interpolate,
                                  .h = inflows_.length,
                                  .part = inflows_.part,
                                  .nu = momentum_.viscosity().in_cells(),
                                  .size = face_size_,
                                  .flux = flux,
                                  .gradient = gradient,
                                  .q = q,
                                  .value = inflows_.q,
                                  .most = Real(viscous_cell),
                                  .inertial = Real(is_undamped ? 1 : 0)}
        .run(domain_.device, {0, inflows_.cell.size()});
    domain_.device.scatter(inflows_.q, inflows_.cell, q);
}

template <class Real>
void FluxCoupling<Real>::take_from_walls(const Field<Real>& gradient, const Field<Real>& flux,
                                         Field<Real>& q) {
    kernels::WallGradient<Real>{.dimension = d_,
                                .cell = walls_.cell,
                                .face = walls_.face,
                                .r = walls_.interpolate,
                                .h = walls_.length,
                                .nu = momentum_.viscosity().in_cells(),
                                .size = face_size_,
                                .flux = flux,
                                .gradient = gradient,
                                .q = q,
                                .value = walls_.q,
                                .most = Real(viscous_cell)}
        .run(domain_.device, {0, walls_.cell.size()});
    domain_.device.scatter(walls_.q, walls_.cell, q);
}

// Flux of a cell vector without given boundary values (BoundaryVelocity::extend_to_faces).
template <class Real>
void FluxCoupling<Real>::to_faces(const Field<Real>& q, Field<Real>& at_faces) {
    domain_.own(Kind::cell)[long_] = q;
    momentum_.boundary().extend_to_faces(long_);
    momentum_.mean_to_faces(long_, at_faces);
}

template <class Real>
void FluxCoupling<Real>::add_flux(const Field<Real>& q, Field<Real>& to) {
    to_faces(q, at_faces_);
    domain_.shared(Kind::face)[to] += at_faces_;
}

template <class Real>
void FluxCoupling<Real>::update_lag(CellField<Real>& u, const Field<Real>& flux) {
    momentum_.to_faces(u, at_faces_);
    domain_.shared(Kind::face)[lag_] = flux - at_faces_;
}

template <class Real>
void FluxCoupling<Real>::add_lag(const Field<Real>& flux, const Field<Real>& gradient,
                                 const Field<Real>& q, const Step& step, Field<Real>& star) {
    to_faces(q, at_faces_);
    const Over faces = domain_.shared(Kind::face);
    faces[rest_] = gradient - at_faces_;
    faces[fading_] = (1 + step.reach) * flux - step.reach * fading_before_;
    fading_before_.copy(flux);
    const auto reach = static_cast<Real>(step.reach) * stencil_.face_slope_part;
    faces[ahead_] = (Real(1) + reach) * rest_ - reach * rest_before_;
    bring_lag(step, star);
}

template <class Real>
void FluxCoupling<Real>::add_lag_again(const Field<Real>& gradient, const Field<Real>& q,
                                       const Step& step, Field<Real>& star) {
    to_faces(q, at_faces_);
    domain_.shared(Kind::face)[ahead_] = gradient - at_faces_;
    bring_lag(step, star);
}

// On entry at_faces_ is Q, ahead_ is G - Q and fading_ is the U of the rate r.
template <class Real>
void FluxCoupling<Real>::bring_lag(const Step& step, Field<Real>& star) {
    to_cells(ahead_, cell_vector_);
    domain_.device.scatter(zero_, outer_, cell_vector_);
    to_faces(cell_vector_, smooth_);
    kernels::FluxLag<Real>{.spacing = spacing_,
                           .area = face_size_,
                           .part = stencil_.face_slope_part,
                           .nu = momentum_.viscosity().at_faces(),
                           .flux = fading_,
                           .lag1 = lag_,
                           .lag2 = lag_before_,
                           .rest = ahead_,
                           .smooth_rest = smooth_,
                           .interpolated = at_faces_,
                           .star = star,
                           .c1 = static_cast<Real>(step.s * step.c1),
                           .c2 = static_cast<Real>(step.s * step.c2),
                           .s = static_cast<Real>(step.s),
                           .curvature = static_cast<Real>(step.curvature),
                           .fade = Real(lag_fade),
                           .viscous_fade = Real(viscous_fade)}
        .run();
}

template <class Real>
void FluxCoupling<Real>::accept() {
    std::swap(lag_, lag_before_);
    std::swap(rest_, rest_before_);
}

// least_ of each connected part of the domain (cells joined by nodes).
template <class Real>
void FluxCoupling<Real>::set_least(const Field<Real>& flux) {
    if (!least_) least_ = domain_.device.buffer<Real>(domain_.cells.owned);
    if (domain_.mesh.components == 1) {
        const double fastest = domain_.comm.max(
            domain_.faces.owned ? domain_.own(Kind::face).greatest(abs(flux) / face_size_) : 0);
        domain_.own(Kind::cell)[least_] = least_part * fastest;
        return;
    }
    const Mesh& m = domain_.mesh.mesh;
    const std::vector<Real> values = flux.download();
    std::vector<double> fastest(domain_.mesh.components, 0.0);
    for (Index f = 0; f < domain_.faces.owned; ++f) {
        double& most = fastest[domain_.mesh.node_component[m.face_nodes(f, 0)]];
        most = std::max(most,
                        std::abs(double(values[f])) / glm::length(domain_.geometry.face_area[f]));
    }
    domain_.comm.max(fastest);
    std::vector<Real> least(domain_.cells.owned);
    for (Index c = 0; c < domain_.cells.owned; ++c)
        least[c] = static_cast<Real>(least_part *
                                     fastest[domain_.mesh.node_component[m.cell_nodes(c, 0)]]);
    least_.upload(least);
}

template <class Real>
void FluxCoupling<Real>::constrain(Field<Real>& flux, Field<Real>& u) {
    if (!momentum_.scheme().is_undamped()) return;
    set_least(flux);
    operators_.interpolation(flux, cell_vector_);
    held_ += kernels::ConstrainToFlux<Real>{.dimension = d_,
                                            .face = stencil_.cell_faces,
                                            .size = face_size_,
                                            .flux = flux,
                                            .least = least_,
                                            .part = stencil_.cell_slope_part,
                                            .v = cell_vector_,
                                            .u = u}
                 .run(domain_.comm)
                 .held;
}

template <class Real>
double FluxCoupling<Real>::held() const {
    return domain_.comm.sum(held_);
}

template <class Real>
void FluxCoupling<Real>::register_state(const State<Real>& state) {
    state.add("lag_before", lag_before_);
    state.add("rest_before", rest_before_);
    state.add("fading_before", fading_before_);
    state.stack(held_);
    // one rank counts what all have counted
    state.off_stack().template add<double>(
        "held", [this] { return held(); },
        [this](const double& all) { held_ = domain_.comm.is_root() ? all : 0; });
}

template <class Real>
FluxCoupling<Real>::~FluxCoupling() = default;

template class FluxCoupling<float>;
template class FluxCoupling<double>;

}  // namespace solenoid

#include "flow/flux_coupling.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

// The Reynolds number of a cell at a wall up to which its pressure gradient is the reconstruction alone.
constexpr double viscous_cell = 10;

// How fast a flux forgets by what it differed from the interpolated velocity, in throughputs of a cell.
constexpr double lag_fade = 1;

// Of the viscous rate of that, 2 nu/h^2. With all of it a steady G differs from the pressure's by nu u'', however fine the mesh: what a pressure
// drives through a channel does not converge. Without any, the order in time falls and the lag of slow flows stays.
constexpr double viscous_fade = 0.1;

}  // namespace

template <class Real>
FluxCoupling<Real>::FluxCoupling(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& boundaries,
                                 Momentum<Real>& momentum, Operators<Real>& operators, double viscosity)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      momentum_(momentum),
      operators_(operators),
      stencil_(momentum.stencil()),
      viscosity_(viscosity) {
    std::vector<double> distance(faces_.shared), size(faces_.shared);
    for (Index f = 0; f < faces_.shared; ++f) {
        const auto [a, b] = centroids_beside(mesh.mesh, geometry, f);
        distance[f] = glm::length(b - a);
        size[f] = glm::length(geometry.face_area[f]);
    }
    spacing_ = uploaded<Real>(device, distance);
    face_size_ = uploaded<Real>(device, size);
    put_walls(geometry, boundaries);
    std::vector<Index> outer;
    const std::vector<Index>& inside = boundaries.faces().cells;
    for (std::size_t k = 0; k < inside.size(); ++k)
        if (inside[k] < cells_.owned && !boundaries.condition(k).slips()) outer.push_back(inside[k]);
    std::sort(outer.begin(), outer.end());
    outer.erase(std::unique(outer.begin(), outer.end()), outer.end());
    outer_ = uploaded(device, outer);
    zero_ = uploaded_vectors<Real>(device, std::vector<Vec3>(outer.size(), Vec3(0)), outer.size(), 1, d_);
    for (auto* field : {&lag_, &lag_before_, &at_faces_, &rest_, &rest_before_, &ahead_, &smooth_, &fading_, &fading_before_}) *field = device.buffer<Real>(faces_.all);
    long_ = momentum.lengthened();
    cell_vector_ = device.buffer<Real>(cells_.all, d_);
}

// All cells' gradients, and those of cells at walls apart.
template <class Real>
void FluxCoupling<Real>::put_walls(const Geometry& geometry, const FlowBoundaries& boundaries) {
    const Mesh& m = mesh_.mesh;
    const std::vector<bool> known = boundaries.gradient_known();
    const GradientVectors gradients = gradient_vectors(mesh_, geometry, known);
    reconstruct_from_ = uploaded_vectors<Real>(device_, gradients.vectors, cells_.owned, d_ + 1, d_);
    const std::vector<Index>& cells = gradients.incomplete;
    std::vector<Vec3> vectors;
    std::vector<double> lengths;
    Table faces(cells.size(), d_ + 1);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const Index c = cells[k];
        lengths.push_back(std::pow(geometry.cell_volume[c], 1.0 / d_));
        for (int j = 0; j <= d_; ++j) {
            faces(k, j) = m.cell_faces(c, j);
            vectors.push_back(known[entity_of(m.cell_faces(c, j))] ? face_offset(m, geometry, c, j) / geometry.cell_volume[c] : Vec3(0));
        }
    }
    walls_ = {uploaded(device_, cells), uploaded_table(device_, faces, cells.size()), uploaded_vectors<Real>(device_, vectors, cells.size(), d_ + 1, d_),
              uploaded<Real>(device_, lengths), device_.buffer<Real>(static_cast<Index>(cells.size()), d_)};
}

template <class Real>
void FluxCoupling<Real>::to_cells(const Buffer<Real>& gradient, Buffer<Real>& q) const {
    kernels::Reconstruction<Real>{d_, stencil_.cell_faces, reconstruct_from_, gradient, q}.run(device_, cells_.marked());
}

template <class Real>
void FluxCoupling<Real>::to_cells(const Buffer<Real>& gradient, const Buffer<Real>& flux, Buffer<Real>& q) {
    to_cells(gradient, q);
    if (!walls_.cell.size() || !is_undamped(stencil_.convection)) return;
    kernels::WallGradient<Real>{d_, walls_.cell, walls_.face, walls_.interpolate, walls_.length, face_size_, flux, gradient, q, walls_.q,
                                static_cast<Real>(viscosity_), Real(viscous_cell)}.run(device_, {0, walls_.cell.size()});
    device_.scatter(walls_.q, walls_.cell, q);
}

// Flux of a cell vector that boundaries do not give.
template <class Real>
void FluxCoupling<Real>::to_faces(const Buffer<Real>& q, Buffer<Real>& at_faces) {
    Over(device_, cells_.marked())[long_] = q;
    momentum_.boundary().extend_to_faces(long_);
    momentum_.mean_to_faces(long_, at_faces);
}

template <class Real>
void FluxCoupling<Real>::add_flux(const Buffer<Real>& q, Buffer<Real>& to) {
    to_faces(q, at_faces_);
    Over(device_, {0, faces_.shared})[to] += at_faces_;
}

template <class Real>
void FluxCoupling<Real>::see_lag(const Buffer<Real>& u, const Buffer<Real>& at_nodes, const Buffer<Real>& flux) {
    momentum_.to_faces(u, at_nodes, at_faces_);
    Over(device_, {0, faces_.shared})[lag_] = flux - at_faces_;
}

template <class Real>
void FluxCoupling<Real>::add_lag(const Buffer<Real>& flux, const Buffer<Real>& gradient, const Buffer<Real>& q, const Step& step, Buffer<Real>& star) {
    to_faces(q, at_faces_);
    const Over faces(device_, {0, faces_.shared});
    faces[rest_] = gradient - at_faces_;
    faces[fading_] = (1 + step.reach) * flux - step.reach * fading_before_;
    device_.copy(flux, fading_before_);
    faces[ahead_] = (1 + step.reach) * rest_ - step.reach * rest_before_;
    to_cells(ahead_, cell_vector_);
    if (outer_.size()) device_.scatter(zero_, outer_, cell_vector_);
    to_faces(cell_vector_, smooth_);
    kernels::FluxLag<Real>{spacing_, face_size_, fading_, lag_, lag_before_, ahead_, smooth_, at_faces_, star, static_cast<Real>(step.s * step.c1),
                           static_cast<Real>(step.s * step.c2), static_cast<Real>(step.s), static_cast<Real>(step.bend), Real(lag_fade), static_cast<Real>(viscous_fade * viscosity_)}
        .run(device_, {0, faces_.shared});
}

template <class Real>
void FluxCoupling<Real>::accept() {
    std::swap(lag_, lag_before_);
    std::swap(rest_, rest_before_);
}

template <class Real>
void FluxCoupling<Real>::hold(Buffer<Real>& flux, Buffer<Real>& u) {
    if (!is_undamped(stencil_.convection)) return;
    operators_.interpolation(flux, cell_vector_);
    if (cells_.owned) held_ += kernels::HoldToFlux<Real>{d_, stencil_.cell_faces, face_size_, flux, cell_vector_, u}.run(device_, cells_.marked()).held;
}

template <class Real>
double FluxCoupling<Real>::held() const {
    return comm_.sum(held_);
}

template class FluxCoupling<float>;
template class FluxCoupling<double>;

}  // namespace solenoid

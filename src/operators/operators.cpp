#include "operators/operators.hpp"

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
const Buffer<Real>& Operators<Real>::face_offsets() {
    if (!face_offsets_)
        face_offsets_ = uploaded_vectors<Real>(
            domain_.device, domain_.mesh.mesh.cells(), domain_.dimension + 1, domain_.dimension,
            [&](std::size_t c, int j) {
                return face_offset(domain_.mesh.mesh, domain_.geometry, Index(c), j);
            });
    return face_offsets_;
}

template <class Real>
const Buffer<Real>& Operators<Real>::areas() {
    if (!areas_)
        areas_ = uploaded_vectors<Real>(
            domain_.device, domain_.mesh.mesh.cells(), domain_.dimension + 1, domain_.dimension,
            [&](std::size_t c, int j) { return opposite_area(domain_.mesh.mesh, Index(c), j); });
    return areas_;
}

template <class Real>
const Buffer<Real>& Operators<Real>::volumes() {
    if (!volumes_) volumes_ = uploaded<Real>(domain_.device, domain_.geometry.cell_volume);
    return volumes_;
}

template <class Real>
void Operators<Real>::gradient(const Field<Real>& p, Field<Real>& g) {
    kernels::Gradient<Real>{.cell = domain_.face_cells(), .p = p, .value = g}.run();
}

template <class Real>
void Operators<Real>::divergence(const Field<Real>& flux, Field<Real>& out) {
    kernels::Divergence<Real>{
        .dimension = domain_.dimension, .face = domain_.cell_faces(), .flux = flux, .value = out}
        .run();
}

template <class Real>
void Operators<Real>::curl(const Field<Real>& s, Field<Real>& flux) {
    kernels::Curl<Real>{
        .dimension = domain_.dimension, .codim2 = domain_.face_codim2(), .s = s, .value = flux}
        .run();
}

template <class Real>
void Operators<Real>::rotation(const Field<Real>& q, Field<Real>& out) {
    const SellRows& faces = domain_.codim2_faces();
    kernels::Rotation<Real>{.faces = faces.rows, .face = faces.index, .q = q, .value = out}.run();
}

template <class Real>
void Operators<Real>::interpolation(const Field<Real>& flux, Field<Real>& u) {
    kernels::Interpolation<Real>{.dimension = domain_.dimension,
                                 .face = domain_.cell_faces(),
                                 .offset = face_offsets(),
                                 .volume = volumes(),
                                 .flux = flux,
                                 .value = u}
        .run();
}

template <class Real>
void Operators<Real>::integration(const Field<Real>& v, Field<Real>& out) {
    kernels::Integration<Real>{.dimension = domain_.dimension,
                               .cell = domain_.face_cells(),
                               .slot = domain_.face_slots(),
                               .offset = face_offsets(),
                               .v = v,
                               .value = out}
        .run();
}

template <class Real>
typename Operators<Real>::GradientSums Operators<Real>::gradient_sums(const Field<Real>& u,
                                                                      const Buffer<Real>& weight) {
    const auto sums = kernels::GradientSums<Real>{.dimension = domain_.dimension,
                                                  .node = domain_.cell_nodes(),
                                                  .area = areas(),
                                                  .volume = volumes(),
                                                  .weight = weight,
                                                  .t = u}
                          .run(domain_.comm, domain_.own(Kind::cell));
    return {sums.rotation, sums.strain};
}

template class Operators<float>;
template class Operators<double>;

}  // namespace solenoid

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

// The launch, written once, over the entities that read no ghost and then over the rest.
template <class Real>
void Operators<Real>::overlapped(const Field<Real>& input, Kind to, const Sweep& sweep) {
    const EntityRanges& range = domain_.range(to);
    auto ghosts = input.start_ghosts();
    if (range.interior) sweep(range.inside());
    ghosts.finish();
    if (range.shared > range.interior) sweep({range.interior, range.shared});
}

template <class Real>
void Operators<Real>::gradient(const Field<Real>& p, Field<Real>& g) {
    const kernels::Gradient<Real> kernel{.cell = domain_.face_cells(), .p = p, .value = g};
    overlapped(p, Kind::face, [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
void Operators<Real>::divergence(const Field<Real>& flux, Field<Real>& out) {
    const kernels::Divergence<Real> kernel{
        .dimension = domain_.dimension, .face = domain_.cell_faces(), .flux = flux, .value = out};
    overlapped(flux, Kind::cell, [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
void Operators<Real>::curl(const Field<Real>& s, Field<Real>& flux) {
    const kernels::Curl<Real> kernel{
        .dimension = domain_.dimension, .codim2 = domain_.face_codim2(), .s = s, .value = flux};
    overlapped(s, Kind::face, [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
void Operators<Real>::rotation(const Field<Real>& q, Field<Real>& out) {
    const SellRows& faces = domain_.codim2_faces();
    const kernels::Rotation<Real> kernel{
        .faces = faces.rows, .face = faces.index, .q = q, .value = out};
    overlapped(q, domain_.mesh.mesh.codim2_kind(),
               [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
void Operators<Real>::interpolation(const Field<Real>& flux, Field<Real>& u) {
    const kernels::Interpolation<Real> kernel{.dimension = domain_.dimension,
                                              .face = domain_.cell_faces(),
                                              .offset = face_offsets(),
                                              .volume = volumes(),
                                              .flux = flux,
                                              .value = u};
    overlapped(flux, Kind::cell, [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
void Operators<Real>::integration(const Field<Real>& v, Field<Real>& out) {
    const kernels::Integration<Real> kernel{.dimension = domain_.dimension,
                                            .cell = domain_.face_cells(),
                                            .slot = domain_.face_slots(),
                                            .offset = face_offsets(),
                                            .v = v,
                                            .value = out};
    overlapped(v, Kind::face, [&](Range range) { kernel.run(domain_.device, range); });
}

template <class Real>
typename Operators<Real>::GradientSums Operators<Real>::gradient_sums(const Buffer<Real>& u,
                                                                      const Buffer<Real>& weight) {
    const EntityRanges& cells = domain_.cells;
    if (cells.owned == 0) return {0, 0};
    const auto sums = kernels::GradientSums<Real>{.dimension = domain_.dimension,
                                                  .node = domain_.cell_nodes(),
                                                  .area = areas(),
                                                  .volume = volumes(),
                                                  .weight = weight,
                                                  .t = u}
                          .run(domain_.device, cells.owned_range());
    return {sums.rotation, sums.strain};
}

template class Operators<float>;
template class Operators<double>;

}  // namespace solenoid

#include "flow/convection/face_convection.hpp"

#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
FaceConvection<Real>::FaceConvection(const ConvectedField<Real>& field, FaceValue value)
    : domain_(field.domain), stencil_(field.stencil), columns_(field.columns()), is_upstream_(value != FaceValue::mean) {
    if (value == FaceValue::upstream_limited) limiter_ = std::make_unique<SlopeLimiter<Real>>(field.domain, field.boundaries, field.stencil, columns_);
}

template <class Real>
void FaceConvection<Real>::to_faces(const Carried& carried, const Buffer<Real>& diffusion, Field<Real>& transport) {
    const Buffer<Real>& defect = carried.defect.with_ghosts();
    const Buffer<Real>& limit = !limiter_ ? defect : are_differences_ ? limiter_->last() : limiter_->limits(carried.cells, carried.at_nodes);
    const Range faces{0, domain_.faces.shared};
    const std::uint32_t upstream = is_upstream_, limited = limiter_ != nullptr;
    const auto carry = [&](const auto& kernel) { kernel.run(domain_.device, faces); };
    if (columns_ == 1)
        carry(kernels::ScalarFaceTransport<Real>{domain_.dimension, stencil_.face_cells, stencil_.face_nodes, diffusion, carried.flux, carried.cells, defect, limit, carried.at_nodes, transport,
                                                 upstream, limited});
    else
        carry(kernels::FaceTransport<Real>{domain_.dimension, stencil_.face_cells, stencil_.face_nodes, diffusion, carried.flux, carried.cells, defect, limit, carried.at_nodes, transport,
                                           upstream, limited});
}

template class FaceConvection<float>;
template class FaceConvection<double>;

}  // namespace solenoid

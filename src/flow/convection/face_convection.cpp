#include "flow/convection/face_convection.hpp"

#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
FaceConvection<Real>::FaceConvection(const ConvectedField<Real>& field, FaceValue value)
    : domain_(field.domain),
      stencil_(field.stencil),
      columns_(field.columns()),
      is_upstream_(value != FaceValue::mean) {
    if (value == FaceValue::upstream_limited)
        limiter_ = std::make_unique<SlopeLimiter<Real>>(field.domain, field.boundaries,
                                                        field.stencil, columns_);
}

template <class Real>
void FaceConvection<Real>::to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                                    Field<Real>& transport) {
    const Field<Real>& limit = !limiter_ ? carried.defect
                               : are_differences_
                                   ? limiter_->last()
                                   : limiter_->limits(carried.cells, carried.at_nodes);
    const std::uint32_t upstream = is_upstream_, limited = limiter_ != nullptr;
    if (columns_ == 1)
        kernels::ScalarFaceTransport<Real>{.dimension = domain_.dimension,
                                           .cell = stencil_.face_cells,
                                           .node = stencil_.face_nodes,
                                           .diffusion = diffusion,
                                           .flux = carried.flux,
                                           .u = carried.cells,
                                           .defect = carried.defect,
                                           .limit = limit,
                                           .t = carried.at_nodes,
                                           .value = transport,
                                           .upstream = upstream,
                                           .limited = limited}
            .run();
    else
        kernels::FaceTransport<Real>{.dimension = domain_.dimension,
                                     .cell = stencil_.face_cells,
                                     .node = stencil_.face_nodes,
                                     .diffusion = diffusion,
                                     .flux = carried.flux,
                                     .u = carried.cells,
                                     .defect = carried.defect,
                                     .limit = limit,
                                     .t = carried.at_nodes,
                                     .value = transport,
                                     .upstream = upstream,
                                     .limited = limited}
            .run();
}

template class FaceConvection<float>;
template class FaceConvection<double>;

}  // namespace solenoid

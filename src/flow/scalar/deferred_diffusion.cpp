#include "flow/scalar/deferred_diffusion.hpp"

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
DeferredDiffusion<Real>::DeferredDiffusion(const Domain& domain, const FlowBoundaries& flow,
                                           const CellStencil<Real>& stencil,
                                           const ScalarBoundaries& boundaries,
                                           ScalarFaces<Real>& faces)
    : domain_(domain),
      stencil_(stencil),
      faces_(faces),
      mean_(ConvectedField<Real>{domain, flow, stencil}, FaceValue::mean),
      zero_(stencil, faces.kinks(), boundaries, flow.faces().first),
      difference_(zero_.scalar()),
      defect_(domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size())),
      net_(domain.field<Real>(Kind::cell)),
      no_flux_(domain.field<Real>(Kind::face)),
      carried_(domain.field<Real>(Kind::face)) {}

template <class Real>
const Field<Real>& DeferredDiffusion<Real>::through_faces(CellField<Real>& scalar,
                                                          const Buffer<Real>& given) {
    const Field<Real>& at_nodes = scalar.at_nodes();
    kernels::ScalarCellDefect<Real>{.dimension = domain_.dimension,
                                    .node = stencil_.cell_nodes,
                                    .u = scalar,
                                    .t = at_nodes,
                                    .value = defect_}
        .run();
    mean_.to_faces({scalar, defect_, at_nodes, no_flux_}, faces_.explicit_diffusion(), carried_);
    faces_.to_boundary_faces({scalar, defect_, at_nodes, given}, no_flux_, carried_);
    return carried_;
}

template <class Real>
void DeferredDiffusion<Real>::subtract(CellField<Real>& scalar, const Buffer<Real>& given,
                                       Buffer<Real>& residual) {
    domain_.operators<Real>().divergence(through_faces(scalar, given), net_);
    domain_.own(Kind::cell)[residual] -= net_;
}

template <class Real>
void DeferredDiffusion<Real>::add_of_difference(const Buffer<Real>& difference,
                                                Buffer<Real>& product) {
    domain_.own(Kind::cell)[difference_] = difference;
    domain_.operators<Real>().divergence(through_faces(difference_, zero_.face_values()), net_);
    domain_.own(Kind::cell)[product] += net_;
}

template class DeferredDiffusion<float>;
template class DeferredDiffusion<double>;

}  // namespace solenoid

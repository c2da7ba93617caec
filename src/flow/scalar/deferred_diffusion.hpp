// The part of a scalar's diffusion that comes from node values, which is implicit where
// CellStencil::diffusion_is_implicit. docs/numerics.md, "The implicit part".
#pragma once

#include "flow/convection/face_convection.hpp"
#include "flow/scalar/scalar_faces.hpp"
#include "flow/scalar/scalar_recovery.hpp"

namespace solenoid {

template <class Real>
class DeferredDiffusion {
  public:
    // All references must outlive this.
    DeferredDiffusion(const Domain& domain, const FlowBoundaries& flow,
                      const CellStencil<Real>& stencil, const ScalarBoundaries& boundaries,
                      ScalarFaces<Real>& faces);

    // The lists of the boundaries have changed.
    void take(const ScalarBoundaries& boundaries) { zero_.take(boundaries); }

    // What it carries through the faces, along their normals [T m^3/s, in 2D T m^2/s]. given:
    // T_b of ScalarFaces. Collective.
    const Field<Real>& through_faces(CellField<Real>& scalar, const Buffer<Real>& given);
    // residual -= the sum over each cell's faces. Collective.
    void subtract(CellField<Real>& scalar, const Buffer<Real>& given, Buffer<Real>& residual);
    // product += the same of a difference of two scalars, whose boundary values are zero.
    // Collective.
    void add_of_difference(const Buffer<Real>& difference, Buffer<Real>& product);

  private:
    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    ScalarFaces<Real>& faces_;
    FaceConvection<Real> mean_;  // with a flux of zero diffusion alone
    ScalarRecovery<Real> zero_;  // boundary values
    CellField<Real> difference_;
    Field<Real> defect_, net_;       // cells, the first with boundary values
    Field<Real> no_flux_, carried_;  // faces
};

}  // namespace solenoid

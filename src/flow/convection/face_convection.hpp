// Convection by linear reconstructions at a face (kernel face_transport): their mean, or the
// upstream one, with or without a limiter.
#pragma once

#include "flow/convection/convection_scheme.hpp"
#include "flow/convection/slope_limiter.hpp"

namespace solenoid {

enum class FaceValue { mean, upstream, upstream_limited };

template <class Real>
class FaceConvection final : public Convection<Real> {
  public:
    FaceConvection(const ConvectedField<Real>& field, FaceValue value);

    using Carried = typename Convection<Real>::Carried;
    void to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                  Field<Real>& transport) override;
    void use_differences(bool are_differences) override { are_differences_ = are_differences; }

  private:
    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const int columns_;
    const bool is_upstream_;
    std::unique_ptr<SlopeLimiter<Real>> limiter_;  // for FaceValue::upstream_limited
    bool are_differences_ = false;
};

}  // namespace solenoid

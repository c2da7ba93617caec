// Convection "skew-symmetric", for velocities, the default: with a jump penalty.
#include "flow/convection/skew_convection.hpp"

namespace solenoid {
namespace {

class SkewSymmetric final : public ConvectionSchemeOf<SkewSymmetric> {
  public:
    SkewSymmetric()
        : ConvectionSchemeOf("skew-symmetric", "conserves kinetic energy, second order") {}
    bool carries_scalars() const override { return false; }
    bool is_undamped() const override { return true; }
    bool takes_jump_penalty() const override { return true; }
    template <class Real>
    std::unique_ptr<Convection<Real>> made(const ConvectedField<Real>& field) const {
        return std::make_unique<SkewConvection<Real>>(field);
    }
};

}  // namespace

const ConvectionScheme& skew_symmetric_scheme() {
    static const SkewSymmetric scheme;
    return scheme;
}

}  // namespace solenoid

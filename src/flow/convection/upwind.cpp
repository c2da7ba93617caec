// Convection "upwind": the upstream cell's linear reconstruction (linear upwind).
#include "flow/convection/face_convection.hpp"

namespace solenoid {
namespace {

class Upwind final : public ConvectionSchemeOf<Upwind> {
  public:
    Upwind()
        : ConvectionSchemeOf("upwind", "the upstream cell's linear reconstruction, second order") {}
    template <class Real>
    std::unique_ptr<Convection<Real>> made(const ConvectedField<Real>& field) const {
        return std::make_unique<FaceConvection<Real>>(field, FaceValue::upstream);
    }
};

}  // namespace

const ConvectionScheme& upwind_scheme() {
    static const Upwind scheme;
    return scheme;
}

}  // namespace solenoid

// Convection "blended": the upstream cell's linear reconstruction with a limited slope (Kuzmin
// 2010).
#include "flow/convection/face_convection.hpp"

namespace solenoid {
namespace {

class Blended final : public ConvectionSchemeOf<Blended> {
  public:
    Blended()
        : ConvectionSchemeOf("blended",
                             "that of `\"upwind\"` with its slope limited to the range of the "
                             "values around, so that hardly any new extrema appear") {}
    bool is_parabolic() const override { return false; }
    template <class Real>
    std::unique_ptr<Convection<Real>> made(const ConvectedField<Real>& field) const {
        return std::make_unique<FaceConvection<Real>>(field, FaceValue::upstream_limited);
    }
};

}  // namespace

const ConvectionScheme& blended_scheme() {
    static const Blended scheme;
    return scheme;
}

}  // namespace solenoid

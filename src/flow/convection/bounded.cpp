// Convection "bounded", for scalars: the upstream cell's limited reconstruction. Of its difference
// to a monotone scheme only a part counts that keeps all values in the range of the data (Zalesak
// 1979).
#include "flow/convection/face_convection.hpp"

namespace solenoid {
namespace {

class Bounded final : public ConvectionSchemeOf<Bounded> {
  public:
    Bounded()
        : ConvectionSchemeOf("bounded",
                             "no value leaves the range of the initial and the given values, "
                             "widened by what sources and fluxes bring") {}
    bool carries_velocities() const override { return false; }
    bool keeps_range() const override { return true; }
    template <class Real>
    std::unique_ptr<Convection<Real>> made(const ConvectedField<Real>& field) const {
        return std::make_unique<FaceConvection<Real>>(field, FaceValue::upstream_limited);
    }
};

}  // namespace

const ConvectionScheme& bounded_scheme() {
    static const Bounded scheme;
    return scheme;
}

}  // namespace solenoid

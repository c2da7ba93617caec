// Convection "central": the mean of both cells' linear reconstructions.
#include "flow/convection/face_convection.hpp"

namespace solenoid {
namespace {

class Central final : public ConvectionSchemeOf<Central> {
  public:
    Central()
        : ConvectionSchemeOf("central",
                             "the mean of both cells' linear reconstructions, second order") {}
    bool is_undamped() const override { return true; }
    template <class Real>
    std::unique_ptr<Convection<Real>> made(const ConvectedField<Real>& field) const {
        return std::make_unique<FaceConvection<Real>>(field, FaceValue::mean);
    }
};

}  // namespace

const ConvectionScheme& central_scheme() {
    static const Central scheme;
    return scheme;
}

}  // namespace solenoid

// What leaves is carried out by the mean speed U through the boundary, du_n/dt + U du_n/dn = 0 of
// the normal velocity (Orlanski 1976), in place of a pressure, which vortices would disturb as they
// leave.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

class Convective : public FlowCondition {
  public:
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
    bool follows() const override { return true; }
    // The box scheme between the face and what is inside, of second order in both, which carries
    // without loss (Keller 1971); where a step takes the fluid much farther, with a weight of its
    // end at which nothing rings.
    double next_flux(const Beside& b) const override {
        const double courant = b.speed * b.step / b.distance,
                     end = courant > 2 ? 1 - 1 / courant : 0.5;
        const double now = 0.5 - (1 - end) * courant, next = 0.5 + end * courant;
        return (now * b.flux + (0.5 + (1 - end) * courant) * b.inside -
                (0.5 - end * courant) * b.inside_next) /
               next;
    }
};

}  // namespace

FlowConditionKind convective_kind() {
    return {{"convective",
             {},
             "what leaves is carried out at the mean speed of the boundary, and no pressure is "
             "given that vortices would disturb; what enters elsewhere leaves here",
             "vortices leave undisturbed; what enters elsewhere leaves here",
             [](const TableReader&, const FlowConditionContext&) {
                 return std::make_shared<Convective>();
             }},
            FlowCondition::Given::nothing};
}

}  // namespace solenoid

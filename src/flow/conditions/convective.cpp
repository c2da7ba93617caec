// Convective outflow: the normal velocity leaves with the mean outflow speed U of the boundary,
// du_n/dt + U du_n/dn = 0 (Orlanski 1976). No pressure is given, which leaving vortices would
// disturb.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

class Convective : public FlowCondition {
  public:
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
    bool follows() const override { return true; }
    // The box scheme between the face and the value inside (Keller 1971): of second order in time
    // and space, without dissipation. Where a step takes the fluid much farther the weight of the
    // step's end is raised so that nothing oscillates.
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
             "the velocity leaves with the mean outflow speed of the boundary, and no pressure is "
             "given that vortices would disturb; what enters elsewhere leaves here",
             "vortices leave undisturbed; what enters elsewhere leaves here",
             [](const TableReader&, const FlowConditionContext&) {
                 return std::make_shared<Convective>();
             }},
            FlowCondition::Given::nothing};
}

}  // namespace solenoid

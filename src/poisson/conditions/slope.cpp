// A given slope, dU/dn = g.
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

PoissonConditionKind slope_kind() {
    const auto keys =
        Keys<PoissonCondition>().key("slope", &PoissonCondition::gamma, in_the_plane(), "`0`",
                                     "dU/dn along the outward normal, of x, y; k dU/dn flows in");
    return {"slope", keys.declared(), "the slope is given: nothing flows through where it is 0",
            "slope = ...   dU/dn along the outward normal; 0 if absent",
            [keys](const TableReader& table, const NoPoissonContext&) {
                auto condition = keys.read(table);
                condition.alpha = 0;
                condition.beta = 1;
                return std::make_shared<PoissonCondition>(condition);
            }};
}

}  // namespace solenoid

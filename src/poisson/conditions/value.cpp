// A given value, U = g.
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

PoissonConditionKind value_kind() {
    const auto keys = Keys<PoissonCondition>().key("value", &PoissonCondition::gamma,
                                                   in_the_plane(), "required", "U, of x, y");
    return {"value", keys.declared(), "U is given", "value = ...   U, of x, y",
            [keys](const TableReader& table, const NoPoissonContext&) {
                return std::make_shared<PoissonCondition>(keys.read(table));
            }};
}

}  // namespace solenoid

// No heat passes: dT/dn = 0.
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {

HeatConditionKind insulated_kind() {
    return {"insulated",
            {},
            "no heat passes",
            "                    no heat passes",
            [](const TableReader&, const NoContext&) { return std::make_shared<HeatCondition>(); }};
}

}  // namespace solenoid

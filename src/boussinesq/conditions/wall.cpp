// A wall: no water crosses it, and it reflects waves whole.
#include "boussinesq/conditions/boussinesq_condition.hpp"

namespace solenoid {

BoussinesqConditionKind wall_of_water_kind() {
    return {"wall",
            {},
            "no water crosses: waves are reflected",
            "              no water crosses: waves are reflected",
            [](const TableReader&, const NoBoussinesqContext&) {
                return std::make_shared<BoussinesqCondition>();
            }};
}

}  // namespace solenoid

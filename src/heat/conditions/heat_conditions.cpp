// The kinds of boundary conditions of heat conduction.
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {

HeatConditionKind temperature_kind();
HeatConditionKind flux_kind();
HeatConditionKind convection_kind();
HeatConditionKind insulated_kind();
HeatConditionKind contact_kind();

const std::vector<HeatConditionKind>& heat_condition_kinds() {
    static const std::vector<HeatConditionKind> kinds{
        temperature_kind(), flux_kind(), convection_kind(), insulated_kind(), contact_kind()};
    return kinds;
}

}  // namespace solenoid

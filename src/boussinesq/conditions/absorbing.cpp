// A border in which waves die out.
#include "boussinesq/conditions/boussinesq_condition.hpp"

namespace solenoid {

BoussinesqConditionKind absorbing_border_kind() {
    const auto keys = Keys<BoussinesqCondition>()
                          .key("width", &BoussinesqCondition::width, value::positive(), "required",
                               "width of the border inside the grid [m]: a wavelength")
                          .key("period", &BoussinesqCondition::period, value::positive(),
                               "required", "period of the waves to absorb [s]")
                          .key("strength", &BoussinesqCondition::strength, value::not_negative(),
                               "`1`", "strength of the damping");
    return {
        "absorbing", keys.declared(),
        "waves die out in a border, which returns at most 2 % of those of this period",
        "width = ...  period = ...   a border of this width [m] absorbs waves of this period [s]",
        [keys](const TableReader& table, const NoBoussinesqContext&) {
            return std::make_shared<BoussinesqCondition>(keys.read(table));
        }};
}

}  // namespace solenoid

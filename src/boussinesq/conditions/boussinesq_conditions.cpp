// The kinds of conditions of the Boussinesq model.
#include "boussinesq/conditions/boussinesq_condition.hpp"
#include "core/error.hpp"

namespace solenoid {

BoussinesqConditionKind absorbing_border_kind();
BoussinesqConditionKind irregular_waves_kind();
BoussinesqConditionKind regular_waves_kind();
BoussinesqConditionKind wall_of_water_kind();

const std::vector<BoussinesqConditionKind>& boussinesq_condition_kinds() {
    static const std::vector<BoussinesqConditionKind> kinds{
        wall_of_water_kind(), absorbing_border_kind(), regular_waves_kind(),
        irregular_waves_kind()};
    return kinds;
}

std::vector<WaveComponent> waves_at(const TableReader& table,
                                    const std::function<std::vector<WaveComponent>()>& make) {
    try {
        return make();
    } catch (const InputError& error) {
        throw InputError(table.place(), table.title() + ": " + error.what());
    }
}

}  // namespace solenoid

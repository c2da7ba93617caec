// The kinds of boundary conditions of waves.
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

WaveConditionKind absorbing_kind();
WaveConditionKind fixed_kind();
WaveConditionKind free_kind();

const std::vector<WaveConditionKind>& wave_condition_kinds() {
    static const std::vector<WaveConditionKind> kinds{fixed_kind(), free_kind(), absorbing_kind()};
    return kinds;
}

}  // namespace solenoid

// A free boundary, dy/dn = 0: it reflects waves without turning their sign.
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

WaveConditionKind free_kind() {
    return {
        "free",
        {},
        "nothing pulls: the normal derivative is zero",
        "              nothing pulls at the boundary",
        [](const TableReader&, const NoWaveContext&) { return std::make_shared<WaveCondition>(); }};
}

}  // namespace solenoid

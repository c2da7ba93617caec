#include "core/state_values.hpp"

namespace solenoid {

#define SOLENOID_HERE
SOLENOID_STATE_VALUES(SOLENOID_HERE)
#undef SOLENOID_HERE

}  // namespace solenoid

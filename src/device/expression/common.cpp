#include "device/expression.hpp"

namespace solenoid {

#define SOLENOID_HERE
SOLENOID_COMMON_EXPRESSIONS(SOLENOID_HERE, float)
SOLENOID_COMMON_EXPRESSIONS(SOLENOID_HERE, double)
#undef SOLENOID_HERE

}  // namespace solenoid

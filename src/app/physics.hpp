// The physics that a case may have.
#pragma once

#include "case/physics.hpp"

namespace solenoid {

const PhysicsList& all_physics();  // the first is that of a case without `physics`

}  // namespace solenoid

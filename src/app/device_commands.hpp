#pragma once

namespace solenoid {

// Command `solenoid devices`: prints the devices of this host with their limits. Returns the exit
// code.
int show_devices();

}  // namespace solenoid

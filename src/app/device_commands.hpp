#pragma once

namespace solenoid {

// solenoid devices: what this host offers, with the limits that matter.
int show_devices();

}  // namespace solenoid

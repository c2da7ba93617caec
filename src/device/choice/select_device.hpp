// The kinds of device that there are, and the choice of one by name.
#pragma once

#include <span>

#include "device/device_family.hpp"

namespace solenoid {

// In the order in which `auto` asks them.
std::span<const DeviceFamily> device_families();

// What --device takes: auto, and the families' names.
std::vector<std::string> device_choices();

// name: one of device_choices(). auto takes what the first family that has one offers, otherwise
// the CPU. What was asked for and is not there is an InputError with the remedy.
DeviceChoice select_device(const std::string& name, const DeviceRequest& request);
DeviceChoice select_device(const std::string& name, int local_rank, bool double_precision);

}  // namespace solenoid

// A kind of device as the command line names it: what there is of it on this host, and how one is
// made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace solenoid {

struct DeviceChoice {
    std::unique_ptr<Device> device;
    std::string reason;  // which device and why, one line; without a device why there is none
};

struct DeviceRequest {
    int local_rank = 0;  // takes the GPU of this number, modulo GPUs
    bool double_precision = true;
    Index least_side = 0;  // R_min of the device `fragment`, to compare others; 0: its own
};

struct DeviceFamily {
    const char* name;
    // The device asked for; an InputError with the remedy where there is none.
    DeviceChoice (*make)(const DeviceRequest& request);
    // What `auto` takes; nullptr: `auto` does not ask this family.
    DeviceChoice (*make_automatically)(const DeviceRequest& request);
    // What `solenoid devices` prints: a text a device, or why there is none. nullptr: the family
    // before it lists them.
    std::vector<std::string> (*list)();
    // Where it may run, and without its hardware, as in tests.
    bool (*is_there)();
};

}  // namespace solenoid

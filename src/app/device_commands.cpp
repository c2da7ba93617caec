#include "app/device_commands.hpp"

#include "core/log.hpp"
#include "device/choice/select_device.hpp"

namespace solenoid {

int show_devices() {
    for (const DeviceFamily& family : device_families()) {
        if (!family.list) continue;
        for (const std::string& device : family.list()) log::info("{}", device);
    }
    return 0;
}

}  // namespace solenoid

// The devices that tests run on: all that are there, the OpenGL devices on Mesa's software
// renderer.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "device/choice/select_device.hpp"

namespace solenoid::test {

#if defined(SOLENOID_CUDA_STAND_IN)  // of a test that links solenoid_cuda_stand_in;
                                     // SOLENOID_CUDA_LIBRARY=libcuda.so.1 takes a GPU instead
inline const int cuda_library_wished_for =
    setenv("SOLENOID_CUDA_LIBRARY", SOLENOID_CUDA_STAND_IN, 0);
#endif

inline const std::vector<std::string>& device_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> there;
        for (const DeviceFamily& family : device_families())
            if (family.is_there()) there.push_back(family.name);
        return there;
    }();
    return names;
}

// What a test on so many ranks goes through: on several not Mesa's software renderer, where every
// rank compiles every kernel. There its answers are compared on one rank, and whole runs
// (end_to_end_*) and tests of exchange (parallel) take it on several.
inline std::vector<std::string> devices_on(int ranks) {
    setenv("SOLENOID_GL_SOFTWARE", "1", 0);
    const bool is_software = std::string(std::getenv("SOLENOID_GL_SOFTWARE")) != "0";
    std::vector<std::string> names;
    for (const std::string& name : device_names())
        if (ranks == 1 || !is_software || (name != "compute" && name != "fragment"))
            names.push_back(name);
    return names;
}

// Of several ranks each its own, where there are as many.
inline std::unique_ptr<Device> make_device(const std::string& name) {
    setenv("SOLENOID_GL_SOFTWARE", "1", 0);
    const char* const local_rank = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    return select_device(name, local_rank ? std::atoi(local_rank) : 0, true).device;
}

}  // namespace solenoid::test

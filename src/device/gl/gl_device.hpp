// The OpenGL devices, and the choice of a device by name.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "device/gl/context.hpp"

namespace solenoid {

// A GPU has some hundred thousand invocations in flight; with far fewer it waits for memory most of the time.
inline constexpr Index gpu_parallel_rows = 65536;

// Storage buffers and compute shaders; OpenGL 4.3. Throws InputError where the context has none.
std::unique_ptr<Device> make_compute_device(std::shared_ptr<gl::Context> context);
// Textures and fragment shaders; OpenGL 4.5, or 4.0 with extensions. Throws InputError where they lack.
std::unique_ptr<Device> make_fragment_device(std::shared_ptr<gl::Context> context);

struct DeviceChoice {
    std::unique_ptr<Device> device;
    std::string reason;  // which device and why, one line
};

// name: auto, cpu, compute or fragment. auto takes a hardware GPU (compute, else fragment), otherwise the
// CPU. What was asked for and is not there is an InputError with the remedy. SOLENOID_GL_SOFTWARE=1: compute
// and fragment run on Mesa's software renderer, and auto takes the CPU.
DeviceChoice select_device(const std::string& name, int local_rank, bool double_precision);

}  // namespace solenoid

// The OpenGL devices.
#pragma once

#include <memory>
#include <string>

#include "device/device_family.hpp"
#include "device/gl/context.hpp"

namespace solenoid {

// A GPU has some hundred thousand invocations in flight; with far fewer it waits for memory most of
// the time.
inline constexpr Index gpu_parallel_rows = 65536;

// Storage buffers and compute shaders; OpenGL 4.3. Throws InputError where the context has none.
std::unique_ptr<Device> make_compute_device(std::shared_ptr<gl::Context> context);
// Textures and fragment shaders; OpenGL 4.5, or 4.0 with extensions. Throws InputError where they
// lack. least_side: R_min of its layouts, 0: its own.
std::unique_ptr<Device> make_fragment_device(std::shared_ptr<gl::Context> context,
                                             Index least_side = 0);

namespace gl {

// The families `compute` and `fragment` (device/choice). SOLENOID_GL_SOFTWARE=1: both run on Mesa's
// software renderer, and `auto` takes neither.
DeviceChoice choose_compute(const DeviceRequest& request);
DeviceChoice choose_fragment(const DeviceRequest& request);
// A hardware GPU by compute, else by fragment shaders.
DeviceChoice choose_automatically(const DeviceRequest& request);
std::vector<std::string> describe_devices();

}  // namespace gl

}  // namespace solenoid

// The PTX of an expression's kernel, made at run time. docs/devices.md, "CUDA".
#pragma once

#include <string>

#include "device/kernel.hpp"

namespace solenoid::cuda {

inline constexpr const char* expression_entry = "expression";

// A module with the one entry, which takes Arguments (device/cuda/arguments.hpp) and, where it
// reduces, strides over its range. keeps_each: it keeps what each entity gives to the reductions
// instead (Reducing::each).
std::string expression_ptx(const KernelInfo& kernel, ElementType real, int dimension,
                           bool keeps_each = false);

}  // namespace solenoid::cuda

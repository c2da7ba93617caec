// A kernel file's text for the CUDA device: C++ that clang makes PTX of.
#pragma once

#include "kernel_language.hpp"

namespace solenoid::kernel_language {

// The kernels of one file. Entries are named NAME_float_2, NAME_double_3, ..., with 3 alone where
// the dimension does not matter.
std::string cuda_source(const std::vector<Kernel>& kernels);

}  // namespace solenoid::kernel_language

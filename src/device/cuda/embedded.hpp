// The PTX that travels in the program, beside the kernels' own (KernelInfo::ptx); "" where the
// build had no clang.
#pragma once

namespace solenoid::cuda {

extern const char moves_ptx[], peers_ptx[], sums_ptx[], binned_ptx[], expression_functions_ptx[],
    expression_reductions_ptx[];

}  // namespace solenoid::cuda

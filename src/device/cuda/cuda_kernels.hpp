// The driver's functions of kernels, found or made when they are first launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "device/cuda/session.hpp"
#include "device/kernel.hpp"

namespace solenoid::cuda {

class KernelFunctions {
  public:
    explicit KernelFunctions(Session& session) : session_(session) {}
    // keeps_each: of those with reductions, what keeps what each entity gives.
    FunctionHandle of(const Launch& launch, bool keeps_each = false);
    // what is no kernel: moves, messages between GPUs
    FunctionHandle of_text(const char* ptx, const std::string& name);

  private:
    FunctionHandle make(const Launch& launch, bool keeps_each);

    Session& session_;
    std::map<std::tuple<const KernelInfo*, ElementType, int, bool>, FunctionHandle> functions_;
    std::map<std::string, FunctionHandle> others_;
};

// "cg_step_double_3": the entry of a kernel's variant in its PTX; "cg_step_double_3_each".
std::string entry_name(const KernelInfo& kernel, ElementType real, int dimension,
                       bool keeps_each = false);

// Of a kernel file's PTX what one entry needs, for the driver to compile no more; all of it where
// entries share functions.
std::string entry_text(const std::string& module, const std::string& name);

}  // namespace solenoid::cuda

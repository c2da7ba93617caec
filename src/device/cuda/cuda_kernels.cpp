#include "device/cuda/cuda_kernels.hpp"

#include "core/error.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/expression_ptx.hpp"

namespace solenoid::cuda {
namespace {

// Texts live as long as the program, as modules are known by them.
const std::string& kept(const std::string& text) {
    static std::map<std::string, std::unique_ptr<const std::string>> texts;
    auto& found = texts[text];
    if (!found) found = std::make_unique<const std::string>(text);
    return *found;
}

}  // namespace

std::string entry_name(const KernelInfo& kernel, ElementType real, int dimension) {
    return std::string(kernel.name) + (real == ElementType::float64 ? "_double_" : "_float_") + (dimension == 2 ? "2" : "3");
}

FunctionHandle KernelFunctions::make(const Launch& launch) {
    if (launch.kernel->is_expression) return session_.function(kept(expression_ptx(*launch.kernel, launch.real, launch.dimension)).c_str(), expression_entry);
    return session_.function(launch.kernel->ptx, entry_name(*launch.kernel, launch.real, launch.dimension));
}

FunctionHandle KernelFunctions::of(const Launch& launch) {
    FunctionHandle& function = functions_[{launch.kernel, launch.real, launch.dimension}];
    if (!function) function = make(launch);
    return function;
}

FunctionHandle KernelFunctions::mover(const std::string& name) {
    FunctionHandle& function = movers_[name];
    if (!function) function = session_.function(moves_ptx, name);
    return function;
}

}  // namespace solenoid::cuda

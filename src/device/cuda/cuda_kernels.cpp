#include "device/cuda/cuda_kernels.hpp"

#include "core/error.hpp"
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

std::string entry_name(const KernelInfo& kernel, ElementType real, int dimension, bool keeps_each) {
    return std::string(kernel.name) + (real == ElementType::float64 ? "_double_" : "_float_") +
           (dimension == 2 ? "2" : "3") + (keeps_each ? "_each" : "");
}

std::string entry_text(const std::string& module, const std::string& name) {
    const std::string word = ".visible .entry ";
    const std::size_t head = module.find(word), entry = module.find(word + name + "("),
                      end = module.find("\n}\n", entry);
    if (entry == std::string::npos || end == std::string::npos ||
        module.find(".func") != std::string::npos)
        return module;
    return module.substr(0, head) + module.substr(entry, end + 3 - entry);
}

FunctionHandle KernelFunctions::make(const Launch& launch, bool keeps_each) {
    if (launch.kernel->is_expression)
        return session_.function(
            kept(expression_ptx(*launch.kernel, launch.real, launch.dimension, keeps_each)).c_str(),
            expression_entry);
    const std::string name = entry_name(*launch.kernel, launch.real, launch.dimension, keeps_each);
    return session_.function(kept(entry_text(launch.kernel->ptx, name)).c_str(), name);
}

FunctionHandle KernelFunctions::of(const Launch& launch, bool keeps_each) {
    FunctionHandle& function =
        functions_[{launch.kernel, launch.real, launch.dimension, keeps_each}];
    if (!function) function = make(launch, keeps_each);
    return function;
}

FunctionHandle KernelFunctions::of_text(const char* ptx, const std::string& name) {
    FunctionHandle& function = others_[name];
    if (!function) function = session_.function(ptx, name);
    return function;
}

}  // namespace solenoid::cuda

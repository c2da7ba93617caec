#include "device/cuda/ptx_code.hpp"

namespace solenoid::cuda {
namespace {

constexpr const char* prefixes[] = {"%f", "%d", "%r", "%l", "%p"};
constexpr const char* types[] = {".f32", ".f64", ".b32", ".b64", ".pred"};

}  // namespace

std::string PtxCode::fresh(Register kind) {
    const int n = static_cast<int>(kind);
    return prefixes[n] + std::to_string(count_[n]++);
}

std::string PtxCode::value(Register kind, const std::string& operation,
                           const std::string& operands) {
    const std::string name = fresh(kind);
    line(operation + " " + name + ", " + operands);
    return name;
}

std::string PtxCode::constant(Register kind, const std::string& operation,
                              const std::string& operands) {
    const std::string name = fresh(kind);
    setup(operation + " " + name + ", " + operands);
    return name;
}

std::string PtxCode::declarations() const {
    std::string text;
    for (std::size_t n = 0; n < count_.size(); ++n)
        if (count_[n])
            text += std::string("    .reg ") + types[n] + " " + prefixes[n] + "<" +
                    std::to_string(count_[n]) + ">;\n";
    return text;
}

}  // namespace solenoid::cuda

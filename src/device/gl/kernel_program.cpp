#include "device/gl/kernel_program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace solenoid::gl {

KernelProgram::KernelProgram(Program program, const KernelInfo& kernel, const char* shape)
    : program_(std::move(program)),
      range_(program_.location("launch_range")),
      shape_(program_.location(shape)),
      rectangle_(program_.location("rectangle")),
      layers_(program_.location("first_layer")),
      lane_bits_(program_.location("lane_bits")) {
    for (std::size_t n = 0; n < kernel.uniforms.size(); ++n)
        uniforms_[n] = program_.location(std::string(kernel.uniforms[n].name).c_str());
}

void KernelProgram::set_range(Range range) const {
    glProgramUniform2ui(program_.id(), range_, range.begin, range.end);
}

void KernelProgram::set_lane_bits(int bits) {
    if (bits == last_lane_bits_) return;
    glProgramUniform1ui(program_.id(), lane_bits_, static_cast<GLuint>(bits));
    last_lane_bits_ = bits;
}

void KernelProgram::set_uniforms(const Launch& launch) const {
    for (std::size_t n = 0; n < launch.kernel->uniforms.size(); ++n) {
        const double value = launch.uniforms[n];
        if (launch.kernel->uniforms[n].type == ValueType::uint)
            glProgramUniform1ui(program_.id(), uniforms_[n], static_cast<GLuint>(value));
        else if (launch.real == ElementType::float64)
            glProgramUniform1d(program_.id(), uniforms_[n], value);
        else
            glProgramUniform1f(program_.id(), uniforms_[n], static_cast<float>(value));
    }
}

void KernelProgram::set_shape(const std::array<GLuint, max_buffers>& shape) {
    if (shape == last_shape_) return;
    glProgramUniform1uiv(program_.id(), shape_, max_buffers, shape.data());
    last_shape_ = shape;
}

void KernelProgram::set_layers(const std::array<int, max_buffers>& first_column) {
    if (first_column == last_layers_) return;
    std::array<GLuint, max_buffers> layers{};
    std::copy(first_column.begin(), first_column.end(), layers.begin());
    glProgramUniform1uiv(program_.id(), layers_, max_buffers, layers.data());
    last_layers_ = first_column;
}

void KernelProgram::set_rectangle(Index width, Index height) const {
    glProgramUniform2ui(program_.id(), rectangle_, width, height);
}

KernelProgram& KernelPrograms::of(const Launch& launch, bool shares_rows, bool keeps_each) {
    const auto key =
        std::make_tuple(launch.kernel, launch.real, launch.dimension, shares_rows, keeps_each);
    auto found = programs_.find(key);
    if (found == programs_.end()) {
        const KernelVariant variant{launch.real == ElementType::float64,
                                    device_.has_fp64,
                                    launch.dimension,
                                    device_.is_software,
                                    shares_rows,
                                    keeps_each};
        found = programs_.emplace(key, compile_(*launch.kernel, variant)).first;
    }
    return found->second;
}

double value_of(Words words, bool has_fp64) {
    if (has_fp64) return std::bit_cast<double>(words);
    return double(std::bit_cast<float>(words[0])) + double(std::bit_cast<float>(words[1]));
}

double identity_of(Reduction reduction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return reduction == Reduction::sum ? 0 : reduction == Reduction::min ? infinity : -infinity;
}

double combine(Reduction reduction, double a, double b) {
    if (reduction == Reduction::sum) return a + b;
    if (std::isnan(b)) return b;
    return (reduction == Reduction::min ? b < a : b > a) ? b : a;
}

}  // namespace solenoid::gl

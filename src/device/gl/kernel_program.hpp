// Compiled kernels, one program a (kernel, real, dimension), with the places of their uniforms.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <tuple>

#include "device/gl/composition.hpp"
#include "device/gl/context.hpp"
#include "device/gl/program.hpp"

namespace solenoid::gl {

// What both OpenGL devices set before a launch.
class KernelProgram {
  public:
    // shape: name of the uniform array of one number a buffer, the column's pitch or the texture's
    // width.
    KernelProgram(Program program, const KernelInfo& kernel, const char* shape);

    const Program& program() const { return program_; }
    void set_range(Range range) const;
    void set_lane_bits(int bits);  // of a compute shader that adds up rows
    void set_uniforms(const Launch& launch) const;
    void set_shape(const std::array<GLuint, max_buffers>& shape);
    void set_layers(const std::array<int, max_buffers>& first_column);  // of a fragment shader
    void set_rectangle(Index width, Index height) const;  // of a fragment shader's output

  private:
    Program program_;
    GLint range_, shape_, rectangle_, layers_, lane_bits_;
    int last_lane_bits_ = 0;
    std::array<GLint, max_uniforms> uniforms_{};
    std::array<GLuint, max_buffers> last_shape_{};
    std::array<int, max_buffers> last_layers_{};
};

class KernelPrograms {
  public:
    using Compile = std::function<KernelProgram(const KernelInfo&, const KernelVariant&)>;
    KernelPrograms(Compile compile, const DeviceDescription& device)
        : compile_(std::move(compile)), device_(device) {}
    KernelProgram& of(const Launch& launch, bool shares_rows = false, bool keeps_each = false);

  private:
    Compile compile_;
    const DeviceDescription& device_;
    std::map<std::tuple<const KernelInfo*, ElementType, int, bool, bool>, KernelProgram> programs_;
};

// ---- what reductions bring back: two words a value

using Words = std::array<std::uint32_t, 2>;
double value_of(Words words, bool has_fp64);
double identity_of(Reduction reduction);
double combine(Reduction reduction, double a, double b);

}  // namespace solenoid::gl

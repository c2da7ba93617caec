// A compiled and linked program, with compile errors that name the kernel file's own line.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "device/gl/object.hpp"

namespace solenoid::gl {

class Program {
  public:
    Program() = default;
    GLuint id() const { return object_.id(); }
    GLint location(const char* uniform) const { return glGetUniformLocation(id(), uniform); }

    // `name`: the kernel or the built-in program, for messages. Throws ComputationError.
    static Program compute(std::string_view name, const std::string& text);
    static Program draw(std::string_view name, const std::string& vertex,
                        const std::string& fragment);

  private:
    ProgramObject object_;
};

// Lines from here on are generated text, those before the kernel's: Mesa drops the source number of
// #line.
inline constexpr int generated_lines = 10000;

// "0:12(5): error: x" (Mesa), "0(12) : error C1: x" (NVIDIA) become "shaders/NAME.glsl:12:
// error..."; generated lines become "NAME (generated):12: ...".
std::string translate_log(std::string_view name, const std::string& log);

}  // namespace solenoid::gl

#include "device/gl/program.hpp"

#include <regex>
#include <sstream>
#include <vector>

#include "core/error.hpp"

namespace solenoid::gl {
namespace {

std::string log_of(GLuint id, PFNGLGETSHADERIVPROC get, PFNGLGETSHADERINFOLOGPROC get_log) {
    GLint length = 0;
    get(id, GL_INFO_LOG_LENGTH, &length);
    std::vector<char> text(static_cast<std::size_t>(length) + 1, '\0');
    get_log(id, length, nullptr, text.data());
    return text.data();
}

ShaderObject compile(std::string_view name, GLenum stage, const std::string& text) {
    ShaderObject shader(glCreateShader(stage));
    const char* source = text.c_str();
    glShaderSource(shader.id(), 1, &source, nullptr);
    glCompileShader(shader.id());
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
    if (!compiled)
        throw ComputationError(
            translate_log(name, log_of(shader.id(), glGetShaderiv, glGetShaderInfoLog)));
    return shader;
}

ProgramObject link(std::string_view name, const std::vector<const ShaderObject*>& shaders) {
    ProgramObject program(glCreateProgram());
    for (const ShaderObject* shader : shaders) glAttachShader(program.id(), shader->id());
    glLinkProgram(program.id());
    for (const ShaderObject* shader : shaders) glDetachShader(program.id(), shader->id());
    GLint linked = GL_FALSE;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &linked);
    if (!linked)
        throw ComputationError(
            "kernel " + std::string(name) + " does not link: " +
            translate_log(name, log_of(program.id(), glGetProgramiv, glGetProgramInfoLog)));
    return program;
}

}  // namespace

Program Program::compute(std::string_view name, const std::string& text) {
    Program program;
    const ShaderObject shader = compile(name, GL_COMPUTE_SHADER, text);
    program.object_ = link(name, {&shader});
    return program;
}

Program Program::draw(std::string_view name, const std::string& vertex,
                      const std::string& fragment) {
    Program program;
    const ShaderObject first = compile(name, GL_VERTEX_SHADER, vertex);
    const ShaderObject second = compile(name, GL_FRAGMENT_SHADER, fragment);
    program.object_ = link(name, {&first, &second});
    return program;
}

std::string translate_log(std::string_view name, const std::string& log) {
    // Source, line and column; "ERROR: 0:12: " is a third form.
    static const std::regex place(R"(^(?:ERROR: )?\d+(?::(\d+)(?:\(\d+\))?:|\((\d+)\) ?:)\s*)");
    std::istringstream lines(log);
    std::string result, line;
    while (std::getline(lines, line)) {
        std::smatch match;
        if (line.find_first_not_of(" \r\t") == std::string::npos || line.front() == '\0') continue;
        if (std::regex_search(line, match, place)) {
            const int number = std::stoi(match[1].matched ? match[1] : match[2]);
            const bool is_kernel = number < generated_lines;
            line = (is_kernel ? "shaders/" + std::string(name) + ".glsl:"
                              : std::string(name) + " (generated):") +
                   std::to_string(number % generated_lines) + ": " + match.suffix().str();
        }
        result += (result.empty() ? "" : "\n") + line;
    }
    return result;
}

}  // namespace solenoid::gl

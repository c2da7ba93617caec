// Lines of PTX with their registers: one kind a class of values, each register assigned where it is
// made.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace solenoid::cuda {

enum class Register { single, number, word, address, truth };  // f32, f64, u32, u64, a predicate

// The address of a member of the entry's one parameter.
inline std::string parameter(std::size_t offset) {
    return "[arguments+" + std::to_string(offset) + "]";
}

class PtxCode {
  public:
    std::string fresh(Register kind);
    void setup(const std::string& line) { setup_ += "    " + line + ";\n"; }  // before the entities
    void line(const std::string& line) { body_ += "    " + line + ";\n"; }    // of each entity
    void lines(const std::string& text) { body_ += text; }
    // The line's first operand, a new register: "add.rn.f64" and "%d1, %d2".
    std::string value(Register kind, const std::string& operation, const std::string& operands);
    // in the setup
    std::string constant(Register kind, const std::string& operation, const std::string& operands);

    std::string declarations() const;
    const std::string& setup_lines() const { return setup_; }
    const std::string& body_lines() const { return body_; }

  private:
    std::string setup_, body_;
    std::array<int, 5> count_{};
};

}  // namespace solenoid::cuda

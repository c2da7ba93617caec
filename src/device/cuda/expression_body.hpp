// The text of an expression's kernel (device/expression/expression_program.cpp) read, and made into
// PTX statement by statement.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/cuda/ptx_code.hpp"
#include "device/kernel.hpp"

namespace solenoid::cuda {

class ExpressionBody {
  public:
    // entity: the register of its number.
    ExpressionBody(const KernelInfo& kernel, ElementType real, int dimension,
                   const std::string& entity, PtxCode& code);

    // Emits all of it. Throws std::logic_error at what is not of the language of expressions.
    void emit();
    // to the reductions, f64
    const std::vector<std::string>& contributions() const { return contributions_; }
    bool calls_functions() const { return calls_functions_; }

  private:
    void statement();
    void store(const std::vector<std::string>& values);
    std::string expression();
    std::string parenthesised();
    std::string operation(char sign, const std::string& a, const std::string& b);
    std::string named(const std::string& name);
    std::string call(const std::string& function, const std::vector<std::string>& a);
    std::string extreme(const std::string& a, const std::string& b, bool is_least);
    std::string load(const std::string& argument, int component);
    std::string address(std::size_t argument, int component, std::size_t bytes);
    std::string accumulated(const std::string& value);

    // Of the real type: "add.rn" with its suffix; the register kind; a conversion to and from it.
    std::string real(const char* operation) const {
        return std::string(operation) + (is_double_ ? ".f64" : ".f32");
    }
    std::string arithmetic(const char* operation, const std::string& a, const std::string& b);
    std::string compared(const char* relation, const std::string& a, const std::string& b);
    std::string selected(const std::string& condition, const std::string& a, const std::string& b);

    void skip();
    bool take(std::string_view token);
    void expect(std::string_view token);
    std::string word();
    std::vector<std::string> list();  // of expressions, behind "(" to ")"
    [[noreturn]] void fail() const;

    const KernelInfo& kernel_;
    const bool is_double_;
    const Register kind_;
    const int dimension_;
    const std::string entity_;
    PtxCode& code_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::map<std::string, std::string> values_;  // registers by name; of vectors "v0[1]"
    std::map<std::string, std::string> addresses_;
    std::vector<std::string> contributions_;
    bool calls_functions_ = false;
};

}  // namespace solenoid::cuda

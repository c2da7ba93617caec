// From an expression's tokens and shape the kernel that devices launch.
#pragma once

#include <array>
#include <span>
#include <string>

#include "device/expression/expression_node.hpp"

namespace solenoid::expression {

// What of an expression's type its kernels need: the value assigned, or reductions.
struct ExpressionProgram {
    std::span<const Token> tokens;  // of the value, or of each reduction
    int buffers, numbers;
    ElementType real;                       // of the arithmetic
    ElementType written;                    // of what is assigned
    std::span<const Reduction> reductions;  // empty: an assignment
    std::array<CpuFunction, 3> loops;       // by the number of components, from 1 on
    std::array<CpuFunction, 3> binned{};    // of reductions, with sums in no order

    bool is_assignment() const { return reductions.empty(); }
    std::string formula() const;  // for messages and timings, on one line
};

// The tokens of expressions A... one after another.
template <class... A>
struct Tokens {
    static constexpr int capacity = (A::tokens + ... + 0);
    struct List {
        std::array<Token, capacity> tokens{};
        int count = 0;
    };
    static constexpr List made() {
        List list;
        Token* to = list.tokens.data();
        (A::describe(to), ...);
        list.count = int(to - list.tokens.data());
        return list;
    }
    static constexpr List list = made();
    static constexpr std::span<const Token> all() {
        return {list.tokens.data(), std::size_t(list.count)};
    }
};

// Kernels of one type of expression, one a shape; they live as long as the program, as the devices'
// caches need them to.
class Kernels {
  public:
    constexpr explicit Kernels(const ExpressionProgram& program) : program_(program) {}
    const ExpressionProgram& program() const { return program_; }
    const KernelInfo& of(const Shape& shape);

  private:
    struct Kernel;
    const ExpressionProgram program_;
    const Kernel* last_ = nullptr;  // made, of a list
};

struct Output {
    Storage* storage;
    int first_column, columns;
};
// The launch over these operands; output: nullptr for a reduction; is_vector: the value is. Throws
// std::logic_error, which names the formula, where a buffer is shorter than the range or columns do
// not agree: vectors have 2 or 3, all of an expression as many.
Launch bound(Kernels& kernels, const Operands& operands, bool is_vector, const Output* output,
             Range range);

}  // namespace solenoid::expression

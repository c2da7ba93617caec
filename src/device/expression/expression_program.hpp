// From an expression's type and shape the kernel that devices launch.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/expression/expression_node.hpp"

namespace solenoid::expression {

struct ExpressionProgram {
    std::string formula;    // for messages and timings
    std::string body = {};  // reads v0, v1, ... and s0, s1, ...
    // of the buffers: real, or single among reals in double
    std::array<ValueType, max_buffers> types{};
    int buffers = 0, numbers = 0;
    bool is_assignment = false;
    ValueType output = ValueType::real;  // of an assignment
    std::vector<Reduction> reductions = {};
    CpuFunction cpu = nullptr, binned = nullptr;
};

// Kernels of one type of expression, one a shape; they live as long as the program, as the devices'
// caches need them to.
class Kernels {
  public:
    Kernels();
    ~Kernels();
    // make: the ExpressionProgram of a shape that is new.
    template <class Make>
    const KernelInfo& of(const Shape& shape, const Make& make) {
        const KernelInfo* found = find(shape);
        return found ? *found : add(shape, make());
    }

  private:
    struct Kernel;
    const KernelInfo* find(const Shape& shape) const;
    const KernelInfo& add(const Shape& shape, const ExpressionProgram& program);
    std::vector<std::unique_ptr<Kernel>> kernels_;
};

// How the operands are read; output: nullptr for a reduction. Throws std::logic_error, which names
// the formula, where a buffer is shorter than the range or columns do not agree: vectors have 2 or
// 3, all of an expression as many.
struct Output {
    Storage* storage;
    int first_column, columns;
};
Shape shape_of(const Operands& operands, bool is_vector, const Output* output, Range range,
               std::string (*formula)());

Launch bound(const KernelInfo& kernel, const Shape& shape, ElementType real,
             const Operands& operands, const Output* output);

}  // namespace solenoid::expression

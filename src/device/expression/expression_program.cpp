#include "device/expression/expression_program.hpp"

#include <stdexcept>

namespace solenoid::expression {
namespace {

constexpr std::string_view buffer_names[] = {"x0", "x1", "x2", "x3", "x4",  "x5",
                                             "x6", "x7", "x8", "x9", "x10", "x11"};
constexpr std::string_view number_names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
constexpr std::string_view reduction_names[] = {"r0", "r1", "r2", "r3"};
static_assert(std::size(buffer_names) == max_buffers && std::size(number_names) == max_uniforms &&
              std::size(reduction_names) == max_reductions);

// A body as a name: its statements on one line.
std::string on_one_line(std::string text) {
    for (const std::string_view part : {"    ", "precise real "})
        for (std::size_t at; (at = text.find(part)) != std::string::npos;)
            text.erase(at, part.size());
    for (std::size_t at; (at = text.find(";\n")) != std::string::npos;)
        text.replace(at, 2, at + 2 < text.size() ? "; " : "");
    return text;
}

ValueType value_type(ValueType component, bool is_vector) {
    return is_vector ? ValueType::vec : component;
}

// The values of the entity's buffers, under the names that the formula has them by.
std::string loads(const Shape& shape, const ExpressionProgram& program) {
    std::string text;
    for (int n = 0; n < program.buffers; ++n) {
        const bool is_vector = shape.vectors >> n & 1u, is_output = shape.is_output >> n & 1u;
        const std::string from = std::string(is_output ? "y" : buffer_names[n]) + "(i)";
        text += std::string(is_vector ? "    vec v" : "    real v") + std::to_string(n) + " = " +
                (is_vector ? from : "real(" + from + ")") + ";\n";
    }
    return text;
}

}  // namespace

struct Kernels::Kernel {
    Kernel(const Shape& shape, const ExpressionProgram& program)
        : shape(shape),
          name(on_one_line(program.formula)),
          body(loads(shape, program) + program.body) {
        for (int n = 0; n < program.buffers; ++n)
            arguments.push_back({buffer_names[n], Access::in,
                                 value_type(program.types[n], shape.vectors >> n & 1u), "", "",
                                 false, (shape.is_output >> n & 1u) != 0});
        if (program.is_assignment)
            arguments.push_back({"y", shape.is_output ? Access::inout : Access::out,
                                 value_type(program.output, shape.has_vector_output), "", "",
                                 false});
        for (int n = 0; n < program.numbers; ++n)
            numbers.push_back({number_names[n], ValueType::real});
        for (std::size_t n = 0; n < program.reductions.size(); ++n)
            reductions.push_back({reduction_names[n], program.reductions[n]});
        const CpuFunction f = program.cpu, b = program.binned;
        info = {name,
                body,
                1,
                "i",
                false,
                arguments,
                numbers,
                reductions,
                shape.dimension > 1,
                {{f, f}, {f, f}},
                true,
                nullptr,
                false,
                {{b, b}, {b, b}}};
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    const Shape shape;
    const std::string name, body;
    std::vector<KernelArgument> arguments;
    std::vector<KernelUniform> numbers;
    std::vector<KernelReduction> reductions;
    KernelInfo info{};
};

Kernels::Kernels() = default;
Kernels::~Kernels() = default;

const KernelInfo* Kernels::find(const Shape& shape) const {
    for (const auto& kernel : kernels_)
        if (kernel->shape == shape) return &kernel->info;
    return nullptr;
}

const KernelInfo& Kernels::add(const Shape& shape, const ExpressionProgram& program) {
    return kernels_.emplace_back(std::make_unique<Kernel>(shape, program))->info;
}

Shape shape_of(const Operands& operands, bool is_vector, const Output* output, Range range,
               std::string (*formula)()) {
    const auto fail = [&](const std::string& what) {
        throw std::logic_error(on_one_line(formula()) + ": " + what);
    };
    Shape shape;
    const auto declare = [&](const std::string& name, const Storage& storage, int first_column,
                             int columns) {
        if (storage.size < range.end)
            fail(name + " has " + std::to_string(storage.size) + " entities, the range ends at " +
                 std::to_string(range.end));
        if (first_column < 0 || first_column + columns > storage.columns)
            fail(name + ": no column " + std::to_string(first_column) + " of " +
                 std::to_string(storage.columns));
        if (columns > 3)
            fail(name + " has " + std::to_string(columns) + " columns, vectors have 2 or 3");
        if (columns == 1) return;
        if (shape.dimension > 1 && columns != shape.dimension)
            fail(name + " has " + std::to_string(columns) + " columns, others have " +
                 std::to_string(shape.dimension));
        shape.dimension = columns;
    };
    for (int n = 0; n < operands.buffers; ++n) {
        const int first = operands.first_column[n], columns = operands.columns[n];
        declare('v' + std::to_string(n), *operands.storage[n], first, columns);
        if (columns > 1) shape.vectors |= 1u << n;
        if (!output || operands.storage[n] != output->storage) continue;
        if (first == output->first_column && columns == output->columns)
            shape.is_output |= 1u << n;
        else if (first < output->first_column + output->columns &&
                 output->first_column < first + columns)
            fail("reads other columns of what it writes");
    }
    if (!output) {
        if (is_vector) fail("a reduction takes one number an entity, such as dot(x, y) of vectors");
        return shape;
    }
    declare("y", *output->storage, output->first_column, output->columns);
    shape.has_vector_output = output->columns > 1;
    if (is_vector && !shape.has_vector_output) fail("a vector is no value of one column");
    return shape;
}

Launch bound(const KernelInfo& kernel, const Shape& shape, ElementType real,
             const Operands& operands, const Output* output) {
    Launch launch{&kernel, real, shape.dimension == 2 ? 2 : 3, {}, {}};
    for (int n = 0; n < operands.buffers; ++n) {
        launch.buffers[n] = operands.storage[n];
        launch.first_column[n] = operands.first_column[n];
        launch.ghosts[n] = operands.ghosts[n];
    }
    if (output) {
        launch.buffers[operands.buffers] = output->storage;
        launch.first_column[operands.buffers] = output->first_column;
    }
    for (int n = 0; n < operands.numbers; ++n) launch.uniforms[n] = operands.number[n];
    return launch;
}

}  // namespace solenoid::expression

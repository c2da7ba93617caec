#include "device/expression/expression_program.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

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

// ---- the text of an expression

// Reads tokens one after another; buffers and numbers are counted on the way.
struct Reader {
    const Shape& shape;
    const Token* at;
    int buffers = 0, numbers = 0;

    std::string component(int k);
    std::string accumulator(std::string& body, int& count);

  private:
    template <class Product>
    std::string sum_of_products(const Product& product);
};

// The text with the arguments in place of %0, %1, ...
std::string filled(std::string_view text, const std::array<std::string, 3>& arguments) {
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '%')
            all += arguments[text[++i] - '0'];
        else
            all += text[i];
    return all;
}

// Declares a number of a shader's body that is computed as written; returns its name.
std::string declared(std::string& body, int& count, const std::string& value) {
    const std::string name = 't' + std::to_string(count++);
    body += "    precise real " + name + " = " + value + ";\n";
    return name;
}

// The sum over the components, the first ones first; each reads the same tokens.
template <class Product>
std::string Reader::sum_of_products(const Product& product) {
    const Reader start = *this;
    std::string sum = product(0);
    for (int k = 1; k < shape.dimension; ++k) {
        at = start.at;
        buffers = start.buffers;
        numbers = start.numbers;
        sum = '(' + sum + " + " + product(k) + ')';
    }
    return sum;
}

// Component k of a value.
std::string Reader::component(int k) {
    const Token& token = *at++;
    switch (token.kind) {
        case Token::Kind::buffer:
            return shape.field(buffers++, k);
        case Token::Kind::number:
            return 's' + std::to_string(numbers++);
        case Token::Kind::apply: {
            std::array<std::string, 3> arguments;
            for (int n = 0; n < token.arguments; ++n) arguments[n] = component(k);
            return filled(token.text, arguments);
        }
        case Token::Kind::dot:
            return sum_of_products([&](int j) {
                const std::string a = component(j);
                return '(' + a + " * " + component(j) + ')';
            });
        case Token::Kind::square:
            return sum_of_products([&](int j) {
                const std::string x = component(j);
                return '(' + x + " * " + x + ')';
            });
        default:
            throw std::logic_error("an accumulator is no number");
    }
}

std::string Reader::accumulator(std::string& body, int& count) {
    const Token& token = *at++;
    switch (token.kind) {
        case Token::Kind::wide:
            return "wide(" + declared(body, count, component(0)) + ')';
        case Token::Kind::product: {
            const std::string a = declared(body, count, component(0));
            return "product(" + a + ", " + declared(body, count, component(0)) + ')';
        }
        case Token::Kind::add: {
            const std::string a = accumulator(body, count);
            return "add(" + a + ", " + accumulator(body, count) + ')';
        }
        case Token::Kind::extreme:
            return declared(body, count, component(0));
        default:
            throw std::logic_error("a number is no accumulator");
    }
}

std::string reductions_text(const ExpressionProgram& program, const Shape& shape) {
    std::string body;
    int count = 0;
    Reader reader{shape, program.tokens.data()};
    for (std::size_t n = 0; n < program.reductions.size(); ++n) {
        const std::string value = reader.accumulator(body, count);
        body += "    r" + std::to_string(n) + " = " + value + ";\n";
    }
    return body;
}

// The body of y = E.
std::string assignment_text(const ExpressionProgram& program, const Shape& shape) {
    std::string body, value;
    int count = 0;
    for (int k = 0; k < (shape.has_vector_output ? shape.dimension : 1); ++k)
        value += (k ? ", " : "") +
                 declared(body, count, Reader{shape, program.tokens.data()}.component(k));
    const bool is_single = program.written != program.real;
    const std::string type = shape.has_vector_output ? "vec" : is_single ? "single" : "";
    return body + "    y_new = " + type + '(' + value + ");\n";
}

// The types of the buffers, in order.
std::vector<ValueType> buffer_types(const ExpressionProgram& program) {
    std::vector<ValueType> types;
    for (const Token& token : program.tokens)
        if (token.kind == Token::Kind::buffer)
            types.push_back(token.type == program.real ? ValueType::real : ValueType::single);
    return types;
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

std::string body_of(const Shape& shape, const ExpressionProgram& program) {
    return loads(shape, program) + (program.is_assignment() ? assignment_text(program, shape)
                                                            : reductions_text(program, shape));
}

}  // namespace

std::string ExpressionProgram::formula() const {
    if (!is_assignment()) return on_one_line(reductions_text(*this, {}));
    const Shape shape;
    return "y = " + Reader{shape, tokens.data()}.component(0);
}

// ---- kernels

struct Kernels::Kernel {
    Kernel(const Shape& shape, const ExpressionProgram& program, const Kernel* before)
        : before(before), shape(shape), name(program.formula()), body(body_of(shape, program)) {
        const std::vector<ValueType> types = buffer_types(program);
        for (int n = 0; n < program.buffers; ++n)
            arguments.push_back({buffer_names[n], Access::in,
                                 value_type(types[n], shape.vectors >> n & 1u), "", "", false,
                                 (shape.is_output >> n & 1u) != 0});
        const ValueType written =
            program.written == program.real ? ValueType::real : ValueType::single;
        if (program.is_assignment())
            arguments.push_back({"y", shape.is_output ? Access::inout : Access::out,
                                 value_type(written, shape.has_vector_output), "", "", false});
        for (int n = 0; n < program.numbers; ++n)
            numbers.push_back({number_names[n], ValueType::real});
        for (std::size_t n = 0; n < program.reductions.size(); ++n)
            reductions.push_back({reduction_names[n], program.reductions[n]});
        const CpuFunction f = program.loops[shape.dimension - 1],
                          b = program.binned[shape.dimension - 1];
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

    const Kernel* const before;
    const Shape shape;
    const std::string name, body;
    std::vector<KernelArgument> arguments;
    std::vector<KernelUniform> numbers;
    std::vector<KernelReduction> reductions;
    KernelInfo info{};
};

const KernelInfo& Kernels::of(const Shape& shape) {
    for (const Kernel* kernel = last_; kernel; kernel = kernel->before)
        if (kernel->shape == shape) return kernel->info;
    last_ = new Kernel(shape, program_, last_);
    return last_->info;
}

// ---- a launch

namespace {

// How the operands are read.
Shape shape_of(const ExpressionProgram& program, const Operands& operands, bool is_vector,
               const Output* output, Range range) {
    const auto fail = [&](const std::string& what) {
        throw std::logic_error(program.formula() + ": " + what);
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

}  // namespace

Launch bound(Kernels& kernels, const Operands& operands, bool is_vector, const Output* output,
             Range range) {
    const ExpressionProgram& program = kernels.program();
    const Shape shape = shape_of(program, operands, is_vector, output, range);
    Launch launch{&kernels.of(shape), program.real, shape.dimension == 2 ? 2 : 3, {}, {}};
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

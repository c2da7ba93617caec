#include "device/cuda/expression_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <stdexcept>

#include "device/cuda/arguments.hpp"

namespace solenoid::cuda {

ExpressionBody::ExpressionBody(const KernelInfo& kernel, ElementType real, int dimension,
                               const std::string& entity, PtxCode& code)
    : kernel_(kernel),
      is_double_(real == ElementType::float64),
      kind_(is_double_ ? Register::number : Register::single),
      dimension_(dimension),
      entity_(entity),
      code_(code),
      text_(kernel.body),
      contributions_(kernel.reductions.size()) {
    for (std::size_t n = 0; n < kernel.uniforms.size(); ++n) {
        const std::string number = code.constant(Register::number, "ld.param.f64",
                                                 parameter(offsetof(Arguments, uniforms) + 8 * n));
        values_[std::string(kernel.uniforms[n].name)] =
            is_double_ ? number : code.constant(kind_, "cvt.rn.f32.f64", number);
    }
}

void ExpressionBody::emit() {
    for (skip(); at_ < text_.size(); skip()) statement();
}

// ---- statements

void ExpressionBody::statement() {
    std::string name = word();
    if (name == "precise") name = word();
    const bool is_vector = name == "vec";
    if (is_vector || name == "real") name = word();
    expect("=");
    if (is_vector) {
        const std::string argument = word();
        for (const char* token : {"(", "i", ")"}) expect(token);
        for (int k = 0; k < dimension_; ++k)
            values_[name + '[' + std::to_string(k) + ']'] = load(argument, k);
    } else if (name == "y_new") {
        if (!take("vec")) take("single");
        expect("(");
        store(list());
    } else {
        values_[name] = expression();
        for (std::size_t n = 0; n < kernel_.reductions.size(); ++n)
            if (name == kernel_.reductions[n].name) contributions_[n] = accumulated(values_[name]);
    }
    expect(";");
}

void ExpressionBody::store(const std::vector<std::string>& values) {
    const std::size_t n = kernel_.arguments.size() - 1;
    const bool is_rounded = is_double_ && kernel_.arguments[n].type == ValueType::single;
    const std::size_t bytes = is_double_ && !is_rounded ? 8 : 4;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::string value =
            is_rounded ? code_.value(Register::single, "cvt.rn.f32.f64", values[k]) : values[k];
        code_.line(std::string("st.global") + (bytes == 8 ? ".f64 [" : ".f32 [") +
                   address(n, int(k), bytes) + "], " + value);
    }
}

// As an accumulator: a double.
std::string ExpressionBody::accumulated(const std::string& value) {
    return value.starts_with("%f") ? code_.value(Register::number, "cvt.f64.f32", value) : value;
}

// ---- expressions

std::string ExpressionBody::expression() {
    if (take("(")) return parenthesised();
    return named(word());
}

// Behind "(": -a), a), a + b), a > b), condition ? a : b).
std::string ExpressionBody::parenthesised() {
    if (take("-")) {
        const std::string a = expression();
        expect(")");
        return code_.value(kind_, real("neg"), a);
    }
    std::string a = expression();
    skip();
    if (take(")")) return a;
    if (take("?")) {
        const std::string b = expression();
        expect(":");
        a = selected(a, b, expression());
    } else {
        if (at_ >= text_.size()) fail();
        const char sign = text_[at_++];
        a = operation(sign, a, expression());
    }
    expect(")");
    return a;
}

std::string ExpressionBody::operation(char sign, const std::string& a, const std::string& b) {
    switch (sign) {
        case '+':
            return arithmetic("add.rn", a, b);
        case '-':
            return arithmetic("sub.rn", a, b);
        case '*':
            return arithmetic("mul.rn", a, b);
        case '/':
            return arithmetic("div.rn", a, b);
        case '>':
            return compared("gt", a, b);
        default:
            fail();
    }
}

// A variable, a vector's component, what an argument has of the entity, or a function's value.
std::string ExpressionBody::named(const std::string& name) {
    if (take("[")) {
        const std::string component = name + '[' + word() + ']';
        expect("]");
        if (!values_.contains(component)) fail();
        return values_[component];
    }
    if (!take("(")) {
        if (!values_.contains(name)) fail();
        return values_[name];
    }
    if (name == "real") {
        const std::string value = expression();
        expect(")");
        return value;
    }
    if (take("i")) {
        expect(")");
        return load(name, 0);
    }
    return call(name, list());
}

std::string ExpressionBody::call(const std::string& function, const std::vector<std::string>& a) {
    if (a.size() == 1 && function == "wide") return accumulated(a[0]);
    if (a.size() == 1 && function == "abs")
        return selected(compared("lt", a[0], is_double_ ? "0d0000000000000000" : "0f00000000"),
                        code_.value(kind_, real("neg"), a[0]), a[0]);
    if (a.size() == 1 && function == "sqrt") return code_.value(kind_, real("sqrt.rn"), a[0]);
    if (a.size() == 2 && function == "product")
        return code_.value(Register::number, "mul.rn.f64",
                           accumulated(a[0]) + ", " + accumulated(a[1]));
    if (a.size() == 2 && function == "add")
        return code_.value(Register::number, "add.rn.f64", a[0] + ", " + a[1]);
    if (a.size() == 2 && (function == "min" || function == "max"))
        return extreme(a[0], a[1], function == "min");
    if (a.size() == 2 && function == "quotient") {
        const std::string zero = is_double_ ? "0d0000000000000000" : "0f00000000";
        return selected(compared("eq", a[1], zero), zero, arithmetic("div.rn", a[0], a[1]));
    }
    if (function != (a.size() == 1 ? "exp" : "pow") && function != "log") fail();
    calls_functions_ = true;
    const std::string type = is_double_ ? ".f64" : ".f32", bits = is_double_ ? ".b64" : ".b32",
                      result = code_.fresh(kind_);
    std::string text = "    {\n    .param " + bits + " value;\n", names;
    for (std::size_t n = 0; n < a.size(); ++n) {
        const std::string name = "argument_" + std::to_string(n);
        text += "    .param " + bits + " " + name + ";\n    st.param" + type + " [" + name + "], " +
                a[n] + ";\n";
        names += (n ? ", " : "") + name;
    }
    text += "    call.uni (value), " + function + (is_double_ ? "_double" : "_float") + ", (" +
            names + ");\n    ld.param" + type + " " + result + ", [value];\n    }\n";
    code_.lines(text);
    return result;
}

// min: b < a ? b : a; max: a < b ? b : a.
std::string ExpressionBody::extreme(const std::string& a, const std::string& b, bool is_least) {
    return selected(is_least ? compared("lt", b, a) : compared("lt", a, b), b, a);
}

std::string ExpressionBody::arithmetic(const char* operation, const std::string& a,
                                       const std::string& b) {
    return code_.value(kind_, real(operation), a + ", " + b);
}
std::string ExpressionBody::compared(const char* relation, const std::string& a,
                                     const std::string& b) {
    return code_.value(Register::truth, real((std::string("setp.") + relation).c_str()),
                       a + ", " + b);
}
std::string ExpressionBody::selected(const std::string& condition, const std::string& a,
                                     const std::string& b) {
    return code_.value(kind_, real("selp"), a + ", " + b + ", " + condition);
}

// ---- memory

std::string ExpressionBody::load(const std::string& argument, int component) {
    for (std::size_t n = 0; n < kernel_.arguments.size(); ++n) {
        const KernelArgument& a = kernel_.arguments[n];
        if (a.name != argument) continue;
        const bool is_single = !is_double_ || a.type == ValueType::single;
        const std::string from = fmt::format("[{}]", address(n, component, is_single ? 4 : 8));
        if (!is_single) return code_.value(kind_, "ld.global.f64", from);
        const std::string value = code_.value(Register::single, "ld.global.f32", from);
        return is_double_ ? code_.value(kind_, "cvt.f64.f32", value) : value;
    }
    fail();
}

std::string ExpressionBody::address(std::size_t argument, int component, std::size_t bytes) {
    const std::string size = std::to_string(bytes),
                      key = std::to_string(argument) + '.' + std::to_string(component);
    std::string& column = addresses_[key];
    if (column.empty()) {
        const std::string given = code_.constant(
            Register::address, "ld.param.u64", parameter(offsetof(Arguments, data) + 8 * argument));
        column = code_.constant(Register::address, "cvta.to.global.u64", given);
        if (component) {
            const std::string pitch =
                code_.constant(Register::address, "ld.param.u64",
                               parameter(offsetof(Arguments, pitch) + 8 * argument));
            column =
                code_.constant(Register::address, "mad.lo.u64",
                               pitch + ", " + std::to_string(bytes * component) + ", " + column);
        }
    }
    std::string& offset = addresses_[size];
    if (offset.empty())
        offset = code_.value(Register::address, "mul.wide.u32", entity_ + ", " + size);
    return code_.value(Register::address, "add.u64", column + ", " + offset);
}

// ---- words

void ExpressionBody::skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
}

// Whole words alone where it is one.
bool ExpressionBody::take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    const std::size_t end = at_ + token.size();
    const auto is_of_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    if (is_of_word(token.back()) && end < text_.size() && is_of_word(text_[end])) return false;
    at_ = end;
    return true;
}
void ExpressionBody::expect(std::string_view token) {
    if (!take(token)) fail();
}
std::string ExpressionBody::word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
        ++at_;
    if (at_ == begin) fail();
    return std::string(text_.substr(begin, at_ - begin));
}
std::vector<std::string> ExpressionBody::list() {
    std::vector<std::string> values{expression()};
    while (take(",")) values.push_back(expression());
    expect(")");
    return values;
}
void ExpressionBody::fail() const {
    throw std::logic_error(
        "no expression that the CUDA device knows: " + std::string(kernel_.name) + ", at '" +
        std::string(text_.substr(std::min(at_, text_.size()), 20)) + "'");
}

}  // namespace solenoid::cuda

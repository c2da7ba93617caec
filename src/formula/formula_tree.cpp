#include "formula/formula_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>

#include "formula/functions.hpp"

namespace solenoid {
namespace {

constexpr std::array<std::string_view, 4> variables{"x", "y", "z", "t"};

struct Constant {
    std::string_view name;
    double value;
};
constexpr std::array<Constant, 4> constants{{{"pi", std::numbers::pi},
                                             {"e", std::numbers::e},
                                             {"_pi", std::numbers::pi},
                                             {"_e", std::numbers::e}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

// Operators wait on a stack until one of no higher precedence follows (Dijkstra 1961).
class FormulaReader {
  public:
    explicit FormulaReader(std::string_view text) : text_(text) {}

    std::optional<FormulaTree> read() {
        while (skip_spaces(), at_ < text_.size())
            if (!(wants_operand_ ? read_operand() : read_after_operand())) return {};
        if (wants_operand_ || !apply_all() || !waiting_.empty() || operands_ != 1) return {};
        return std::move(tree_);
    }

  private:
    enum class Kind { operation, sign, bracket, call, condition, alternative };
    struct Waiting {
        Kind kind;
        const FormulaFunction* function = nullptr;
        int arguments = 0;         // of a call
        std::size_t operands = 0;  // before a bracket
    };

    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    bool takes(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    bool read_operand() {
        const char c = text_[at_];
        if (takes("(")) {
            waiting_.push_back({Kind::bracket, nullptr, 1, operands_});
            return true;
        }
        if (const FormulaFunction* sign = formula_sign(text_.substr(at_, 1))) {
            if (!waiting_.empty() && waiting_.back().kind == Kind::sign) return false;
            ++at_;
            waiting_.push_back({Kind::sign, sign});
            return true;
        }
        if (is_digit(c) || c == '.') return read_number();
        return starts_name(c) && read_name();
    }

    bool read_number() {
        std::size_t end = at_, digits = 0;
        const auto pass_digits = [&] {
            for (; end < text_.size() && is_digit(text_[end]); ++end) ++digits;
        };
        pass_digits();
        if (end < text_.size() && text_[end] == '.') ++end, pass_digits();
        if (digits == 0) return false;
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            ++end;
            if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
            digits = 0;
            pass_digits();
            if (digits == 0) return false;
        }
        double number = 0;
        const auto [rest, error] = std::from_chars(text_.data() + at_, text_.data() + end, number);
        if (error != std::errc() || rest != text_.data() + end) return false;
        at_ = end;
        return append({.number = number});
    }

    bool read_name() {
        std::size_t end = at_;
        while (end < text_.size() && (starts_name(text_[end]) || is_digit(text_[end]))) ++end;
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        for (const Constant& one : constants)
            if (one.name == name) return append({.number = one.value});
        for (std::size_t v = 0; v < variables.size(); ++v)
            if (variables[v] == name) return append({.variable = static_cast<int>(v)});
        const FormulaFunction* function = formula_function(name);
        skip_spaces();
        if (!function || !takes("(")) return false;
        waiting_.push_back({Kind::call, function, 1, operands_});
        return true;
    }

    bool append(const FormulaTree::Step& number_or_variable) {
        tree_.add(number_or_variable);
        ++operands_;
        wants_operand_ = false;
        return true;
    }

    bool read_after_operand() {
        if (takes(")")) return close();
        if (takes(",")) {
            if (!apply_all() || waiting_.empty() || waiting_.back().kind != Kind::call)
                return false;
            ++waiting_.back().arguments;
            return wants_operand_ = true;
        }
        if (takes("?")) {
            if (!apply(0)) return false;
            waiting_.push_back({Kind::condition});
            return wants_operand_ = true;
        }
        if (takes(":")) {
            if (!apply_all() || waiting_.empty() || waiting_.back().kind != Kind::condition)
                return false;
            waiting_.back().kind = Kind::alternative;
            return wants_operand_ = true;
        }
        const FormulaFunction* operation = formula_operator(text_.substr(at_, 2));
        if (!operation) operation = formula_operator(text_.substr(at_, 1));
        if (!operation || !apply(operation->precedence, operation)) return false;
        at_ += operation->name.size();
        waiting_.push_back({Kind::operation, operation});
        return wants_operand_ = true;
    }

    bool close() {
        if (!apply_all() || waiting_.empty()) return false;
        const Waiting open = waiting_.back();
        if (open.kind == Kind::condition) return false;
        waiting_.pop_back();
        if (operands_ != open.operands + open.arguments) return false;
        if (open.kind == Kind::bracket) return open.arguments == 1;
        const int expected = open.function->arguments;
        return (expected < 0 || expected == open.arguments) && call(open.function, open.arguments);
    }

    bool call(const FormulaFunction* function, int arguments) {
        if (operands_ < static_cast<std::size_t>(arguments)) return false;
        tree_.add({.function = function, .arguments = arguments});
        operands_ -= arguments - 1;
        return true;
    }

    // Applies what waits back to a bracket or a condition.
    bool apply_all() {
        while (!waiting_.empty()) {
            const Waiting last = waiting_.back();
            if (last.kind == Kind::bracket || last.kind == Kind::call ||
                last.kind == Kind::condition)
                return true;
            waiting_.pop_back();
            if (last.kind == Kind::alternative ? !call(&formula_choice(), 3)
                                               : !call(last.function, last.function->arguments))
                return false;
        }
        return true;
    }

    // Applies the operators that wait and are computed before a next one.
    bool apply(int precedence, const FormulaFunction* next = nullptr) {
        while (!waiting_.empty()) {
            const Waiting last = waiting_.back();
            if (last.kind != Kind::operation && last.kind != Kind::sign) return true;
            if (last.function->precedence < precedence) return true;
            if (last.function == next && next->from_right) return true;
            waiting_.pop_back();
            if (!call(last.function, last.function->arguments)) return false;
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0, operands_ = 0;
    bool wants_operand_ = true;
    std::vector<Waiting> waiting_;
    FormulaTree tree_;
};

std::optional<FormulaTree> FormulaTree::read(std::string_view text) {
    return FormulaReader(text).read();
}

// A function of numbers is a number.
void FormulaTree::add(const Step& step) {
    const auto first = steps_.end() - step.arguments;
    const auto is_number = [](const Step& one) { return !one.function && one.variable < 0; };
    if (!step.function || !std::all_of(first, steps_.end(), is_number)) {
        steps_.push_back(step);
        return;
    }
    std::vector<double> numbers;
    for (auto one = first; one != steps_.end(); ++one) numbers.push_back(one->number);
    steps_.erase(first, steps_.end());
    steps_.push_back({.number = step.function->value(numbers)});
}

FormulaTree FormulaTree::at(const Vec3& x) const {
    FormulaTree here;
    for (const Step& step : steps_)
        here.add(step.variable >= 0 && step.variable < 3 ? Step{.number = x[step.variable]} : step);
    return here;
}

double FormulaTree::value(const Vec3& x, double t) const {
    std::vector<double> stack;
    for (const Step& step : steps_) {
        if (step.function) {
            const std::size_t rest = stack.size() - step.arguments;
            const double result = step.function->value(std::span(stack).subspan(rest));
            stack.resize(rest);
            stack.push_back(result);
        } else {
            stack.push_back(step.variable < 0    ? step.number
                            : step.variable == 3 ? t
                                                 : x[step.variable]);
        }
    }
    return stack.front();
}

Enclosure FormulaTree::during(const Interval& time) const {
    std::vector<Enclosure> stack;
    stack.reserve(16);
    for (const Step& step : steps_) {
        if (step.function) {
            const std::size_t rest = stack.size() - step.arguments;
            const Enclosure result = step.function->enclosure(std::span(stack).subspan(rest));
            stack.resize(rest);
            stack.push_back(result);
        } else if (step.variable == 3) {
            stack.push_back({time, {1, 1}, {0, 0}});
        } else {
            stack.push_back(std::isnan(step.number) ? Enclosure::none()
                                                    : Enclosure::constant(step.number));
        }
    }
    return stack.front();
}

}  // namespace solenoid

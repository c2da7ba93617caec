#include "case/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <numbers>

#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {
namespace {

constexpr std::size_t longest_formula = 10000;  // characters
constexpr int deepest_nesting = 200;            // parentheses

const std::vector<std::string> variables{"x", "y", "z", "t"};
const std::vector<std::string> constants{"pi", "e"};

void define_functions(mu::Parser& parser) {
    parser.DefineFun(
        "floor", +[](double a) { return std::floor(a); });
    parser.DefineFun(
        "ceil", +[](double a) { return std::ceil(a); });
    parser.DefineFun(
        "erf", +[](double a) { return std::erf(a); });
    parser.DefineFun(
        "pow", +[](double a, double b) { return std::pow(a, b); });
}

std::vector<std::string> known_names(const mu::Parser& parser) {
    std::vector<std::string> names = variables;
    names.insert(names.end(), constants.begin(), constants.end());
    for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
    return names;
}

[[noreturn]] void refuse(const std::string& place, const std::string& text,
                         const std::string& reason) {
    const std::string message = "cannot read the formula " + quoted(text) + ": " + reason;
    throw place.empty() ? InputError(message) : InputError(place, message);
}

// " at column N", counted from 1.
std::string at_column(std::size_t position) { return fmt::format(" at column {}", position + 1); }

// muParser accepts x = 3, but formulas must not change variables.
bool is_assignment(const std::string& text, std::size_t i) {
    if (text[i] != '=') return false;
    const bool comparison_before =
        i > 0 && std::string("=<>!").find(text[i - 1]) != std::string::npos;
    const bool comparison_after = i + 1 < text.size() && text[i + 1] == '=';
    return !comparison_before && !comparison_after;
}

// Refuses what muParser would accept or report badly.
void check_characters(const std::string& text, const std::string& place) {
    if (text.find_first_not_of(" \t") == std::string::npos) refuse(place, text, "it is empty");
    if (text.size() > longest_formula)
        refuse(place, text, fmt::format("it is longer than {} characters", longest_formula));
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x80) refuse(place, text, "a character that is not ASCII" + at_column(i));
        if ((c < ' ' && c != '\t') || c == 0x7F)
            refuse(place, text, "a control character" + at_column(i));
        if (c == '"' || c == '\'') refuse(place, text, "a quotation mark" + at_column(i));
        if (is_assignment(text, i))
            refuse(place, text, "an assignment" + at_column(i) + " (to compare, write ==)");
        depth += (c == '(') - (c == ')');
        if (depth > deepest_nesting)
            refuse(place, text,
                   fmt::format("more than {} parentheses deep", deepest_nesting) + at_column(i));
    }
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) {
    return starts_name(c) || std::isdigit(static_cast<unsigned char>(c));
}

std::string name_at(const std::string& text, std::size_t position) {
    std::size_t end = position;
    while (end < text.size() && continues_name(text[end])) ++end;
    return text.substr(position, end - position);
}

std::string unknown_name(const mu::Parser& parser, const std::string& text, std::size_t position) {
    const std::string name = name_at(text, position);
    const std::vector<std::string> known = known_names(parser);
    std::string reason = fmt::format("unknown name \"{}\"", name) + at_column(position);
    if (const std::string near = nearest_name(name, known); !near.empty() && name.size() > 1)
        reason += fmt::format("; did you mean \"{}\"?", near);
    const std::size_t before = text.find_last_not_of(" \t", position ? position - 1 : 0);
    if (position > 0 && before != std::string::npos &&
        std::isdigit(static_cast<unsigned char>(text[before])))
        reason += "; a number carries no unit (SI throughout)";
    return fmt::format("{} (known: {})", reason, joined_words(known, ", "));
}

bool is_function(const mu::Parser& parser, const std::string& name) {
    return parser.GetFunDef().contains(name);
}

std::string unreadable_token(const mu::Parser& parser, const std::string& text,
                             std::size_t position) {
    const std::string name = name_at(text, position);
    if (is_function(parser, name))
        return fmt::format("function \"{}\" without parentheses", name) + at_column(position);
    if (starts_name(text[position])) return unknown_name(parser, text, position);
    if (std::isdigit(static_cast<unsigned char>(text[position])))
        return "not a number" + at_column(position);
    return fmt::format("unexpected \"{}\"", text[position]) + at_column(position);
}

std::string reason_of(const mu::ParserError& error, const mu::Parser& parser,
                      const std::string& text) {
    const bool has_position = error.GetPos() >= 0;
    const std::size_t position = has_position ? error.GetPos() : 0;
    const std::string where = has_position ? at_column(position) : "";
    switch (error.GetCode()) {
        case mu::ecUNASSIGNABLE_TOKEN:
            if (position < text.size()) return unreadable_token(parser, text, position);
            break;
        case mu::ecUNEXPECTED_EOF:
            return "it ends too early" + at_column(text.size());
        case mu::ecUNEXPECTED_OPERATOR:
            return fmt::format("unexpected operator \"{}\"", error.GetToken()) + where;
        case mu::ecUNEXPECTED_VAL:
        case mu::ecUNEXPECTED_VAR:
        case mu::ecUNEXPECTED_FUN:
            return fmt::format("unexpected \"{}\"", error.GetToken()) + where +
                   ": an operator is missing before it";
        case mu::ecUNEXPECTED_PARENS:
            return fmt::format("unexpected \"{}\"", error.GetToken()) + where;
        case mu::ecMISSING_PARENS:
            return "a parenthesis is not closed" + at_column(text.size());
        case mu::ecUNEXPECTED_ARG:
        case mu::ecUNEXPECTED_ARG_SEP:
            return "unexpected comma" + where;
        case mu::ecTOO_MANY_PARAMS:
            return fmt::format("too many arguments of \"{}\"", error.GetToken()) + where;
        case mu::ecTOO_FEW_PARAMS:
            return fmt::format("too few arguments of \"{}\"", error.GetToken()) + where;
        case mu::ecMISSING_ELSE_CLAUSE:
            return "a \"?\" without its \":\"" + at_column(text.rfind('?'));
        case mu::ecMISPLACED_COLON:
            return "unexpected \":\"" + (has_position ? at_column(position - 1) : "");
        default:
            break;
    }
    return error.GetMsg();
}

}  // namespace

struct Formula::Expression {
    std::string text;
    std::string place;
    bool constant = true;
    bool time_dependent = false, place_dependent = false;
    double value = 0;  // value of a constant
    mutable double x = 0, y = 0, z = 0, t = 0;
    std::unique_ptr<mu::Parser> parser;  // absent for a constant: it takes 6 kB
    std::function<double(const Vec3&)> values = {};
    std::array<std::shared_ptr<const Expression>, 2> factors = {};  // of a product

    void parse();
    double at(const Vec3& point, double time) const;
    // limit: the additional condition on a finite value, or "".
    [[noreturn]] void refuse_value(double result, const Vec3& point, double time,
                                   const char* limit) const;
};

void Formula::Expression::parse() {
    check_characters(text, place);
    parser = std::make_unique<mu::Parser>();
    parser->DefineVar("x", &x);
    parser->DefineVar("y", &y);
    parser->DefineVar("z", &z);
    parser->DefineVar("t", &t);
    parser->DefineConst("pi", std::numbers::pi);
    parser->DefineConst("e", std::numbers::e);
    // muParser's own have 13 digits in some of its versions
    parser->DefineConst("_pi", std::numbers::pi);
    parser->DefineConst("_e", std::numbers::e);
    define_functions(*parser);
    // muParser folds the constants of && and || as integers: 0.5 && 1 would be 0
    parser->EnableOptimizer(text.find("&&") == std::string::npos &&
                            text.find("||") == std::string::npos);
    try {
        parser->SetExpr(text);
        value = parser->Eval();
        if (parser->GetNumResults() != 1)
            refuse(
                place, text,
                "it has several values" + at_column(text.find(',')) + " (decimals take a point)");
        const mu::varmap_type& used = parser->GetUsedVar();
        constant = used.empty();
        time_dependent = used.contains("t");
        place_dependent = used.contains("x") || used.contains("y") || used.contains("z");
        parser->Eval();  // builds the byte code again after GetUsedVar
    } catch (const mu::ParserError& error) {
        refuse(place, text, reason_of(error, *parser, text));
    }
    if (!constant) return;
    if (!std::isfinite(value)) refuse(place, text, "its value is not finite");
    parser.reset();
}

double Formula::Expression::at(const Vec3& point, double time) const {
    if (constant) return value;
    if (values) return values(point);
    if (factors[0]) return factors[0]->at(point, time) * factors[1]->at(point, time);
    x = point.x, y = point.y, z = point.z, t = time;
    return parser->Eval();
}

void Formula::Expression::refuse_value(double result, const Vec3& point, double time,
                                       const char* limit) const {
    const std::string found = std::isnan(result)   ? "not a number"
                              : std::isinf(result) ? "infinite"
                                                   : fmt::format("{:g}", result);
    const std::string message =
        fmt::format("the formula {} is {} at x = {:g}, y = {:g}, z = {:g}, t = {:g}{}",
                    quoted(text), found, point.x, point.y, point.z, time, limit);
    throw place.empty() ? InputError(message) : InputError(place, message);
}

Formula::Formula(double value) {
    auto expression = std::make_shared<Expression>();
    expression->text = fmt::format("{}", value);
    expression->value = value;
    expression_ = std::move(expression);
}

Formula::Formula(const std::string& text, const std::string& place) {
    auto expression = std::make_shared<Expression>();
    expression->text = text;
    expression->place = place;
    expression->parse();
    expression_ = std::move(expression);
}

Formula::Formula(std::function<double(const Vec3&)> values, const std::string& text,
                 const std::string& place) {
    auto expression = std::make_shared<Expression>();
    expression->text = text;
    expression->place = place;
    expression->constant = false;
    expression->place_dependent = true;
    expression->values = std::move(values);
    expression_ = std::move(expression);
}

double Formula::operator()(const Vec3& x, double t) const { return expression_->at(x, t); }

void Formula::evaluate(std::span<const Vec3> points, double t, std::span<double> values) const {
    for (std::size_t i = 0; i < points.size(); ++i) values[i] = expression_->at(points[i], t);
}

void Formula::evaluate_finite(std::span<const Vec3> points, double t,
                              std::span<double> values) const {
    evaluate(points, t, values);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(values[i])) expression_->refuse_value(values[i], points[i], t, "");
}

double Formula::finite_value(const Vec3& x, double t) const {
    const double value = expression_->at(x, t);
    if (!std::isfinite(value)) expression_->refuse_value(value, x, t, "");
    return value;
}

double Formula::quantity(const Vec3& x, double t) const {
    const double value = expression_->at(x, t);
    if (!(std::abs(value) <= largest_quantity))
        expression_->refuse_value(
            value, x, t,
            fmt::format("; its magnitude may be {:g} at most", largest_quantity).c_str());
    return value;
}

double Formula::positive_value(const Vec3& x, double t) const {
    const double value = expression_->at(x, t);
    if (!(value > 0 && std::isfinite(value)))
        expression_->refuse_value(value, x, t, "; it must be positive");
    return value;
}

double Formula::not_negative_value(const Vec3& x, double t) const {
    const double value = expression_->at(x, t);
    if (!(value >= 0 && std::isfinite(value)))
        expression_->refuse_value(value, x, t, "; it must not be negative");
    return value;
}

bool Formula::is_constant() const { return expression_->constant; }
bool Formula::depends_on_time() const { return expression_->time_dependent; }
bool Formula::depends_on_place() const { return expression_->place_dependent; }
const std::string& Formula::text() const { return expression_->text; }
const std::string& Formula::place() const { return expression_->place; }

// Not parsed as a text: muParser multiplies constants first, z*1e308 * 2 would be infinite.
Formula operator*(const Formula& a, const Formula& b) {
    auto product = std::make_shared<Formula::Expression>();
    product->text = fmt::format("({}) * ({})", a.text(), b.text());
    product->place = a.place();
    product->constant = a.is_constant() && b.is_constant();
    product->time_dependent = a.depends_on_time() || b.depends_on_time();
    product->place_dependent = a.depends_on_place() || b.depends_on_place();
    product->factors = {a.expression_, b.expression_};
    if (product->constant) product->value = a({}) * b({});
    if (!std::isfinite(product->value))
        refuse(product->place, product->text, "its value is not finite");
    Formula result;
    result.expression_ = std::move(product);
    return result;
}

}  // namespace solenoid

// Formulas: values against <cmath>, what they depend on, and what is refused with which words.
#include "case/formula.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace solenoid::formula_test {
namespace {

std::string refusal(const std::string& text) {
    try {
        Formula(text, "case.toml:7");
    } catch (const InputError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "accepted";
}

void expect_refusal(const std::string& text, const std::vector<std::string>& words) {
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with("case.toml:7: cannot read the formula \"")) << message;
    for (const std::string& word : words)
        EXPECT_NE(message.find(word), std::string::npos)
            << '"' << word << "\" is not in: " << message;
}

TEST(Formula, values) {
    struct Example {
        const char* text;
        std::function<double(double, double, double, double)> value;
    };
    const double pi = std::numbers::pi, e = std::numbers::e;
    const std::vector<Example> examples{
        {"1 + 0.5*sin(pi*x)",
         [=](double x, double, double, double) { return 1 + 0.5 * std::sin(pi * x); }},
        {"x - y*z/t", [](double x, double y, double z, double t) { return x - y * z / t; }},
        {"-x^2", [](double x, double, double, double) { return -(x * x); }},
        {"2^3^2", [](double, double, double, double) { return 512.0; }},
        {"pow(x, y)", [](double x, double y, double, double) { return std::pow(x, y); }},
        {"exp(-t) * cos(2*pi*y)",
         [=](double, double y, double, double t) { return std::exp(-t) * std::cos(2 * pi * y); }},
        {"sqrt(x^2 + y^2 + z^2)",
         [](double x, double y, double z, double) { return std::sqrt(x * x + y * y + z * z); }},
        {"log(e*z) + ln(z) + log10(z) + log2(z)",
         [=](double, double, double z, double) {
             return std::log(e * z) + std::log(z) + std::log10(z) + std::log2(z);
         }},
        {"atan2(y, x) + abs(-x) + sign(-y)",
         [](double x, double y, double, double) { return std::atan2(y, x) + x - 1; }},
        {"min(x, y, z) + max(x, y) + sum(x, y, 1) + avg(x, y)",
         [](double x, double y, double z, double) {
             return std::min({x, y, z}) + std::max(x, y) + x + y + 1 + (x + y) / 2;
         }},
        {"sinh(x) + cosh(x) + tanh(x) + asin(x/9) + acos(x/9) + atan(x) + tan(x)",
         [](double x, double, double, double) {
             return std::sinh(x) + std::cosh(x) + std::tanh(x) + std::asin(x / 9) +
                    std::acos(x / 9) + std::atan(x) + std::tan(x);
         }},
        {"floor(x) + ceil(y) + erf(z) + rint(t)",
         [](double x, double y, double z, double t) {
             return std::floor(x) + std::ceil(y) + std::erf(z) + std::floor(t + 0.5);
         }},
        {"x < 0.5 ? 1 : t >= 2 && y != z ? 10 : 20",
         [](double x, double y, double z, double t) {
             return x < 0.5 ? 1.0 : t >= 2 && y != z ? 10.0 : 20.0;
         }},
        {"1e-3*x + 2.5E2", [](double x, double, double, double) { return 1e-3 * x + 250; }},
    };
    for (const Example& example : examples) {
        const Formula formula(example.text, "here");
        for (const double t : {0.5, 2.0, 3.25})
            for (const Vec3& p : {Vec3{0.25, 0.5, 1}, Vec3{1.25, 2.5, 0.75}, Vec3{3, 0.125, 4}}) {
                const double expected = example.value(p.x, p.y, p.z, t);
                EXPECT_NEAR(formula(p, t), expected, 4e-15 * (1 + std::abs(expected)))
                    << example.text;
            }
    }
}

// Any number but 0 is true, also where all is constant.
TEST(Formula, constants_of_logic) {
    const std::vector<std::pair<const char*, double>> examples{{"(0.5 && 1) ? 10 : 20", 10},
                                                               {"(0.5&&1)?10:20", 10},
                                                               {"0.3 && 0.3", 1},
                                                               {"(0.5 || 0) + 1", 2},
                                                               {"0 || 0.25", 1},
                                                               {"0 && 0.5", 0},
                                                               {"1e30 && 8", 1},
                                                               {"-0.5 || 0", 1},
                                                               {"(0.5 && x) ? 3 : 4", 3},
                                                               {"(x < 2 && 0.5) ? 5 : 6", 5},
                                                               {"2^3 && 0.9", 1}};
    for (const auto& [text, value] : examples)
        EXPECT_EQ(Formula(text, "here")({1, 0, 0}), value) << text;
}

// A case may have very many numbers: they need no parser.
TEST(Formula, constants_are_small) {
    const std::size_t before = mallinfo2().uordblks;
    std::vector<Formula> constants;
    for (int i = 0; i < 10000; ++i)
        constants.push_back(i % 2 ? Formula(i) : Formula("2*pi", "a:1"));
    EXPECT_LT((mallinfo2().uordblks - before) / constants.size(), 500u);  // bytes each
    EXPECT_EQ(constants[7]({}), 7);
    EXPECT_DOUBLE_EQ(constants[8]({}), 2 * std::numbers::pi);
}

TEST(Formula, dependence) {
    EXPECT_TRUE(Formula("2*pi + e", "").is_constant());
    EXPECT_TRUE(Formula(3.5).is_constant());
    EXPECT_FALSE(Formula("0*x", "").is_constant());
    EXPECT_FALSE(Formula("x + y", "").depends_on_time());
    EXPECT_TRUE(Formula("x + sin(t)", "").depends_on_time());
    EXPECT_FALSE(Formula("tan(x)", "").depends_on_time());
    EXPECT_EQ(Formula(3.5)({1, 2, 3}, 4), 3.5);
    EXPECT_EQ(Formula("x", "a:1").place(), "a:1");
    EXPECT_EQ(Formula("x + 1", "a:1").text(), "x + 1");
}

TEST(Formula, vectorised_and_copied) {
    const Formula formula("x*y + t", "here");
    const Formula copy = formula;
    const std::vector<Vec3> points{{1, 2, 0}, {3, 4, 0}, {5, 6, 0}};
    std::vector<double> values(3);
    copy.evaluate(points, 0.5, values);
    EXPECT_EQ(values, (std::vector<double>{2.5, 12.5, 30.5}));
    formula.evaluate_finite(points, 0, values);
    EXPECT_EQ(values, (std::vector<double>{2, 12, 30}));
    EXPECT_EQ(copy(points[1]), 12);
}

TEST(Formula, product) {
    const Formula product = Formula("1 + x", "case.toml:3") * Formula(-2.5);
    EXPECT_EQ(product({3, 0, 0}), -10);
    EXPECT_EQ(product.place(), "case.toml:3");
    EXPECT_TRUE((Formula(7800.0) * Formula(1e-20)).is_constant());
    EXPECT_DOUBLE_EQ((Formula(7800.0) * Formula(1e-20))({}), 7.8e-17);
    EXPECT_TRUE(product.depends_on_place());
    EXPECT_FALSE(product.depends_on_time());
    EXPECT_EQ((product * Formula("t", ""))({3, 0, 0}, 0.5), -5);
    EXPECT_TRUE((product * Formula("t", "")).depends_on_time());
    EXPECT_FALSE((product * Formula("t", "")).is_constant());
}

// Constants of its factors are not multiplied with each other.
TEST(Formula, product_near_the_largest_number) {
    EXPECT_EQ((Formula("z*1e308", "") * Formula(2.0))({0, 0, 0.125}), 2.5e307);
    EXPECT_EQ((Formula("z*1e-200", "") * Formula("1e-200*x", ""))({1e200, 0, 1e200}), 1);
    EXPECT_TRUE(std::isinf((Formula("z*1e308", "") * Formula(2.0))({0, 0, 1})));
    try {
        Formula(1e200) * Formula("1e200", "case.toml:3");
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("its value is not finite"), std::string::npos);
    }
}

TEST(Formula, values_that_are_not_finite) {
    const Formula formula("1/x", "case.toml:7");
    const std::vector<Vec3> points{{1, 0, 0}, {0, 2, 3}};
    std::vector<double> values(2);
    formula.evaluate(points, 0, values);
    EXPECT_TRUE(std::isinf(values[1]));
    try {
        formula.evaluate_finite(points, 0.5, values);
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "case.toml:7: the formula \"1/x\" is infinite at x = 0, y = 2, z = 3, t = 0.5");
    }
    EXPECT_THROW(Formula("sqrt(x)", "").finite_value({-1, 0, 0}), InputError);
    EXPECT_EQ(Formula("sqrt(x)", "").finite_value({4, 0, 0}), 2);
    EXPECT_EQ(Formula("x", "").positive_value({4, 0, 0}), 4);
    EXPECT_EQ(Formula("x", "").not_negative_value({0, 0, 0}), 0);
    for (const double x : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(Formula("x", "").positive_value({x, 0, 0}), InputError);
    for (const double x : {-1.0, std::nan("")})
        EXPECT_THROW(Formula("x", "").not_negative_value({x, 0, 0}), InputError);
    try {
        Formula("x", "case.toml:7").not_negative_value({-0.5, 2, 3}, 4);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "case.toml:7: the formula \"x\" is -0.5 at x = -0.5, y = 2, z = 3, t = 4; it must not "
            "be negative");
    }
    expect_refusal("1/0", {"not finite"});
    expect_refusal("sqrt(-1)", {"not finite"});
}

TEST(Formula, unknown_names) {
    expect_refusal("1 + foo*2",
                   {"unknown name \"foo\" at column 5", "known: x, y, z, t, pi, e, abs"});
    expect_refusal("1 + sine(x)", {"unknown name \"sine\" at column 5", "did you mean \"sin\"?"});
    expect_refusal("300 K", {"unknown name \"K\" at column 5", "no unit"});
    expect_refusal("20m", {"unknown name \"m\" at column 3", "no unit"});
    expect_refusal("X", {"unknown name \"X\" at column 1"});
    expect_refusal("PI", {"unknown name \"PI\"", "did you mean"});
    expect_refusal("1e400", {"not a number at column 1"});
}

TEST(Formula, syntax_errors) {
    expect_refusal("", {"it is empty"});
    expect_refusal("  \t ", {"it is empty"});
    expect_refusal("1 +", {"ends too early at column 4"});
    expect_refusal("(1 + x", {"a parenthesis is not closed at column 7"});
    expect_refusal("1 + x)", {"unexpected \")\" at column 6"});
    expect_refusal("1 2", {"unexpected \"2\" at column 3", "operator is missing"});
    expect_refusal("2x", {"unexpected \"x\" at column 2", "operator is missing"});
    expect_refusal("x ** 2", {"unexpected operator \"*\" at column 4"});
    expect_refusal("sin x", {"function \"sin\" without parentheses at column 1"});
    expect_refusal("sin(1, 2)", {"too many arguments of \"sin\""});
    expect_refusal("atan2(1)", {"too few arguments of \"atan2\""});
    expect_refusal("1,5", {"several values at column 2", "point"});
    expect_refusal("x ? 1", {"\"?\" without its \":\" at column 3"});
    expect_refusal("1 : 2", {"unexpected \":\" at column 3"});
    expect_refusal("x % 2", {"unexpected \"%\" at column 3"});
}

TEST(Formula, hostile) {
    expect_refusal("x = 3", {"an assignment at column 3", "=="});
    expect_refusal("x == 1 ? y = 2 : 0", {"an assignment at column 12"});
    expect_refusal("\"text\"", {"a quotation mark at column 1"});
    expect_refusal("1 + \xC3\xA9", {"not ASCII at column 5"});
    expect_refusal(std::string("1\0+ 2", 5), {"a control character at column 2"});
    expect_refusal("1\n+ 2", {"a control character at column 2"});
    expect_refusal(std::string(20000, '1'), {"longer than 10000 characters"});
    expect_refusal(std::string(5000, '('), {"more than 200 parentheses deep at column 201"});
    EXPECT_LT(refusal(std::string(9000, '+')).size(), 400u);
    std::string sum = "x";
    while (sum.size() < 9000) sum += " + x";
    EXPECT_EQ(Formula(sum, "")({1, 0, 0}), static_cast<double>((sum.size() + 3) / 4));
    EXPECT_EQ(Formula(std::string(150, '(') + "x" + std::string(150, ')'), "")({7, 0, 0}), 7);
    std::string nested = "x";
    for (int i = 0; i < 190; ++i) nested = "1+x*(" + nested + ")";
    EXPECT_NEAR(Formula(nested, "")({0.5, 0, 0}), 2, 1e-12);
    EXPECT_EQ(Formula("(x<1)==(y<=1)!=(z>=1)", "")({0, 0, 0}), 1);
}

TEST(Formula, random_words_end_in_a_formula_or_an_error) {
    const std::vector<std::string> words{
        "x",   "t", "pi", "e",    "1",    "2.5",    "1e3",    "(",   ")",  "(",  ")",
        ",",   "+", "-",  "*",    "/",    "^",      "==",     "!=",  "<=", "&&", "||",
        "?",   ":", "=",  "sin(", "max(", "atan2(", "floor(", "sum", " ",  "_",  "#",
        "foo", ";", "!",  "{",    "_pi",  "0x1",    ".",      "1e"};
    std::mt19937 random(12345);
    std::uniform_int_distribution<std::size_t> word(0, words.size() - 1), length(1, 9);
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::size_t n = length(random); n > 0; --n) text += words[word(random)];
        try {
            const Formula formula(text, "here");
            formula({0.5, 1, 2}, 3);
            ++accepted;
        } catch (const InputError&) {
        }
    }
    EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace solenoid::formula_test

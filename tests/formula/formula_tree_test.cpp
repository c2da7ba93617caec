// Trees of formulas: their values are those of muParser, and enclosures hold all values, slopes and
// curvatures.
#include "formula/formula_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "case/formula.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"

namespace solenoid::formula_tree_test {
namespace {

double value(const std::string& text, double t = 0, const Vec3& x = Vec3(0)) {
    const auto tree = FormulaTree::read(text);
    EXPECT_TRUE(tree) << text;
    return tree ? tree->value(x, t) : NAN;
}

TEST(FormulaTree, HasThePrecedencesOfMuParser) {
    for (const char* text : {"-t^2",
                             "2^3^t",
                             "2^-t^2",
                             "2^-t*3",
                             "-t*2",
                             "t - 1 - 2",
                             "8/t/2",
                             "8/-t*3",
                             "a",
                             "t < 2 == 0",
                             "1 < t < 2",
                             "t > 1 && 0 || 1",
                             "1 || t > 9 && 0",
                             "0.5 && t",
                             "t ? 1 : 2",
                             "t > 2 ? 1 : t > 1 ? 2 : 3",
                             "t > 2 ? t > 3 ? 1 : 4 : 2",
                             "(t > 2 ? 1 : 2) + 3",
                             "t > 2 ? 1 : 2 + 3",
                             "1 + t > 2 ? 5 : 6",
                             "max(t > 1 ? 3 : 4, 2, t)",
                             "--t",
                             "-+t",
                             "2 - -t",
                             "min(t)",
                             "sum(1, t, 3) * avg(t, 2)",
                             "1e-3*t + 2.5E2 + .5 + 5.",
                             "_pi + _e*t",
                             "pi*e*t",
                             "t != 1.5",
                             "t >= 1.5 && t <= 1.5",
                             "-t < -1",
                             "!t",
                             "t!",
                             "t%2",
                             "(t",
                             "t)",
                             "t,",
                             "min()",
                             "max(t,)",
                             "sin t",
                             "sin()",
                             "sin(t, t)",
                             "pow(t)",
                             "t ? 1",
                             "t : 1",
                             "2t",
                             "1e",
                             "1e+",
                             "0x10",
                             ".",
                             "t..2",
                             "x y",
                             "()",
                             "",
                             " ",
                             "t = 3",
                             "min(t ? 1, 2 : 3)",
                             "atan2(t, -1)",
                             "rint(t) + rint(-t)",
                             "sign(-t) + abs(-t)",
                             "(1, 2)",
                             "t == 1.5 ? 7 : 8",
                             "asinh(-t) + acosh(t) + atanh(t/9)",
                             "log2(t) + log10(t) + ln(t) + log(t)"}) {
        std::optional<Formula> formula;
        try {
            formula.emplace(text, "here");
        } catch (const InputError&) {
        }
        const auto tree = FormulaTree::read(text);
        // a constant without a finite value is refused as one
        ASSERT_EQ(formula.has_value(), tree.has_value()) << text;
        if (!tree) continue;
        for (const double t : {1.5, 2.5, 3.5})
            EXPECT_NEAR((*formula)(Vec3(0), t), tree->value(Vec3(0), t),
                        1e-14 * std::abs((*formula)(Vec3(0), t)))
                << text;
    }
}

TEST(FormulaTree, IsBoundedWhateverTheText) {
    const Stopwatch watch;
    const std::size_t many = 100000;
    EXPECT_EQ(value(std::string(many, '(') + "t" + std::string(many, ')'), 3), 3);
    EXPECT_FALSE(FormulaTree::read(std::string(many, '-') + "t"));
    EXPECT_FALSE(FormulaTree::read(std::string(many, '(')));
    EXPECT_FALSE(FormulaTree::read(std::string(1000000, '?')));
    EXPECT_FALSE(FormulaTree::read("t" + std::string(1000000, ')')));
    EXPECT_FALSE(FormulaTree::read(std::string(1000000, '9') + "e"));
    std::string sum = "t", choice, nested = "t";
    for (std::size_t k = 0; k < many; ++k) sum += "+t^2", choice += "t>1?";
    for (std::size_t k = 0; k < many; ++k) choice += k ? ":2" : "2:2";
    for (std::size_t k = 0; k < many / 10; ++k) nested = "sin(" + nested + ")";
    const auto long_sum = FormulaTree::read(sum);
    ASSERT_TRUE(long_sum);
    EXPECT_EQ(long_sum->value(Vec3(0), 1), 1.0 + many);
    EXPECT_TRUE(long_sum->during({0, 1}).value.holds(0.5 + 0.25 * many));
    EXPECT_EQ(value(choice, 3), 2);
    EXPECT_LT(std::abs(value(nested, 3)), 1);
    EXPECT_EQ(value("1/0 + t"), HUGE_VAL);
    EXPECT_TRUE(FormulaTree::read("0/0 + t")->during({0, 1}).is_empty());
    EXPECT_TRUE(FormulaTree::read("sqrt(-1 - t)")->during({0, 1}).is_empty());
    EXPECT_LT(watch.seconds(), 5);
}

TEST(FormulaTree, DecidesWhatIsCertain) {
    const auto during = [](const std::string& text, double from, double to) {
        return FormulaTree::read(text)->at(Vec3(0.25, 0, 0)).during({from, to});
    };
    const auto is = [&](const Enclosure& e, double value) {
        return e.value.least == value && e.value.greatest == value && e.slope.size() == 0 &&
               e.curvature.size() == 0;
    };
    EXPECT_TRUE(is(during("t > 3 && t < 3 + 1e-9 ? 5 : 2", 0, 3), 2));
    EXPECT_TRUE(is(during("t > 3 && t < 3 + 1e-9 ? 5 : 2", 3.0000001, 10), 2));
    EXPECT_TRUE(is(during("t > 3 && t < 4 ? 5 : 2", 3.1, 3.9), 5));
    EXPECT_TRUE(is(during("t > x ? 5 : 2", 0, 0.25), 2));
    EXPECT_TRUE(is(during("floor(t/0.37) + sign(t) + ceil(t) + rint(t)", 0.1, 0.3), 2));
    EXPECT_TRUE(is(during("sin(2*pi*t) > 0.9999999", 0.3, 1.2), 0));
    EXPECT_TRUE(is(during("abs(t - 3) < 1e-8 ? 1 : 0", 4, 5), 0));
    EXPECT_TRUE(is(during("max(0, 1 - abs(t - 3)*1e6)", 3.1, 5), 0));
    EXPECT_EQ(during("t > 3 && t < 3 + 1e-9 ? 5 : 2", 0, 10).value.greatest, 5);
    EXPECT_LT(during("exp(-((t - 3)/1e-6)^2)", 4, 5).value.greatest, 1e-300);
    EXPECT_LT(during("1 - tanh((t - 3)/1e-6)^2", 4, 5).value.greatest, 1e-14);
    // whose curvature alone says that nothing hides between two samples
    EXPECT_LT(during("sin(t)", 1, 1.01).departure(0.01, std::sin(1), std::sin(1.01)), 1.1e-5);
}

// Of random formulas that muParser takes.
class RandomFormula {
  public:
    explicit RandomFormula(unsigned seed) : numbers_(seed) {}
    std::string text(int depth) {
        const int kind = static_cast<int>(numbers_() % (depth <= 0 ? 4 : 14));
        const auto inner = [&] { return text(depth - 1); };
        static const std::vector<std::string> binary{"+",  "-",  "*",  "/",  "^",  "<", ">",
                                                     "<=", ">=", "==", "!=", "&&", "||"};
        static const std::vector<std::string> unary{
            "sin",   "cos",   "tan",   "asin",  "acos", "atan",  "sinh", "cosh",
            "tanh",  "asinh", "acosh", "atanh", "exp",  "log",   "ln",   "log2",
            "log10", "sqrt",  "erf",   "abs",   "sign", "floor", "ceil", "rint"};
        static const std::vector<std::string> several{"min", "max", "sum", "avg"};
        const auto one_of = [&](const auto& list) { return list[numbers_() % list.size()]; };
        switch (kind) {
            case 0:
            case 1:
                return "t";
            case 2:
                return one_of(std::vector<std::string>{"x", "pi", "e", "2", "0", "3", "-1"});
            case 3:
                return std::to_string((numbers_() % 1000) / 100.0);
            case 4:
                return "-" + inner();
            case 5:
                return "(" + inner() + ")";
            case 6:
            case 7:
            case 8:
                return inner() + one_of(binary) + inner();
            case 9:
                return "(" + inner() + " ? " + inner() + " : " + inner() + ")";
            case 10:
                return inner() + "?" + inner() + ":" + inner();
            case 11:
                return one_of(several) + "(" + inner() + ", " + inner() + ", " + inner() + ")";
            case 12:
                return (numbers_() % 2 ? "pow(" : "atan2(") + inner() + "," + inner() + ")";
            default:
                return one_of(unary) + "(" + inner() + ")";
        }
    }
    double between(double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(numbers_);
    }

  private:
    std::mt19937 numbers_;
};

constexpr unsigned seed = 20260;

// What a value by other roundings may be: of one nearby in time, or, where rounding decides, any
// within the bounds there.
bool may_be(const FormulaTree& tree, double t, double expected) {
    const double reach = 1e-13 * (1 + std::abs(t));
    const Interval here = tree.during({t - reach, t + reach}).value;
    const double slack = 1e-9 * (1 + std::abs(expected));
    return here.is_empty() || (expected >= here.least - slack && expected <= here.greatest + slack);
}

TEST(FormulaTree, HasTheValuesOfMuParser) {
    RandomFormula random(seed);
    int taken = 0, alike = 0, values = 0;
    for (int k = 0; k < 6000; ++k) {
        const std::string text = random.text(5);
        std::optional<Formula> formula;
        try {
            formula.emplace(text, "");
        } catch (const InputError& error) {
            if (std::string(error.what()).find("not finite") == std::string::npos) {
                EXPECT_FALSE(FormulaTree::read(text)) << text << ": " << error.what();
            }
            continue;
        }
        const auto tree = FormulaTree::read(text);
        ASSERT_TRUE(tree) << text;
        ++taken;
        const Vec3 x(random.between(0, 3), 0, 0);
        for (int i = 0; i < 3; ++i) {
            const double t = random.between(0, 5), expected = (*formula)(x, t),
                         found = tree->value(x, t);
            ++values;
            const bool is_alike = (std::isnan(expected) && std::isnan(found)) ||
                                  expected == found ||
                                  std::abs(found - expected) <= 1e-12 * std::abs(expected);
            alike += is_alike;
            if (!is_alike && !std::isnan(expected)) {
                EXPECT_TRUE(may_be(tree->at(x), t, expected))
                    << text << " at t = " << t << ", x = " << x.x << ": " << expected << " and "
                    << found;
            }
        }
    }
    EXPECT_GT(taken, 4000);
    EXPECT_GT(alike, 0.995 * values);
    std::printf("%d of %d values alike, of %d formulas\n", alike, values, taken);
}

TEST(FormulaTree, EnclosesValuesSlopesAndCurvatures) {
    RandomFormula random(seed + 1);
    int slopes = 0, curvatures = 0;
    for (int k = 0; k < 6000; ++k) {
        const std::string text = random.text(4);
        const auto read = FormulaTree::read(text);
        if (!read) continue;  // two signs beside each other
        const FormulaTree tree = read->at(Vec3(random.between(0, 3), 0, 0));
        const double from = random.between(0, 5), to = from + std::pow(10, random.between(-6, 0.7));
        const Enclosure e = tree.during({from, to});
        std::vector<double> at, values;
        for (int i = 0; i <= 8; ++i) {
            at.push_back(i == 8 ? to : from + (to - from) * i / 8);
            values.push_back(tree.value(Vec3(0), at.back()));
        }
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (std::isnan(values[i])) continue;
            const double slack = std::isfinite(values[i]) ? 1e-12 * (1 + std::abs(values[i])) : 0;
            ASSERT_TRUE(values[i] >= e.value.least - slack && values[i] <= e.value.greatest + slack)
                << text << " from " << from << " to " << to << ": " << values[i] << " at " << at[i]
                << " beside " << e.value.least << " to " << e.value.greatest;
        }
        for (std::size_t i = 1; i < at.size(); ++i) {
            const double h = at[i] - at[i - 1], slope = (values[i] - values[i - 1]) / h,
                         noise = 1e-10 * (1 + std::abs(values[i])) / h;
            if (!std::isfinite(slope)) continue;
            ++slopes;
            ASSERT_TRUE(slope >= e.slope.least - noise && slope <= e.slope.greatest + noise)
                << text << " from " << from << " to " << to << ": " << slope;
            if (i + 1 == at.size()) continue;
            const double next = (values[i + 1] - values[i]) / (at[i + 1] - at[i]);
            const double curvature = 2 * (next - slope) / (at[i + 1] - at[i - 1]);
            if (!std::isfinite(curvature)) continue;
            ++curvatures;
            ASSERT_TRUE(curvature >= e.curvature.least - 4 * noise / h &&
                        curvature <= e.curvature.greatest + 4 * noise / h)
                << text << " from " << from << " to " << to << ": " << curvature;
        }
    }
    EXPECT_GT(slopes, 10000);
    EXPECT_GT(curvatures, 10000);
}

}  // namespace
}  // namespace solenoid::formula_tree_test

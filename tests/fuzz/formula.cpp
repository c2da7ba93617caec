// Formulas of case files: what is accepted is a function of x, y, z and t, and of no more than it
// says.
#include "case/formula.hpp"

#include <cmath>
#include <cstring>

#include "fuzz/target.hpp"

namespace solenoid::fuzz {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Whether a value may be asked for; what it is does not matter here.
void ask(const std::function<void()>& question) { accepts("case.toml:1", question); }

void check(const Formula& f, const std::string& text) {
    const Vec3 here{0.5, 0.25, 0.125}, there{0.1, 0.2, 0.3};
    const double value = f(here, 0.75);
    const double elsewhere = f(there, 0.75), later = f(here, 0.4);
    if (!same(value, f(here, 0.75))) finding("the second value is another one: " + text);
    if (!f.depends_on_place() && !same(value, elsewhere)) finding("depends on place: " + text);
    if (!f.depends_on_time() && !same(value, later)) finding("depends on time: " + text);
    if (f.is_constant() && !std::isfinite(value)) finding("an infinite constant: " + text);
    double values[2];
    const Vec3 points[2]{here, there};
    f.evaluate(points, 0.75, values);
    if (!same(values[0], value) || !same(values[1], elsewhere))
        finding("several points have other values: " + text);
    ask([&] { f.quantity(here, 0.75); });
    ask([&] { f.positive_value(here, 0.75); });
    ask([&] { f.not_negative_value(here, 0.75); });
    ask([&] {
        const Formula twice = f * Formula(2.0);
        if (!same(twice(here, 0.75), 2 * value)) finding("twice the formula is not that: " + text);
        if (twice.depends_on_place() != f.depends_on_place() ||
            twice.depends_on_time() != f.depends_on_time())
            finding("twice the formula depends on other things: " + text);
    });
}

}  // namespace

void read_input(std::string_view bytes) {
    const std::string text(bytes);
    accepts("case.toml:1", [&] { check(Formula(text, "case.toml:1"), text); });
}

}  // namespace solenoid::fuzz

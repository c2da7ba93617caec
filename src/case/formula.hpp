// A number, or a formula of x, y, z [m] and t [s] such as "1 + 0.5*sin(pi*x)". Parsed by muParser.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/types.hpp"

namespace solenoid {

// The largest magnitude of a given quantity; squares and products of such quantities are finite in
// double precision.
constexpr double largest_quantity = 1e30;

// Copies share the parsed expression and its variables: only one thread may evaluate them at a
// time.
class Formula {
  public:
    Formula(double value = 0);  // a constant
    // Throws InputError at `place` with the column and the reason where the text does not parse.
    Formula(const std::string& text, const std::string& place);
    // Values at places that a function gives; text: what messages call it.
    Formula(std::function<double(const Vec3&)> values, const std::string& text,
            const std::string& place);

    double operator()(const Vec3& x, double t = 0) const;
    void evaluate(std::span<const Vec3> points, double t, std::span<double> values) const;
    // Evaluate; throw InputError with the formula, its place and the point where a value is not
    // finite.
    void evaluate_finite(std::span<const Vec3> points, double t, std::span<double> values) const;
    double finite_value(const Vec3& x, double t = 0) const;
    // Values of magnitude up to largest_quantity; else InputError.
    double quantity(const Vec3& x, double t = 0) const;
    double positive_value(const Vec3& x, double t = 0) const;      // quantity above 0
    double not_negative_value(const Vec3& x, double t = 0) const;  // quantity at least 0

    bool is_constant() const;
    bool depends_on_time() const;
    bool depends_on_place() const;
    const std::string& text() const;
    const std::string& place() const;  // such as "case.toml:12"; "" for a constant of the program

    // The product of both, at the place of `a`. Shares their expressions, as a copy does. Throws
    // InputError where it is an infinite constant.
    friend Formula operator*(const Formula& a, const Formula& b);

  private:
    struct Expression;
    std::shared_ptr<const Expression> expression_;
};

using VectorFormula = std::array<Formula, 3>;  // the third component is 0 in 2D

}  // namespace solenoid

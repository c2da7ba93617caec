// A number, or a formula of x, y, z [m] and t [s]: "1 + 0.5*sin(pi*x)". Parsed by muParser.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "core/types.hpp"

namespace solenoid {

// The largest magnitude of a given quantity: squares and products of such are finite in double
// precision.
constexpr double largest_quantity = 1e30;

// Copies share the parsed expression and its variables: one thread at a time evaluates them.
class Formula {
  public:
    Formula(double value = 0);  // a constant
    // Throws InputError(place, ...) with the column and the reason where it does not parse.
    Formula(const std::string& text, const std::string& place);

    double operator()(const Vec3& x, double t = 0) const;
    void evaluate(std::span<const Vec3> points, double t, std::span<double> values) const;
    // The same, and InputError naming the formula, its place and the point where a value is not
    // finite.
    void evaluate_finite(std::span<const Vec3> points, double t, std::span<double> values) const;
    double finite_value(const Vec3& x, double t = 0) const;
    // and of a magnitude up to largest_quantity
    double quantity(const Vec3& x, double t = 0) const;
    double positive_value(const Vec3& x, double t = 0) const;      // and above zero
    double not_negative_value(const Vec3& x, double t = 0) const;  // and not below zero

    bool is_constant() const;
    bool depends_on_time() const;
    bool depends_on_place() const;
    const std::string& text() const;
    const std::string& place() const;  // "case.toml:12", "" for a constant made by the program

  private:
    struct Expression;
    std::shared_ptr<const Expression> expression_;
};

// The product of two formulas, itself a formula (density times specific heat, say); placed where
// the first one is.
Formula operator*(const Formula& a, const Formula& b);

using VectorFormula = std::array<Formula, 3>;  // the third component is 0 in two dimensions

}  // namespace solenoid

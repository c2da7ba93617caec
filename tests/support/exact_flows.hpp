// Velocities that solve the equations exactly.
#pragma once

#include "support/boundaries.hpp"

namespace solenoid::test {

// Kovasznay 1948, Re = 40: steady, behind a grid. Its pressure is -e^(2 lambda x) / 2.
constexpr const char* kovasznay_lambda = "(20-sqrt(400+4*pi^2))";
inline VectorFormula kovasznay() {
    const std::string lambda = kovasznay_lambda;
    return vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)",
                           lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
}

// Ethier & Steinman 1994: unsteady, all terms of the equations, on tets; nu: viscosity.
inline VectorFormula ethier_steinman(double nu) {
    const std::string decay = "*exp(-" + std::to_string(nu) + "*(pi/2)^2*t)", a = "(pi/4)",
                      d = "(pi/2)";
    const auto component = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "-" + a + "*(exp(" + a + "*" + x + ")*sin(" + a + "*" + y + "+" + d + "*" + z +
               ")+exp(" + a + "*" + z + ")*cos(" + a + "*" + x + "+" + d + "*" + y + "))" + decay;
    };
    return vector_formula(
        {component("x", "y", "z"), component("y", "z", "x"), component("z", "x", "y")});
}

}  // namespace solenoid::test

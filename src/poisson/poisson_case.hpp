// What a case of Poisson's equation says, beside what every case does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

struct PoissonSettings {        // [poisson]: -div(k grad U) + c U = f, all of x, y
    Formula conductivity{1.0};  // k, positive
    Formula source{0.0};        // f
    Formula reaction{0.0};      // c, not negative
};

struct GridSolveSettings {            // [solver.U]
    std::optional<double> tolerance;  // of ||b - A x|| / ||b||; default 1e-10 double, 1e-5 single
    int max_iterations = 1000;        // or cycles
    std::string method = "cg";        // "cg", "cycles", "full"
    std::string cycle = "V";          // "V", "W"
    std::string smoother = "automatic";  // one of grid_smoother_names()
    int before = 1, after = 1;           // sweeps of a cycle
};

struct PoissonCase {
    PoissonSettings poisson;
    std::vector<PoissonBoundary> boundaries;
    GridSolveSettings solver;
};

}  // namespace solenoid

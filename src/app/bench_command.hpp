// solenoid bench poisson: what a linear solve costs here.
#pragma once

#include <filesystem>
#include <string>

#include "core/types.hpp"
#include "parallel/communicator.hpp"
#include "solvers/multigrid/hierarchy.hpp"

namespace solenoid {

struct PoissonBenchOptions {
    std::string on = "cells";     // "cells", "nodes", "edges"
    double size = 0;              // cells of a box, or 0
    std::filesystem::path mesh;   // a Gmsh file where no size is given
    std::string device = "auto", precision = "double", preconditioner = "multigrid";
    double tolerance = 1e-8;
    std::string against;  // "hypre", or nothing
    int repeats = 1;      // times are medians of these
    bool json = false;
    bool kernels = false;  // adds a table of what the kernels cost; they wait for one another
    MultigridSettings multigrid;
};

// Solves one Poisson problem and prints a table, or one JSON object with the keys unknowns, iterations, setup_seconds,
// solve_seconds, true_residual, operator_complexity, bytes, levels, and where asked for `against`: a list of other ways
// to solve the same system, and `kernels`: what each launched on the root's device cost in the solve. Returns the exit code. Collective.
int bench_poisson(const Communicator& comm, const PoissonBenchOptions& options);

}  // namespace solenoid

// The same system solved by hypre's BoomerAMG and its conjugate gradients, where hypre is
// installed: what others need.
#pragma once

#include "bench/poisson_problem.hpp"

namespace solenoid::bench {

struct HypreSettings {
    double tolerance = 1e-8;    // ||b - A x||_2 <= tolerance ||b||_2
    int aggressive_levels = 1;  // of coarsening (HMIS, extended+i interpolation of 4 entries a row)
};

struct HypreResult {
    int iterations = 0;
    double setup_seconds = 0, solve_seconds = 0;
    std::vector<double> x;  // of the marked entities, 0 on fixed ones
};

void require_hypre();  // throws InputError where the program was built without it
// Collective, on all processes.
HypreResult solve_with_hypre(const Communicator& comm, const EntityRanges& ranges,
                             const HaloPlan& halo, const PoissonProblem& problem,
                             const HypreSettings& settings);

}  // namespace solenoid::bench

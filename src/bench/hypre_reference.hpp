// Reference solver: conjugate gradients with BoomerAMG of hypre, where hypre is installed.
#pragma once

#include "bench/poisson_problem.hpp"

namespace solenoid::bench {

struct HypreSettings {
    double tolerance = 1e-8;  // ||b - A x||_2 <= tolerance ||b||_2
    // levels of aggressive coarsening (HMIS, extended+i interpolation with 4 entries per row)
    int aggressive_levels = 1;
};

struct HypreResult {
    int iterations = 0;
    double setup_seconds = 0, solve_seconds = 0;
    std::vector<double> x;  // of the owned entities, 0 on fixed ones
};

void require_hypre();  // throws InputError in a build without hypre
// Collective over all processes.
HypreResult solve_with_hypre(const Communicator& comm, const EntityRanges& ranges,
                             const HaloPlan& halo, const PoissonProblem& problem,
                             const HypreSettings& settings);

}  // namespace solenoid::bench

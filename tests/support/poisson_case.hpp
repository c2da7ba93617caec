// The Poisson problem of the benchmarks on a box of tets that is cut over all ranks.
#pragma once

#include "bench/poisson_problem.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::test {

struct PoissonCase {
    Communicator comm = Communicator::world();
    DistributedMesh mesh;
    bench::PoissonProblem problem;
    EntityRanges ranges;

    PoissonCase(Kind kind, std::size_t cells)
        : mesh(distribute(comm, comm.is_root() ? std::optional(box(cells)) : std::nullopt)),
          problem(bench::poisson_problem(comm, mesh, kind)),
          ranges(mesh.range(kind)) {}
    static SimplexMesh box(std::size_t cells) {
        BoxSettings settings;
        settings.cells = cells;
        return box_mesh(settings);
    }
};

}  // namespace solenoid::test

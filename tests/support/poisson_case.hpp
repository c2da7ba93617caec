// A Poisson problem on a box of tets that is cut over all ranks.
#pragma once

#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/poisson_problem.hpp"

namespace solenoid::test {

struct PoissonCase {
    Communicator comm = Communicator::world();
    DistributedMesh mesh;
    PoissonProblem problem;
    EntityRanges ranges;

    PoissonCase(Kind kind, std::size_t cells)
        : mesh(distribute(comm, comm.is_root() ? std::optional(box(cells)) : std::nullopt)),
          problem(poisson_problem(mesh, kind)),
          ranges(mesh.range(kind)) {}
    static SimplexMesh box(std::size_t cells) {
        BoxSettings settings;
        settings.cells = cells;
        return box_mesh(settings);
    }
};

}  // namespace solenoid::test

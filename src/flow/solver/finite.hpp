// Where a field of cells is no longer finite.
#pragma once

#include <string>

#include "operators/domain.hpp"

namespace solenoid {

// Throws ComputationError with the time [s], the cell and its place where a value of this rank's
// own cells is infinite or no number, or its square is; `what` is for the message: "the velocity".
// Collective.
template <class Real>
void check_finite(const Domain& domain, const Buffer<Real>& of_cells, const std::string& what,
                  double when);
template <class Real>
void check_finite(const Domain& domain, const Field<Real>& of_cells, const std::string& what,
                  double when) {
    check_finite(domain, of_cells.values(), what, when);
}

// What helps where a solve fails at a time: "; or take a smaller time.step", nothing at the start,
// before any step.
std::string or_shorter_step(double when);

// " in cell 12 at (0.1, 0.2, 0)", with the cell's number in the whole mesh, from 1.
std::string named_cell(const DistributedMesh& mesh, const Geometry& geometry, Index cell);

}  // namespace solenoid

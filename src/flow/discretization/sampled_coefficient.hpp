// A diffusion coefficient given by a formula, on a mesh at one time, and its jumps.
// docs/numerics.md, "Coefficients that jump".
#pragma once

#include "case/formula.hpp"
#include "operators/domain.hpp"

namespace solenoid {

struct SampledCoefficient {
    // A face between two cells where the coefficient jumps: its values at the face in the first and
    // in the second cell.
    struct Jump {
        Index face;
        std::array<double, 2> beside;
    };
    // for all faces held: the value at the centroid; at a jump the mean of two layers in series; on
    // the boundary the value of the cell
    std::vector<double> faces;
    // for owned cells: the mean over their faces of the values on the cell's side
    std::vector<double> cells;
    // on faces with both cells held, in ascending order
    std::vector<Jump> jumps;
    double cells_cut = 0;  // number of cells inside which it jumps, over all ranks
    Vec3 cut_at{0};        // centroid of the lowest such cell [m]
};

// Throws InputError where the formula is negative or not finite. Collective.
SampledCoefficient sample_coefficient(const Domain& domain, const Formula& formula, double time);

// Warns that a coefficient jumps inside cells. name: such as "[fluid] viscosity".
void remark_cut_cells(const SampledCoefficient& coefficient, const std::string& name);

}  // namespace solenoid

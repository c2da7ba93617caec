// A coefficient of diffusion that a formula gives, on a mesh at one time, and where it jumps.
// docs/numerics.md, "Coefficients that jump".
#pragma once

#include "case/formula.hpp"
#include "operators/domain.hpp"

namespace solenoid {

struct SampledCoefficient {
    // A face between two cells on which it jumps: its values beside the face, in the first cell and
    // in the second.
    struct Jump {
        Index face;
        std::array<double, 2> beside;
    };
    // of all faces held: at the centroid; of a jump the mean that two layers in series have; on the
    // boundary that of the cell inside
    std::vector<double> faces;
    // of owned cells: the mean of their faces, as they are on the cell's side
    std::vector<double> cells;
    // on faces both cells of which are held, in ascending order of the faces
    std::vector<Jump> jumps;
    double cells_cut = 0;  // cells inside which it jumps, of all ranks
    Vec3 cut_at{0};        // the centroid of the one with the lowest number [m]
};

// Throws InputError where it is negative or not finite. Collective.
SampledCoefficient sample_coefficient(const Domain& domain, const Formula& formula, double time);

// Says once of a coefficient, "[fluid] viscosity" say, that it jumps inside cells.
void remark_cut_cells(const SampledCoefficient& coefficient, const std::string& name);

}  // namespace solenoid

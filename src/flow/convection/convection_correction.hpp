// The correction that makes skew-symmetric convection exact for linear fields in uniform flow on
// any mesh: a flux through a face partly passes through a third cell. docs/numerics.md,
// "Skew-symmetric convection".
#pragma once

#include "core/uninitialized_vector.hpp"
#include "flow/discretization/flow_discretization.hpp"

namespace solenoid {

// The value at face f of a cell n gets gamma_fg (u_nb(g) - u_n) for each other face g of n. gamma
// minimizes the defect, the sum over cells of |integral of div(u x) less V|^2 / V^2 for u and x of
// all components, with the least norm. CGLS runs until `left` of the initial defect remains, at
// most `most` iterations.
struct ConvectionCorrection {
    // (dimension + 1)^2 for each cell held, [f][g]; zero at boundary faces
    UninitializedVector<double> gamma;
    double before = 0, after = 0;  // root mean square of the defect
    int iterations = 0;
};
inline constexpr double correction_left = 0.02;
inline constexpr int correction_iterations = 20;

// transposed: weights of each owned cell in its nodes' values, dimension + 1 for each cell; zero
// where the node's value is given. ends: flags of the faces held where DuctEnds adds its part;
// empty: none. Collective.
ConvectionCorrection convection_correction(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry,
                                           const std::vector<double>& transposed,
                                           double left = correction_left,
                                           int most = correction_iterations,
                                           const std::vector<bool>& ends = {});

}  // namespace solenoid

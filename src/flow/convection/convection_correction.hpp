// What makes the skew-symmetric convection exact for linear fields in uniform flow on any mesh
// (docs/numerics.md, "Skew-symmetric convection"): a flux through a face may take part of its way
// through a third cell.
#pragma once

#include "core/uninitialized_vector.hpp"
#include "flow/discretization/flow_discretization.hpp"

namespace solenoid {

// The face f of a cell n takes gamma_fg (u_nb(g) - u_n) of each other face g of n into its value.
// Least squares: of all gamma with the least defect, the sum over cells of |integral of div(u x)
// less V|^2 / V^2, u and x running over all components, the one of least norm; by CGLS to `left` of
// the defect without them, or as far as `most` iterations get.
struct ConvectionCorrection {
    // (dimension + 1)^2 a cell held, [f][g]; zero through boundary faces
    UninitializedVector<double> gamma;
    double before = 0, after = 0;  // root mean square of the defect
    int iterations = 0;
};
inline constexpr double correction_left = 0.02;
inline constexpr int correction_iterations = 20;

// transposed: weights of each owned cell in its nodes' values, dimension + 1 a cell; zero where the
// node's value is given. ends: of the faces held, where DuctEnds adds its part; empty: none.
ConvectionCorrection convection_correction(const Communicator& comm, const DistributedMesh& mesh,
                                           const Geometry& geometry,
                                           const std::vector<double>& transposed,
                                           double left = correction_left,
                                           int most = correction_iterations,
                                           const std::vector<bool>& ends = {});

}  // namespace solenoid

// Where cells are too thin for face values by nodes. docs/numerics.md, "Thin cells".
#pragma once

#include "mesh/geometry.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// For each cell held the part of its face values that may come from slopes and fits: 1 up to an
// aspect of 5, 0 from 10 on, linear in height over length between. The aspect is the length of the
// cell's largest face, in 3D of an equilateral one of its size, over the cell's height on it.
std::vector<double> slope_parts(const Mesh& mesh);

// The tolerance of a projection's solve: as given up to an aspect a of 10, else times (10 /
// a)^(3/2), with the largest aspect of all ranks, and no less than rounding allows. A residual of
// one size leaves velocities that are larger by a in the mean square, and by a^(3/2) in the
// thinnest cells. Collective.
template <class Real>
double thin_tolerance(const Domain& domain, double tolerance);

// The smaller part of a face's two cells, for faces [0, count).
std::vector<double> slope_parts_at_faces(const Mesh& mesh, const std::vector<double>& of_cells,
                                         Index count);

// The part of the skewness that stays where face values do not come from slopes: 1 of faces along a
// layer between cells of like heights, 0 of a thin cell's short faces and where one height is under
// a ninth of the other. theta: of FaceCoefficients. For faces [0, theta.size()) between two cells.
std::vector<double> skewness_parts(const Mesh& mesh, const std::vector<double>& theta);

}  // namespace solenoid

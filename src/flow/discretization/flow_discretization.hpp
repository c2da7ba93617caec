// Coefficients of the collocated finite-volume scheme on one rank, in double. docs/numerics.md,
// "Collocated momentum".
#pragma once

#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// c of the normal derivative at a boundary face with a given value u_b, c (u_b - u_c - g_c . r_t) /
// d_n - (c - 1) g_c . n, by the cell's value and gradient: 2 of the parabola through both, 4/3 of
// that through both values and the node opposite.
constexpr double parabolic_conductance_factor(int dimension) {
    return dimension == 2 ? 2 : 4.0 / 3;
}

// Cell fields are followed by one value for every boundary face of this rank's own cells, the value
// at the face: a boundary face then lies between its cell and that value, and kernels need no
// branch.
struct BoundaryFaces {
    std::vector<Index> faces;     // of the domain's boundary, among [0, shared) faces
    std::vector<Index> cells;     // the cell inside
    std::vector<double> outward;  // +1 where the face's normal leaves the domain
    // what the face conducts to its own value, times A / d_n: parabolic_conductance_factor(), above
    // 1, where the value is given
    std::vector<double> conductance_factor;
    // the value of faces[k] is entry first + k of a cell field with boundary values
    Index first = 0;
};
BoundaryFaces boundary_faces(const DistributedMesh& mesh);

// A part of a vector that a boundary leaves as it is, for some entities: sum of e (e . v) over
// orthonormal directions e, `dimension` of them an entity, zero where there are fewer.
struct FreeDirections {
    std::vector<Index> entities;
    std::vector<Vec3> directions;

    // keeps what is normal to `taken` (orthonormal)
    void add(Index entity, const std::vector<Vec3>& taken, int dimension);
};

// On a face between the values a (left by the normal) and b, with node values t_j:
//   value      (1 - theta) a + theta b + sum_j skew_j (t_j - t_0)       at the face's centroid
//   n . grad   A n . grad = conduction (b - a) - sum_j cross_j (t_j - t_0)
// both exact for linear fields ("diamond" scheme: Coudiere, Vila & Villedieu 1999). Columns j = 1
// .. dimension - 1.
struct FaceCoefficients {
    Table cells;  // a and b, boundary faces' values among them
    std::vector<double> theta;
    std::vector<double> conduction;  // A / (d . n) [m], in 2D dimensionless
    std::vector<double> skew;        // (dimension - 1) columns
    std::vector<double> cross;       // (dimension - 1) columns
};
// conduction of a boundary face is its grip times A / d_n.
FaceCoefficients face_coefficients(const DistributedMesh& mesh, const Geometry& geometry,
                                   const BoundaryFaces& boundary);

// Of any face, with grip 1: conduction, and cross_j of all its nodes, the sum of which is 0.
struct FaceGradient {
    double conduction;
    std::array<double, 3> cross;
};
FaceGradient face_gradient(const Mesh& mesh, const Geometry& geometry, Index face);

// Neighbours through faces and what they conduct: the implicit part of diffusion, nu A / (d . n) a
// face times its factor, a row for each owned cell.
struct CellDiffusion {
    Rows neighbours;
    std::vector<double> weights;
    std::vector<Index> faces;  // of each entry, and what it conducts by viscosity
    std::vector<double> conduction;
    std::vector<double> to_boundary;  // a cell's sum over its boundary faces with a given value
};
CellDiffusion cell_diffusion(const DistributedMesh& mesh, const FaceCoefficients& coefficients,
                             const BoundaryFaces& boundary, double viscosity,
                             const std::vector<double>& factors = {});

// The explicit part of diffusion through a boundary face, along its normal: sum_j w_j t_j over the
// nodes of the cell inside, w_j = A grad(phi_j) . (c r_t / d_n + (c - 1) n), with n outward, d_n
// the cell centroid's distance, r_t the tangential part of x_f - x_c. (dimension + 1) columns; zero
// where no value is given.
std::vector<double> boundary_weights(const DistributedMesh& mesh, const Geometry& geometry,
                                     const BoundaryFaces& boundary);

// Gradients in the face's plane of the linear functions that are 1 at its node j and 0 at the
// others; that of node 0, minus the sum of the rest, is not given.
std::array<Vec3, 3> tangential_gradients(const Mesh& mesh, Index face, const Vec3& area);

// Node values from the cells round a node, exact for linear fields: least squares with
// inverse-square weights. At the nodes of `mirrored` their mirror images count too: what is kept
// there does not change across the boundary. Where the cells determine the gradient badly (corners
// of the domain) it counts in part.
struct NodeWeights {
    Rows cells;
    std::vector<double> weights;
};
NodeWeights node_weights(const DistributedMesh& mesh, const Geometry& geometry,
                         const FreeDirections& mirrored);

}  // namespace solenoid

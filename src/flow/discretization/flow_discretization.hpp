// Coefficients of the collocated finite-volume scheme on one rank, in double precision.
// docs/numerics.md, "Collocated momentum".
#pragma once

#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// The conductance factor c of a boundary face with a given value u_b. The normal derivative from
// the cell's value and gradient is
//   du/dn = c (u_b - u_c - g_c . r_t) / d_n - (c - 1) g_c . n
// with c = 2 for the parabola through both values (2D), 4/3 for the one through both values and the
// opposite node (3D).
constexpr double parabolic_conductance_factor(int dimension) {
    return dimension == 2 ? 2 : 4.0 / 3;
}

// The boundary faces of a rank's own cells. A cell field has one additional entry for each, the
// value at the face, behind its cells: a boundary face then lies between its cell and this entry,
// and kernels need no branch.
struct BoundaryFaces {
    std::vector<Index> faces;     // among [0, shared) faces
    std::vector<Index> cells;     // the cell inside
    std::vector<double> outward;  // +1 where the face's normal leaves the domain
    // conductance factor, times A / d_n: parabolic_conductance_factor() (above 1) where the value
    // is given
    std::vector<double> conductance_factor;
    std::vector<bool> slips_curved;  // whether the fluid slips there along a curved wall
    // The value of faces[k] is entry first + k of a cell field with boundary values.
    Index first = 0;
};
BoundaryFaces boundary_faces(const DistributedMesh& mesh);

// The free directions of some entities: of a vector v the part sum e (e . v) over orthonormal
// directions e remains. Each entity has `dimension` directions; unused ones are zero.
struct FreeDirections {
    std::vector<Index> entities;
    std::vector<Vec3> directions;

    // Adds an entity whose free directions are those normal to `taken` (orthonormal).
    void add(Index entity, const std::vector<Vec3>& taken, int dimension);
};

// Coefficients of the faces for values a (in the cell that the normal leaves) and b, and node
// values t_j:
//   value at the face's centroid = (1 - theta) a + theta b + sum_j skew_j (t_j - t_0)
//   A n . grad                   = conduction (b - a) - sum_j cross_j (t_j - t_0)
// Both are exact for linear fields ("diamond" scheme: Coudiere, Vila & Villedieu 1999). Columns j =
// 1 .. dimension - 1.
struct FaceCoefficients {
    Table cells;  // cells a and b, or the entry of a boundary value
    std::vector<double> theta;
    std::vector<double> conduction;  // A / (d . n) [m], in 2D dimensionless
    std::vector<double> skew;        // (dimension - 1) columns
    std::vector<double> cross;       // (dimension - 1) columns
};
// At a boundary face conduction is conductance_factor A / d_n.
FaceCoefficients face_coefficients(const DistributedMesh& mesh, const Geometry& geometry,
                                   const BoundaryFaces& boundary);

// The gradient coefficients of any face with conductance factor 1: conduction, and cross_j of all
// its nodes, whose sum is 0.
struct FaceGradient {
    double conduction;
    std::array<double, 3> cross;
};
FaceGradient face_gradient(const Mesh& mesh, const Geometry& geometry, Index face);

// The implicit part of diffusion: neighbours through faces and weights nu A / (d . n) times the
// face's factor, a row for each owned cell.
struct CellDiffusion {
    Rows neighbours;
    std::vector<double> weights;
    std::vector<Index> faces;  // face of each entry, and its conduction without nu
    std::vector<double> conduction;
    // for each cell the sum over its boundary faces with a given value
    std::vector<double> to_boundary;
};
CellDiffusion cell_diffusion(const DistributedMesh& mesh, const FaceCoefficients& coefficients,
                             const BoundaryFaces& boundary, double viscosity,
                             const std::vector<double>& factors = {});

// The explicit part of diffusion through a boundary face, along its normal: sum_j w_j t_j over the
// nodes of its cell with
//   w_j = A grad(phi_j) . (c r_t / d_n + (c - 1) n)
// where n is outward, d_n the distance of the cell's centroid, r_t the tangential part of x_f -
// x_c. (dimension + 1) columns; zero where no value is given.
std::vector<double> boundary_weights(const DistributedMesh& mesh, const Geometry& geometry,
                                     const BoundaryFaces& boundary);

// For faces[k] in `of`, weights w_j of the cell's nodes such that sum_j w_j t_j is what the
// velocity at the foot of the face's normal through the cell's centroid exceeds that at the
// centroid's own place along the face: the change along the face from the centroid to the face's
// own. (dimension + 1) columns; zero elsewhere.
std::vector<double> foot_weights(const DistributedMesh& mesh, const Geometry& geometry,
                                 const BoundaryFaces& boundary, const std::vector<bool>& of);

// In-plane gradients [1/m] of a face's linear shape functions. That of node 0, minus the sum of the
// others, is omitted.
std::array<Vec3, 3> tangential_gradients(const Mesh& mesh, Index face, const Vec3& area);

// Node values from the cells at a node, exact for linear fields: least squares with inverse-square
// weights. At the nodes of `mirrored` the mirror images of the cells count too, since free
// directions do not change across the boundary. Where the cells hardly determine the gradient
// (corners of the domain) it is scaled down.
struct NodeWeights {
    Rows cells;
    std::vector<double> weights;
};
NodeWeights node_weights(const DistributedMesh& mesh, const Geometry& geometry,
                         const FreeDirections& mirrored);
// sum w (x_c - x_i) of a node's weights.
Vec3 mean_place(const Mesh& mesh, const Geometry& geometry, const NodeWeights& weights, Index node);

}  // namespace solenoid

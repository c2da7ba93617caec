// Vorticity on codim-2 entities, values at nodes in 2D [1/s], integrals along edges in 3D [m/s]:
//   M omega = C^T X^T u + b
// with M the lumped mass of the nodes (2D) or the mass matrix of the edge elements (3D), I the
// integration of cell vectors over faces, b of boundary_circulation.hpp. omega = 0 on codim-2
// entities in symmetry planes.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/operators.hpp"
#include "operators/state.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

// M on the owned codim-2 entities [m^2, in 3D m]; in 2D it is diagonal.
HostMatrix codim2_mass(const DistributedMesh& mesh);

template <class Real>
class Vorticity {
  public:
    // All references must outlive this. Collective, as all below.
    Vorticity(const Domain& domain, const FlowBoundaries& boundaries, const CgSettings& settings);

    Field<Real> field() const { return domain_.field<Real>(domain_.codim2_kind); }
    void update_boundary(double time);  // b at a time [s]

    // omega of the cell velocities u [m/s], from the guess in it. Throws ComputationError where the
    // solve fails; `when` is for its message [s].
    void solve(const Field<Real>& u, Field<Real>& omega, double when);
    // omega at centroids, a cell vector [1/s]; in 2D in the first component.
    void at_cells(const Field<Real>& omega, Field<Real>& cells);
    void curl(const Field<Real>& omega,
              Field<Real>& cells);  // at centroids, a cell vector [1/(m s)]

    const SolveTotals& solves() const { return solves_; }
    void register_state(const State<Real>& state) { solves_.register_state(state); }

  private:
    void upload_elements();
    void fix_symmetry();

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    Operators<Real>& operators_;
    const CgSettings settings_;
    const int d_;
    RowMatrix<Real> matrix_;
    ConjugateGradients<Real> cg_;
    Buffer<std::uint32_t> cell_codim2_;  // the codim-2 entities of each owned cell
    // Of each of them a vector, its element at the centroid: 1/3 in the first component in 2D, that
    // of the edge [1/m] in 3D.
    Buffer<Real> element_;
    Field<Real> circulation_;                // of faces: a flux or the circulation I u
    Field<Real> rhs_, free_rhs_, boundary_;  // of codim-2 entities; boundary_: b
    SolveTotals solves_;
    bool is_updated_ = false;  // update_boundary() was called
};

}  // namespace solenoid

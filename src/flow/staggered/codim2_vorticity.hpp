// Vorticity on codim-2 entities, values at nodes in 2D and integrals along edges in 3D: M omega =
// C^T I u + b, with M the lumped mass of the nodes (2D) or the mass matrix of the edge elements
// (3D), b of boundary_circulation.hpp; zero on codim-2 entities in symmetry.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

// M on the marked codim-2 entities; in 2D it is diagonal.
HostMatrix codim2_mass(const DistributedMesh& mesh);

template <class Real>
class Vorticity {
  public:
    // All references must outlive this. Collective, as all below.
    Vorticity(const Domain& domain, const FlowBoundaries& boundaries, const CgSettings& settings);

    Field<Real> field() const { return domain_.field<Real>(domain_.codim2_kind); }
    void update_boundary(double time);  // the boundary's velocity

    // omega of cell velocities, from the guess in omega. Throws ComputationError where the solve
    // fails; `when` is for its message.
    void solve(const Field<Real>& u, Field<Real>& omega, double when);
    // at centroids; in 2D in the first component
    void at_cells(const Field<Real>& omega, Field<Real>& cells);
    void curl(const Field<Real>& omega, Field<Real>& cells);  // of the vorticity, at centroids

    const SolveTotals& solves() const { return solves_; }

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
    Buffer<std::uint32_t> cell_codim2_;
    Buffer<Real> element_;
    Field<Real> circulation_, rhs_, free_rhs_, boundary_;
    SolveTotals solves_;
    bool seen_ = false;
};

}  // namespace solenoid

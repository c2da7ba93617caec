// The default convection of collocated momentum: skew-symmetric, so that it neither makes nor takes kinetic energy whatever
// the mesh and the velocity, and second order; and a penalty of jumps, which takes what is rough from cell to cell. docs/numerics.md,
// "Skew-symmetric convection" and "The jump penalty".
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class SkewConvection {
  public:
    // All references must outlive this. Collective.
    SkewConvection(const Domain& domain, const FlowBoundaries& boundaries,
                   const CellStencil<Real>& stencil, BoundaryVelocity<Real>& boundary, double jump_penalty);

    // Of u (with its boundary) with these node values and defects (cell_defect): what faces inside carry, less
    // `diffusion` of the cells' and the nodes' differences. Collective.
    void to_faces(const Field<Real>& u, const Field<Real>& defect, const Buffer<Real>& at_nodes, const Field<Real>& flux, const Buffer<Real>& diffusion, Field<Real>& transport);
    // Adds to what the faces brought into the cells what makes the whole skew, and the jump penalty. After to_faces(). Collective.
    void add_transposed(const Field<Real>& u, const Field<Real>& defect, const Field<Real>& flux, Field<Real>& brought);

    // What the jump penalty of the last add_transposed() takes of this rank's kinetic energy, by density [m^(d+2)/s^3].
    double penalty_power() const;

  private:
    void sharpen(const Field<Real>& field, Field<Real>& sharp);

    const Domain& domain_;
    const int d_;
    const CellStencil<Real>& stencil_;
    BoundaryVelocity<Real>& boundary_;
    const double jump_penalty_;
    Buffer<std::uint32_t> neighbour_;              // of all cells held
    Buffer<Real> gamma_, weight_;                  // ConvectionCorrection; of owned cells in their nodes
    SlicedRows corners_;
    Field<Real> jumps_, sharp_, rough_, penalty_, at_nodes_;
};

}  // namespace solenoid

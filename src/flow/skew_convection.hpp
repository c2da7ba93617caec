// The default convection of collocated momentum: skew-symmetric, so that it neither makes nor takes kinetic energy whatever
// the mesh and the velocity, and second order; and a penalty of jumps, which takes what is rough from cell to cell. docs/numerics.md,
// "Skew-symmetric convection" and "The jump penalty".
#pragma once

#include "flow/boundary_velocity.hpp"
#include "flow/cell_stencil.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class SkewConvection {
  public:
    // All references must outlive this. Collective.
    SkewConvection(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& boundaries,
                   const CellStencil<Real>& stencil, const BoundaryVelocity<Real>& boundary, Operators<Real>& operators, double jump_penalty);

    // Of u (lengthened, ghosts filled) with these node values and defects (cell_defect, ghosts filled): what faces inside carry,
    // less cross diffusion and `conduction` between the cells. `flux`: its ghosts are filled on the way. Collective.
    void to_faces(const Buffer<Real>& u, const Buffer<Real>& defect, const Buffer<Real>& at_nodes, Buffer<Real>& flux, const Buffer<Real>& conduction, Real viscosity,
                  Buffer<Real>& transport);
    // Adds to what the faces brought into the cells what makes the whole skew, and the jump penalty. After to_faces(). Collective.
    void add_transposed(const Buffer<Real>& u, const Buffer<Real>& defect, const Buffer<Real>& flux, Buffer<Real>& brought);

    // What the jump penalty of the last add_transposed() takes of this rank's kinetic energy, by density [m^(d+2)/s^3].
    double penalty_power() const;

  private:
    void sharpen(const Buffer<Real>& field, Buffer<Real>& sharp);

    Device& device_;
    const int d_;
    const EntityRanges cells_, faces_, nodes_;
    const CellStencil<Real>& stencil_;
    const BoundaryVelocity<Real>& boundary_;
    Operators<Real>& operators_;
    const double jump_penalty_;
    Buffer<std::uint32_t> cell_face_, neighbour_;  // of all cells held
    Buffer<Real> gamma_, weight_;                  // ConvectionCorrection; of owned cells in their nodes
    SlicedRows corners_;
    Buffer<Real> jumps_, sharp_, rough_, penalty_, at_nodes_;
};

}  // namespace solenoid

// The default convection of collocated momentum: skew-symmetric, so that it neither makes nor takes
// kinetic energy whatever the mesh and the velocity, and second order; and a penalty of jumps,
// which takes what is rough from cell to cell. docs/numerics.md, "Skew-symmetric convection" and
// "The jump penalty".
#pragma once

#include "flow/convection/convection_scheme.hpp"
#include "flow/convection/duct_ends.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class SkewConvection final : public Convection<Real> {
  public:
    // Of a velocity. Collective.
    explicit SkewConvection(const ConvectedField<Real>& field);

    using Carried = typename Convection<Real>::Carried;
    void to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                  Field<Real>& transport) override;
    // What makes the whole skew, and the jump penalty.
    void add_to_cells(const Carried& carried, Field<Real>& brought) override;
    void use_differences(bool are_differences) override {
        keeps_variation_ = are_differences || is_frozen_;
    }
    void freeze(const Field<Real>& at_nodes) override;
    double penalty_power() const override;
    double boundary_power() const override { return ends_.power(); }

  private:
    void set_still_faces(const std::vector<double>& passed);
    void update_variation(const Field<Real>& at_nodes);
    void sharpen(const Field<Real>& field, Field<Real>& sharp);

    const Domain& domain_;
    const int d_;
    const CellStencil<Real>& stencil_;
    BoundaryVelocity<Real>& boundary_;
    DuctEnds<Real> ends_;
    const double jump_penalty_;
    Buffer<std::uint32_t> neighbour_;  // of all cells held
    // ConvectionCorrection; of owned cells in their nodes
    Buffer<Real> gamma_, weight_;
    Buffer<std::uint32_t> face_cells_;  // of all faces held
    SellRows node_faces_;               // inside
    // of CellStencil::node_cells the node's row in work_
    SellRows corners_;
    Buffer<Real> work_;  // d + 1 rows a cell held
    // over faces, the flux of some part of the domain: none that fluid passes
    bool varies_ = false;
    Buffer<std::uint32_t> still_;  // faces of the other parts, where there are both
    Buffer<Real> no_variation_;    // of these
    Field<Real> variation_;        // how the flux varies over faces
    bool keeps_variation_ = false, is_frozen_ = false;
    Field<Real> jump_, jumps_, sharp_, rough_, penalty_, at_nodes_;
};

}  // namespace solenoid

// The default convection of collocated momentum. It is skew-symmetric, so that it conserves kinetic
// energy on any mesh, and of second order; a jump penalty damps what is rough from cell to cell.
// docs/numerics.md, "Skew-symmetric convection" and "The jump penalty".
#pragma once

#include "flow/convection/convection_scheme.hpp"
#include "flow/convection/duct_ends.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class SkewConvection final : public Convection<Real> {
  public:
    // field: of a velocity. Collective.
    explicit SkewConvection(const ConvectedField<Real>& field);

    using Carried = typename Convection<Real>::Carried;
    void to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                  Field<Real>& transport) override;
    // Adds the transposed terms that make the whole skew-symmetric, and the jump penalty.
    void add_to_cells(const Carried& carried, Field<Real>& brought) override;
    void use_differences(bool are_differences) override {
        keeps_variation_ = are_differences || is_frozen_;
    }
    void freeze(const Field<Real>& at_nodes) override;
    double penalty_power() const override;
    RankSum boundary_power() const override { return ends_.power(); }

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
    // ConvectionCorrection::gamma; weights of owned cells in their nodes
    Buffer<Real> gamma_, weight_;
    Buffer<std::uint32_t> face_cells_;  // of all faces held
    SellRows node_faces_;               // faces inside the domain
    // for each entry of CellStencil::node_cells the node's row in work_
    SellRows corners_;
    Buffer<Real> work_;  // d + 1 rows for each cell held
    // whether the flux's variation over faces counts in some part of the domain: in parts without
    // through-flow
    bool varies_ = false;
    // faces of the parts with through-flow, where there are parts of both kinds
    Buffer<std::uint32_t> still_;
    Buffer<Real> no_variation_;  // zeros for these
    Field<Real> variation_;      // variation of the flux over faces
    bool keeps_variation_ = false, is_frozen_ = false;
    Field<Real> jump_, jumps_, sharp_, rough_, penalty_, at_nodes_;
};

}  // namespace solenoid

// Recovery of a velocity's values at nodes and boundary faces from its cells and the boundary
// conditions.
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/kinked_nodes.hpp"

namespace solenoid {

template <class Real>
class VelocityRecovery final : public Recovery<Real> {
  public:
    // kinks: of the viscosity. is_parabolic: node values for output include the quadratic
    // correction. All references must outlive this.
    VelocityRecovery(const CellStencil<Real>& stencil, const KinkedNodes<Real>& kinks,
                     BoundaryVelocity<Real>& boundary, bool is_parabolic = true)
        : stencil_(stencil), kinks_(kinks), boundary_(boundary), is_parabolic_(is_parabolic) {}

    void to_nodes(const Field<Real>& u, Field<Real>& at_nodes) override {
        recover_at_nodes(stencil_, u, at_nodes);
        kinks_.interpolate(u, at_nodes);
        boundary_.extend_to_nodes(at_nodes);
    }
    void to_boundary(CellField<Real>& u) override { boundary_.impose_at_faces(u, u.at_nodes()); }
    std::uint64_t version() const override { return boundary_.version() + kinks_.version(); }

    CellField<Real> velocity() {
        return {stencil_.domain, stencil_.domain.dimension, stencil_.boundary_faces.size(), *this};
    }
    // Node values for output, with add_quadratic_correction().
    void to_nodes_for_output(CellField<Real>& u, Field<Real>& at_nodes) {
        at_nodes.copy(u.at_nodes());
        if (!is_parabolic_) return;
        add_quadratic_correction(stencil_, kinks_, u, at_nodes);
        boundary_.constrain_at_nodes(at_nodes);
    }

  private:
    const CellStencil<Real>& stencil_;
    const KinkedNodes<Real>& kinks_;
    BoundaryVelocity<Real>& boundary_;
    const bool is_parabolic_;
};

}  // namespace solenoid

// The pressure gradient at curved walls along which the fluid moves: it bends the fluid's path.
// docs/numerics.md, "Boundaries of a flow".
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/viscosity.hpp"

namespace solenoid {

template <class Real>
class CurvedWalls {
  public:
    // also_held: walls with a velocity of their own count, too, not only those along which the
    // fluid slips. All references must outlive this. Collective.
    CurvedWalls(const Domain& domain, const FlowBoundaries& boundaries, Viscosity<Real>& viscosity,
                bool also_held);

    bool exist() const { return exist_; }  // on any rank
    // Finds G = A dp/dn [m^3/s^2, in 2D m^2/s^2] at their faces, by density and less the force, by
    // a velocity. Collective.
    void update(CellField<Real>& u);
    // On faces; 0 but at these walls.
    const Field<Real>& gradient() const { return gradient_; }

  private:
    const Domain& domain_;
    Viscosity<Real>& viscosity_;
    bool exist_ = false;
    Buffer<std::uint32_t> face_, entry_, node_;
    Buffer<Real> direction_, bend_, tangent_, area_, distance_, conduction_, viscous_, value_;
    Field<Real> gradient_;
};

}  // namespace solenoid

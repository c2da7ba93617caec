// The pressure at curved walls along which the fluid moves: it bends the fluid's path.
// docs/numerics.md, "Boundaries of a flow".
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/viscosity.hpp"

namespace solenoid {

template <class Real>
class CurvedWalls {
  public:
    // What is found where a wall has a velocity of its own.
    enum class Moving { gradient, second };
    // All references must outlive this. Collective.
    CurvedWalls(const Domain& domain, const FlowBoundaries& boundaries, Viscosity<Real>& viscosity,
                Moving moving);

    bool exist() const { return exist_; }  // on any rank
    // Finds G = A dp/dn [m^3/s^2, in 2D m^2/s^2], by density and less the force, by a velocity,
    // where the fluid slips; where a wall has a velocity of its own what of G this bends, or
    // Moving::second, A d2p/dn2 [m^2/s^2, in 2D m/s^2] likewise. Collective.
    void update(CellField<Real>& u);
    // On faces; 0 but at these walls. second(): empty where Moving::gradient.
    const Field<Real>& gradient() const { return gradient_; }
    const Field<Real>& second() const { return second_; }

  private:
    struct Walls {
        Buffer<std::uint32_t> face, entry, cell, face_node, cell_node;
        Buffer<Real> direction, bend, tangent, foot, area, distance, conduction, viscous, value;
    };
    Walls walls_of(const FlowBoundaries& boundaries, const std::vector<bool>& taken) const;

    const Domain& domain_;
    Viscosity<Real>& viscosity_;
    bool exist_ = false;
    Walls bent_, moved_;  // of gradient() and of second()
    Field<Real> gradient_, second_;
};

}  // namespace solenoid

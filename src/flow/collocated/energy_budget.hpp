// The budget of kinetic energy of a BDF2 step: the power V u . (term) of every term of the momentum
// equation, each computed from the fields of the step.
//   rate = boundary + force - viscous - convection - jump_penalty - coupling - time_scheme
// docs/numerics.md, "Budget of kinetic energy".
#pragma once

#include <array>
#include <vector>

#include "flow/collocated/momentum.hpp"
#include "flow/solver/bdf2.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class EnergyBudget {
  public:
    // All references must outlive this. Collective.
    EnergyBudget(const Domain& domain, const FlowBoundaries& boundaries, Momentum<Real>& momentum);
    ~EnergyBudget();

    // The fields of the last step: cell vectors, and the flux on faces. transport: extrapolated
    // explicit terms [m^4/s^2, in 2D m^3/s^2]; projected: u before it was constrained [m/s]; q: the
    // pressure gradient by density [m/s^2]; force: body forces, buoyancy and the mean gradient of
    // imposed fluxes [m/s^2].
    struct Step {
        Bdf2 bdf2;
        CellField<Real>&u, &star;
        const Field<Real>& flux;
        const Buffer<Real>&u_before, &u_earlier, &transport, &projected, &q, &force;
        // Pressure by density of each node [m^2/s^2]; empty where needs_pressure() is false.
        const std::vector<double>& pressure;
    };
    bool needs_pressure() const { return is_passed_; }
    EnergyTerms measure(const Step& step);  // Collective.

  private:
    // Inner products of the new velocity with the states and terms of the step, and powers through
    // the boundary into the domain.
    enum Product {
        now,
        before,
        earlier,
        changed,
        changed_in_two,
        pressure,
        held,
        carried,
        penalized,
        extrapolated,
        diffused,
        diffused_of_star,
        from_walls,
        implicit_of_star,
        force,
        brought_in,
        rubbed_in,
        pressed_in,
        product_count
    };
    using Products = std::array<double, product_count>;
    Products products(const Step& step) const;
    double dot(const Buffer<Real>& weight, const Buffer<Real>& x, const Buffer<Real>& y) const;
    double dot(const Buffer<Real>& x, const Buffer<Real>& y) const;

    const Domain& domain_;
    const int d_;
    Momentum<Real>& momentum_;
    const Index first_;  // index of the first boundary value in a field with boundary values
    bool is_passed_;     // fluid passes some boundary
    Buffer<std::uint32_t> face_, cell_, face_node_;
    Buffer<Real> weight_, conduction_;  // one entry a boundary face, as the three above
};

}  // namespace solenoid

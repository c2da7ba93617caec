// The budget of kinetic energy over steps of collocated momentum: the power of every term of the
// step's equations, each from its own fields. docs/numerics.md, "Budget of kinetic energy".
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

    // What the last step was made of and what it left: cell vectors but for the flux through faces.
    // transport: what it took explicitly; projected: u before it was held; force: an acceleration,
    // and what imposed fluxes take with it; q: the gradient of the pressure without that.
    struct Step {
        Bdf2 bdf2;
        CellField<Real>& u;
        const Field<Real>& flux;
        const Buffer<Real>&u_before, &u_earlier, &star, &transport, &projected, &q, &force;
        // at nodes, by density [m^2/s^2]; empty where it is not needed
        const std::vector<double>& pressure;
    };
    bool needs_pressure() const { return is_passed_; }  // fluid passes the boundary
    EnergyTerms measure(const Step& step);              // Collective.

  private:
    // Of the new velocity with itself, the states before and every term; powers into the domain.
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
        from_walls,
        implicit,
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
    const Index first_;  // of the boundary faces' values in a field with boundary values
    bool is_passed_;
    Buffer<std::uint32_t> face_, cell_, face_node_;
    Buffer<Real> weight_, conduction_;  // lists: of the boundary's faces
};

}  // namespace solenoid

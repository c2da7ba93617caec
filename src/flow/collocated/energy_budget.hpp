// The budget of kinetic energy over steps of collocated momentum: the power of every term of the step's equations, each from
// its own fields. docs/numerics.md, "Budget of kinetic energy".
#pragma once

#include <array>

#include "flow/collocated/momentum.hpp"
#include "flow/solver/bdf2.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class EnergyBudget {
  public:
    // All references must outlive this. Collective.
    EnergyBudget(const Domain& domain, const FlowBoundaries& boundaries,
                 Momentum<Real>& momentum);

    // A step has its right-hand side: u_before is the state before the one it starts from, `transport` what each of the last
    // states carried, with these weights.
    void predicted(const Bdf2& step, const Field<Real>& u_before, const std::array<const Field<Real>*, 3>& transport, const std::array<double, 3>& weights);
    void add_explicit(const Field<Real>& transport) { domain_.own(Kind::cell)[explicit_] += transport; }  // to that transport
    // u has its new pressure gradient, and may be changed once more.
    void projected(const Field<Real>& u) { projected_.copy(u); }

    // What the step left: cell vectors but for the flux through faces. force: an acceleration, and what imposed fluxes take with it; q: the gradient of the
    // pressure without that.
    struct Step {
        CellField<Real>& u;
        const Field<Real>& flux;
        const Buffer<Real>&u_before, &star, &q, &force;
    };
    bool needs_pressure() const { return is_passed_; }          // fluid passes the boundary
    void see_pressure(const std::vector<double>& at_nodes);     // by density [m^2/s^2]
    EnergyTerms measure(const Step& step);  // Collective.

  private:
    // Of the new velocity with itself, the states before and every term; powers into the domain.
    enum Product {
        now, before, earlier, changed, changed_in_two, pressure, held, carried, penalized, extrapolated, diffused, from_walls, implicit, implicit_of_star, force,
        carried_in, rubbed_in, pressed_in, product_count
    };
    using Products = std::array<double, product_count>;
    Products products(const Step& step);
    double dot(const Buffer<Real>& weight, const Buffer<Real>& x, const Buffer<Real>& y) const;
    double dot(const Buffer<Real>& x, const Buffer<Real>& y) const;
    const Buffer<Real>& difference(const Buffer<Real>& x, const Buffer<Real>& y);  // the same room every time

    const Domain& domain_;
    const int d_;
    Momentum<Real>& momentum_;
    const Index first_;  // of the boundary faces' values in a lengthened field
    bool is_passed_;
    Bdf2 step_{0, 0};  // the last
    Buffer<std::uint32_t> face_, cell_, face_node_;
    Buffer<Real> weight_, conduction_;  // lists: of the boundary's faces
    Field<Real> p_;                    // nodes
    // Cell vectors: the state before the last two, the step's explicit transport, u before it was held, and room.
    Field<Real> earlier_, explicit_, projected_, difference_, carried_, diffused_, implicit_;
};

}  // namespace solenoid

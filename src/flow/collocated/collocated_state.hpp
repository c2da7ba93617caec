// The fields that a step of collocated momentum starts from and leaves to the next one.
// docs/numerics.md, "Collocated momentum".
#pragma once

#include "flow/collocated/momentum.hpp"

namespace solenoid {

template <class Real>
struct CollocatedState {
    // At rest at t = 0. momentum: gives u its boundary values. Both must outlive this.
    CollocatedState(const Domain& domain, Momentum<Real>& momentum);

    // u_{n-2} = u_{n-1}, u_{n-1} = u_n, before a new u is computed.
    void shift_velocities() {
        std::swap(u_before, u_earlier);
        u_before.copy(u);
    }
    // Ends a step of length dt [s]. w: dt over the step before; 0: there was none.
    void advance_clock(double dt, double w);
    // The convecting flux at the start of a step.
    const Field<Real>& carrier() const { return frozen ? frozen : flux; }
    // The velocity whose shear is the friction of walls: u*, before the projection has changed it
    // by -s grad p' along them, which in a cell of height h would be -nu s grad p' / h of friction.
    CellField<Real>& at_walls() { return steps > 0 ? star : u; }
    // motion: velocities, flux and clock; found: the pressure gradient, which the second pass of a
    // first step starts from.
    void register_state(const State<Real>& motion, const State<Real>& found);

    // Cell vectors with boundary values [m/s]: the velocity u, the predicted u*, and the last two
    // velocities. u_earlier is used by the energy budget alone.
    CellField<Real> u, star;
    Field<Real> u_before, u_earlier;
    Field<Real> q, q_before;  // cell vectors: grad p / rho - f [m/s^2]
    // Face scalars: U [m^3/s, in 2D m^2/s]; G = (U* - U) / s, A dp/dn by density less the flux of
    // the force [m^3/s^2, in 2D m^2/s^2].
    Field<Real> flux, gradient;
    // The convecting flux where it is frozen (CollocatedFlow::freeze), else empty.
    Field<Real> frozen;
    double time = 0, last_step = 0, step_before = 0;  // [s]; no step: 0
    int steps = 0;
};

}  // namespace solenoid

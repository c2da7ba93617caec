// The pressure of slow flow: a time step is made again with another pressure gradient until its momentum has seen the one that its projection
// finds. docs/numerics.md, "The pressure of slow flow".
#pragma once

#include <deque>
#include <functional>

#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/viscosity.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class PressureIteration {
  public:
    // tolerance: of the pressure's gradient, relative to it. All references must outlive this.
    PressureIteration(const Domain& domain, const CellStencil<Real>& stencil, Viscosity<Real>& viscosity, double tolerance);

    // A step with s [s] (Bdf2::reach) has seen the face gradient `seen` and found `found`, A dp/dn [m^3/s^2, in 2D m^2/s^2]. Where they differ by what further
    // steps would not mend soon, remake(G) makes the step again with the face gradient G seen, and leaves in `found` what it finds. The last one made
    // stays; true where there was one. courant: the step's. Throws what remake() throws. Collective.
    bool run(const Field<Real>& seen, Field<Real>& found, double s, double courant, const std::function<void(const Field<Real>&)>& remake);

    // Whether the last step was made again: then the next one's coupling should not be extrapolated.
    bool is_active() const { return is_active_; }
    long remade() const { return remade_; }  // steps, over all calls

  private:
    struct Pair {
        Field<Real> seen, residual;
    };
    void precondition(const Field<Real>& seen, const Field<Real>& found, double s, Field<Real>& residual);
    void mix(Field<Real>& next);
    double norm(const Field<Real>& x) const;

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    Viscosity<Real>& viscosity_;
    Operators<Real>& operators_;
    const double tolerance_;
    Buffer<Real> weight_, conduction_;  // of faces: h / A, and less A / h between two cells, h the distance of their centres
    Field<Real> difference_, net_, smooth_, mean_, next_;
    std::deque<Pair> history_;
    std::vector<Pair> spare_;
    double largest_ = 0;             // gradient found so far
    int pause_ = 0, next_pause_ = 1;  // steps without an iteration, after one that failed
    bool is_active_ = false;
    long remade_ = 0;
};

}  // namespace solenoid

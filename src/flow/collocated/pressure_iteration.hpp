// The pressure of slow flow: a time step is made again with another pressure gradient until its
// momentum has seen the one that its projection finds. docs/numerics.md, "The pressure of slow
// flow".
#pragma once

#include <deque>
#include <functional>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/viscosity.hpp"
#include "operators/domain.hpp"
#include "operators/snapshot.hpp"

namespace solenoid {

template <class Real>
class PressureIteration {
  public:
    // tolerance: of the pressure's gradient [1]. All references must outlive this.
    PressureIteration(const Domain& domain, const FlowBoundaries& boundaries,
                      const CellStencil<Real>& stencil, Viscosity<Real>& viscosity,
                      double tolerance);

    // A step of reach s [s] (Bdf2) has seen the face gradient `seen`, A dp/dn [m^3/s^2, in 2D
    // m^2/s^2], and found `found`. Where viscosity is so fast that the steps to come would not mend
    // the difference soon, remake(G) makes the step again with the face gradient G seen, and leaves
    // in `found` what it finds; the last one made stays, and the result is true. Throws what
    // remake() throws. Collective.
    bool run(const Field<Real>& seen, Field<Real>& found, double s,
             const std::function<void(const Field<Real>&)>& remake);

    // Whether the last difference was such a one: the next step's coupling of flux and velocity is
    // then not to be extrapolated.
    bool is_active() const { return is_active_; }
    void keep_in(Snapshot<Real>& snapshot);

  private:
    struct Iterate {
        Field<Real> seen, residual;  // faces
        // of the residual with those of the iterates before and with itself
        std::vector<double> products;
    };
    struct Found {
        // norms of found - seen, of the residual, and that of a residual which will do
        double apart, left, target;
        // by how much of a velocity along found - seen the walls take in a step [1]
        double braked;
    };
    void set_braking(const FlowBoundaries& boundaries);
    bool may_be_slow(double s);
    void precondition(const Field<Real>& difference, double s, Field<Real>& residual);
    Found add(const Field<Real>& seen, const Field<Real>& found, double s);
    void drop_oldest();
    void mix(Field<Real>& next);

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    Viscosity<Real>& viscosity_;
    Operators<Real>& operators_;
    const double tolerance_;
    // of faces: h / A, and between two cells A / h, h the distance of their centres
    Buffer<Real> weight_, conduction_;
    // of faces: h/A times the mean over the cells there of sum A / h_w over their faces in walls,
    // over V; empty where no pressure is given
    Buffer<Real> braking_;
    Field<Real> difference_, mean_, next_;  // faces
    Field<Real> net_, smooth_;              // cells, with boundary values
    std::deque<Iterate> iterates_;          // of the step under way
    std::vector<Iterate> free_iterates_;
    double largest_ = 0;  // norm of a gradient so far
    // a bound of the eigenvalues of grad F div [1/m^2], and times the viscosity [1/s]
    double conduction_rate_ = 0, viscous_rate_ = 0;
    std::uint64_t seen_viscosity_ = 0;
    int pause_ = 0, next_pause_ = 1;  // steps without an iteration, after one that failed
    bool is_active_ = false;
};

}  // namespace solenoid

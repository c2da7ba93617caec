// The pressure of slow flow: repeats a time step with other pressure gradients G until the
// projection finds the gradient that the momentum equation was solved with. The fixed point is
// found by Anderson mixing (Walker & Ni 2011) with the preconditioner
//   P = 1 - s grad nu F div     (Cahouet & Chabard 1988; F: mean over a cell and its neighbours)
// docs/numerics.md, "The pressure of slow flow".
#pragma once

#include <deque>

#include "core/state_values.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/viscosity.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class PressureIteration {
  public:
    // tolerance: of the pressure gradient, relative [1]. All references must outlive this.
    PressureIteration(const Domain& domain, const FlowBoundaries& boundaries,
                      const CellStencil<Real>& stencil, Viscosity<Real>& viscosity,
                      double tolerance);
    ~PressureIteration();

    // seen: the face gradient A dp/dn that the step's momentum was solved with; found: the one that
    // its projection found [m^3/s^2, in 2D m^2/s^2]; s: Bdf2::reach() [s]. True: viscosity is so
    // large that later steps would not soon reduce their difference, and the step must be repeated
    // with the gradient next(). Collective, as goes_on().
    bool begin(const Field<Real>& seen, const Field<Real>& found, double s);
    const Field<Real>& next() const { return next_; }
    // After the step was repeated with next(): what its projection found. True: it must be repeated
    // again.
    bool goes_on(const Field<Real>& found);

    // True: the last step needed the iteration. The next step's coupling of flux and velocity then
    // must not be extrapolated.
    bool is_active() const { return is_active_; }
    void register_state(const StateValues& state);

  private:
    struct Iterate {
        Field<Real> seen, residual;  // faces
        // Inner products of the residual with those of earlier iterates and with itself.
        std::vector<double> products;
    };
    struct Found {
        // Norms of found - seen and of the residual P (found - seen), and the residual's target.
        double apart, left, target;
        // Part of a velocity along found - seen that the friction of walls takes in a step [1].
        double braked;
    };
    void set_braking(const FlowBoundaries& boundaries);
    bool may_be_slow(double s);
    void precondition(const Field<Real>& difference, double s, Field<Real>& residual);
    Found add(const Field<Real>& seen, const Field<Real>& found);
    bool propose();
    void drop_oldest();
    void mix(Field<Real>& next);

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    Viscosity<Real>& viscosity_;
    Operators<Real>& operators_;
    const double tolerance_;
    // Face scalars: h / A, and A / h between two cells (0 at the boundary), h the distance of the
    // centres.
    Buffer<Real> weight_, conduction_;
    // Face scalars: h / A times the mean over both cells of 1/V sum over wall faces of A_w / h_w.
    // Empty where no boundary gives the pressure.
    Buffer<Real> braking_;
    Field<Real> difference_, mean_, next_;  // faces
    Field<Real> net_, smooth_;              // cells, with boundary values
    std::deque<Iterate> iterates_;          // of the current step
    std::vector<Iterate> free_iterates_;
    double largest_ = 0;  // largest norm of a gradient found so far
    // Bound of the eigenvalues of grad F div [1/m^2], and times the largest viscosity [1/s].
    double conduction_rate_ = 0, viscous_rate_ = 0;
    std::uint64_t seen_viscosity_ = 0;
    int pause_ = 0, next_pause_ = 1;  // steps without an iteration after a failed one
    bool is_active_ = false;
    // Of the current step: its s [s] and the gradient of its first pass; the last pass and the
    // residual of the first; how many passes were proposed, and whether the last one goes back to
    // first_seen_.
    double s_ = 0;
    const Field<Real>* first_seen_ = nullptr;
    Found last_{};
    double first_left_ = 0;
    int passes_ = 0;
    bool goes_back_ = false;
};

}  // namespace solenoid

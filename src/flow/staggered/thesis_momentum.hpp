// The thesis's momentum (equations 7.5 to 7.7) on the cell velocities that the fluxes reconstruct:
// convection by the mean of both cells or the upwind one, diffusion along the line of centres with
// a correction for skewness:
//   V N(U, u) = sum over faces of +-F_f,   F_f = U u_f - nu (k_f (u_b - u_a) + grad u . skew_f)
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/staggered/staggered_momentum.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class ThesisMomentum final : public StaggeredMomentum<Real> {
  public:
    // All references must outlive this. Boundaries are walls and inflows. Collective, as all below.
    explicit ThesisMomentum(const StaggeredParts<Real>& parts);

    void begin_step(const Field<Real>& u, const Field<Real>& u_before, double ratio, double time,
                    double dt) override;
    void apply(double dt, const Field<Real>& u, const Field<Real>& end, Field<Real>& star) override;
    void accept(const Field<Real>& u, const Field<Real>& flux, double time) override;
    double diffusion_rate() override;
    void register_state(const State<Real>& state) override {
        state.add("flux", flux_);
        state.add("flux_before", flux_before_);
    }

  private:
    void set_faces(const Geometry& geometry, const FlowBoundaries& boundaries);
    // out = a x + b y on this rank's cells, the boundary's values at the end, ghosts filled.
    void combine(double a, const Buffer<Real>& x, double b, const Buffer<Real>& y,
                 Field<Real>& out);
    void add_skewness();

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const int d_;
    const double viscosity_;
    const bool implicit_;
    const double upwind_;              // of what the upstream cell exceeds the mean by
    BoundaryVelocity<Real> boundary_;  // in the middle of the step
    std::vector<double> conductance_;  // of owned cells: sum of k_f / V [1/m^2]
    // Of faces: the weight of the second cell in a face's value, k_f = A / (d . n), and A n less
    // its part along the line of centres; the unit vectors of the axes.
    Buffer<Real> entered_, conduction_, skew_, unit_;
    Field<Real> flux_, flux_before_, flux_middle_, transport_;  // faces
    // cell vectors, the first three with boundary values
    Field<Real> middle_, diffusing_, slope_, net_;
    // of nodes; unused values, since all boundary velocities are given
    Field<Real> nodes_;
};

}  // namespace solenoid

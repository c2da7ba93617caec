// The thesis's momentum (equations 7.5 to 7.7) on the cell velocities that the fluxes reconstruct: convection by the mean
// of both cells or the upwind one, diffusion along the line of centres with a correction for skewness.
#pragma once

#include "flow/boundary_velocity.hpp"
#include "flow/cell_stencil.hpp"
#include "flow/staggered_momentum.hpp"

namespace solenoid {

template <class Real>
class ThesisMomentum final : public StaggeredMomentum<Real> {
  public:
    // All references must outlive this. Boundaries are walls and inflows. Collective, as all below.
    ThesisMomentum(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& boundaries,
                   const CellStencil<Real>& stencil, Operators<Real>& operators, double viscosity, bool implicit, bool upwind);

    void begin_step(const Buffer<Real>& u, const Buffer<Real>& u_before, double ratio, double time, double dt) override;
    void apply(double dt, const Buffer<Real>& u, Buffer<Real>& end, Buffer<Real>& star) override;
    void accept(Buffer<Real>& u, const Buffer<Real>& flux, double time) override;
    double diffusion_rate() override;

  private:
    void put_faces(const Geometry& geometry, const FlowBoundaries& boundaries);
    // out = a x + b y on this rank's cells, the boundary's values at the end, ghosts filled.
    void combine(double a, const Buffer<Real>& x, double b, const Buffer<Real>& y, Buffer<Real>& out);
    void add_skewness();

    const Communicator& comm_;
    Device& device_;
    const DistributedMesh& mesh_;
    const CellStencil<Real>& stencil_;
    Operators<Real>& operators_;
    const int d_;
    const EntityRanges cells_, faces_;
    const double viscosity_;
    const bool implicit_, upwind_;
    BoundaryVelocity<Real> boundary_;  // in the middle of the step
    std::vector<double> conductance_;  // of owned cells: sum of A / (d . n) over V
    Buffer<Real> entered_, conduction_, skew_, unit_;
    Buffer<Real> flux_, flux_before_, flux_middle_, transport_;  // faces
    Buffer<Real> middle_, diffusing_, slope_, net_;              // cell vectors, the first three lengthened
    Buffer<Real> nodes_;                                         // no value is taken from it: all boundary velocities are given
};

}  // namespace solenoid

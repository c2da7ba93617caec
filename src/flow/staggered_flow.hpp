// The exact fractional step whose state is the stream function alone, with rotational momentum or the thesis's: the
// implicit midpoint, linear in the velocity at its end. docs/numerics.md, "Rotational momentum".
#pragma once

#include "flow/boundary_velocity.hpp"
#include "flow/drive.hpp"
#include "flow/flow_measures.hpp"
#include "flow/flow_solver.hpp"
#include "flow/staggered_momentum.hpp"
#include "flow/stream_function.hpp"
#include "solvers/fixed_point.hpp"

namespace solenoid {

template <class Real>
class StaggeredFlow final : public FlowSolver {
  public:
    StaggeredFlow(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FlowCase& flow);

    void step(double dt) override;
    double time() const override { return time_; }
    double courant(double dt) const override { return measures_.courant(flux_, dt); }
    double step_limit() const override { return step_limit_; }
    double max_divergence() const override { return measures_.max_divergence(flux_); }
    double rate_of_change() const override { return last_step_ > 0 ? speeds_.change / last_step_ : 0; }
    double largest_speed() const override { return speeds_.largest; }
    double kinetic_energy() const override { return measures_.kinetic_energy(u_); }
    GradientIntegrals gradient_integrals() const override;
    std::vector<double> boundary_inflow() const override { return measures_.boundary_inflow(flux_); }
    std::vector<double> node_velocity() const override;
    std::vector<double> cell_velocity() const override { return measures_.downloaded(Kind::cell, u_); }
    std::vector<double> face_flux() const override { return measures_.downloaded(Kind::face, flux_); }
    std::vector<double> stream_function() const override { return measures_.stream_function(projection_.potential()); }
    std::vector<double> node_vorticity() const override;
    std::vector<double> node_q_criterion() const override;
    std::vector<double> node_scalar(int) const override { return {}; }  // it carries none
    std::vector<double> cell_scalar(int) const override { return {}; }
    std::vector<double> scalar_diffused_in(int) const override { return {}; }
    std::vector<SectionFlow> sections() const override { return drive_.sections(flux_, projection_.pressure_rise(last_step_)); }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override;
    std::size_t halo_bytes() const override { return projection_.halo_bytes() + momentum_->halo_bytes(); }

  private:
    void start_from(const VectorFormula& initial);
    void see(double when);
    void to_nodes() const;
    void iterate(double dt, double when);
    void map(double dt, Buffer<Real>& end, double when);
    void project(double when);

    const Communicator& comm_;
    Device& device_;
    const DistributedMesh& mesh_;
    const int d_;
    const EntityRanges cells_;
    const Geometry geometry_;
    const FlowBoundaries boundaries_;
    const double viscosity_, tolerance_;
    const int most_iterations_;
    const CellStencil<Real> stencil_;
    // Output needs scratch fields and halos too.
    mutable Operators<Real> operators_;
    mutable FlowMeasures<Real> measures_;
    mutable BoundaryVelocity<Real> boundary_;
    mutable StreamFunction<Real> projection_;
    Drive<Real> drive_;
    std::unique_ptr<StaggeredMomentum<Real>> momentum_;
    FixedPointIteration<Real> iteration_;

    mutable Buffer<Real> u_, flux_, node_u_;
    Buffer<Real> u_before_, u_end_, image_, star_;  // cell vectors
    SolveTotals projections_;
    typename FlowMeasures<Real>::Speeds speeds_{0, 0};
    double time_ = 0, last_step_ = 0, step_limit_;
    double size_ = 0;  // of the change that the step under way brings, as the projection measures it
};

}  // namespace solenoid

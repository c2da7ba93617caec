// The classical projection (Chorin 1968; Ferziger, Peric & Street, section 7.3):
//   U = U* - s A n . (grad p - F),   D U = 0
// with p in the cells and a body force F that acts by differences of the kind of grad p. The part
// of grad p oblique to the line of centres is a deferred correction, from node values of the last
// p; in thin cells, where corrections do not converge, all of grad p is implicit. docs/numerics.md,
// "The implicit part", "Body forces", "Thin cells".
#pragma once

#include "flow/boundary/open_pressure.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/projection/projection.hpp"
#include "operators/operators.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"

namespace solenoid {

template <class Real>
class PressureProjection final : public Projection<Real> {
  public:
    // density: of given pressures [kg/m^3]. corrections: number of solves after the first. All
    // references must outlive this.
    PressureProjection(const Domain& domain, const FlowBoundaries& boundaries, double density,
                       const CellStencil<Real>& stencil, int corrections,
                       const SolveSettings& settings);
    ~PressureProjection() override;

    // Does nothing: flux_star has the prescribed values.
    void prescribe(const std::vector<double>&) override {}
    void update_boundary_pressure(double when) override;
    void follow(const InletMean& inlets) override { open_pressure_.follow(inlets); }
    void restart() override { held_ = 2; }
    void update_force(const Field<Real>& force, const Field<Real>& at_nodes) override;
    void accelerate(const Field<Real>& at_nodes) override;
    void update_wall_gradient(const Field<Real>& gradient, const Field<Real>& second) override;

    // The first guess is the last p. The tolerance is relative to the right-hand side of the
    // change, D (U* - s A n . grad p), and to the largest flux, which bounds the net outflow of a
    // cell.
    SolveReport project(Field<Real>& flux_star, Field<Real>& flux, double step) override;
    SolveReport project_first(Field<Real>& flux_star, Field<Real>& flux, double step) override;
    SolveReport project_whole(Field<Real>& flux_star, Field<Real>& flux, double step) override;
    SolveReport start(Field<Real>& flux_star, Field<Real>& flux) override;

    void take_gradient(Field<Real>& flux) override;  // zero where the flux is given

    void register_state(const State<Real>& state) override;
    // p over density [m^2/s^2] in the cells, with boundary values, which are given at open
    // boundaries.
    Field<Real>& potential() override { return p_; }
    const Field<Real>* pressure() override { return &p_; }
    const char* name() const override { return "pressure"; }
    PreconditionerSummary preconditioner() const override {
        return diffusion_preconditioner_.summary();
    }

  private:
    struct Coefficients;
    struct Whole;
    PressureProjection(const Domain& domain, const FlowBoundaries& boundaries,
                       const CellStencil<Real>& stencil, int corrections,
                       const SolveSettings& settings, const Coefficients& coefficients,
                       const OpenPressure& open_pressure);

    SolveReport correct(Field<Real>& flux, double step, double left, double target,
                        int most_iterations);
    SolveReport solve(Field<Real>& flux_star, Field<Real>& flux, double step, int corrections);
    double take_net_outflow(Field<Real>& flux_star, Field<Real>& flux, double step);
    SolveReport solve_whole(Field<Real>& flux_star, Field<Real>& flux, double step);
    void extrapolate(double when);
    void set_open_values(double when);
    Field<Real> boundary_field() const {  // of cells, with values at boundary faces
        return domain_.field<Real>(Kind::cell, 1, stencil_.boundary_faces.size());
    }
    void set_lines();
    bool changes() const {  // whether what is given at boundaries changes the pressure in time
        return open_pressure_.depends_on_time() || boundaries_.has_unsteady_inflow();
    }
    void set_rise();
    struct WallRise;
    void add_rise(const std::vector<FlowBoundaries::CurvedNode>& nodes,
                  const std::vector<double>& lengths, WallRise& rise);
    void take_gradient(const Buffer<Real>& flux_star, Field<Real>& flux, Real step);
    void to_nodes(const Field<Real>& p);
    void subtract_gradient(const Field<Real>& p, const Buffer<Real>& flux_star, Real step,
                           Field<Real>& flux);
    double target_of(double left, const Buffer<Real>& flux_star, const Buffer<Real>& flux,
                     double tolerance) const;
    double norm(const Buffer<Real>& field, Range range) const;

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    const int d_;
    const CellStencil<Real>& stencil_;
    Operators<Real>& operators_;
    const int corrections_;
    const SolveSettings settings_;
    GraphLaplacian<Real> matrix_;
    DiffusionPreconditioner<Real> diffusion_preconditioner_;
    Preconditioner<Real>* preconditioner_;
    ConjugateGradients<Real> cg_;
    Buffer<Real> conduction_, implicit_, cross_, inverse_;
    Field<Real> p_, change_, net_, node_p_, corrected_;
    OpenPressure open_pressure_;
    Buffer<std::uint32_t> open_entry_, open_node_;  // of p_, of node_p_
    Buffer<Real> open_value_, open_node_value_;
    struct {
        Buffer<Real> reach, line, edge;  // of kernels node_rise and force_flux
        Field<Real> rise, flux;          // results: nodes [m^2/s^2], faces [m^3/s^2]
    } force_;                            // empty without a force
    // Of nodes: the sum of w (x_i - x_c), w the weights of their interpolation; by how much p is
    // higher there than that where the fluid is accelerated. Empty without unsteady inflows.
    Field<Real> reach_, inertial_;
    // What adds to p at nodes of curved walls: dp/dn where the fluid slips, d2p/dn2 where the wall
    // has a velocity of its own. Else empty.
    struct WallRise {
        SellRows faces;
        Buffer<Real> weight, at_list;
        Buffer<std::uint32_t> node;
    } slip_rise_, moving_rise_;
    Field<Real> wall_rise_;         // of nodes; empty until the first gradient
    std::unique_ptr<Whole> whole_;  // null: all but a part of grad p is deferred
    Field<Real> p_before_;
    double time_ = 0, time_before_ = 0;  // of p_ and p_before_
    int held_ = 0;                       // number of steps without extrapolation of the pressure
    bool is_seen_ = false;
};

}  // namespace solenoid

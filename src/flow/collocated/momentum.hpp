// The momentum equation of collocated cell velocities on triangles and tets, second order in space:
// explicit transport, which is convection and the explicit part of diffusion, and a solve for the
// implicit part of diffusion.
//   (shift V + diffusion) u = rhs
// docs/numerics.md, "Collocated momentum".
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/boundary/velocity_recovery.hpp"
#include "flow/convection/face_convection.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/discretization/viscosity.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"

namespace solenoid {

struct MomentumConvection {
    const ConvectionScheme& scheme = convection_scheme("skew-symmetric");
    double jump_penalty = 0;  // see FlowSettings::jump_penalty
};

template <class Real>
class Momentum {
  public:
    // All references must outlive this.
    Momentum(const Domain& domain, const FlowBoundaries& boundaries,
             const ViscosityModel& viscosity, const MomentumConvection& convection,
             const SolveSettings& settings);
    ~Momentum();

    // New fields of value zero: a velocity with the boundary values of its conditions, and cell
    // vectors with entries for boundary faces.
    CellField<Real> velocity() { return recovery_.velocity(); }
    Field<Real> with_boundary_values() const {
        return domain_.vector_field<Real>(Kind::cell, stencil_.boundary_faces.size());
    }

    BoundaryVelocity<Real>& boundary() { return boundary_; }
    // whether to_nodes_for_output() corrects node values by cells
    bool corrects_output() const { return scheme_.is_parabolic(); }
    const CellStencil<Real>& stencil() const { return stencil_; }
    // Computes the boundary values at a time [s] and wall_diffusion(). False: nothing changed.
    // Collective.
    bool update(double time);
    // Computes the viscosity at a time [s] or from the shear rates of u, then the matrix, the
    // conductances of boundary faces and wall_diffusion(). Collective.
    void update_viscosity(double time, CellField<Real>& u);
    // The viscosity of a step whose equation is solved for u: before the solve that of `time` [s].
    // Where it follows the flow that of the last step stays, and after the solve it becomes that of
    // u. True: it did, and the equation must be solved again, once. This is of second order and
    // stable for any step; with a viscosity of extrapolated velocities a shear-thickening fluid
    // oscillates. A frozen flow keeps its viscosity. Collective.
    void update_properties(double time, CellField<Real>& u);
    bool update_properties_by(CellField<Real>& u, double time);
    Viscosity<Real>& viscosity() { return viscosity_; }
    const Viscosity<Real>& viscosity() const { return viscosity_; }

    void to_nodes_for_output(CellField<Real>& u, Field<Real>& at_nodes) {
        recovery_.to_nodes_for_output(u, at_nodes);
    }
    // flux = I u: flux of the interpolated velocity through the faces [m^3/s, in 2D m^2/s].
    void to_faces(CellField<Real>& u, Field<Real>& flux);
    // The part that node values have in it: that of 0 in the cells.
    void nodes_to_faces(const Field<Real>& at_nodes, Field<Real>& flux);
    // Flux of a cell vector interpolated linearly between the centres of both cells. field: with
    // boundary values.
    void mean_to_faces(const Field<Real>& field, Field<Real>& flux);

    // out = convection of u by `flux` plus the explicit part of diffusion, into each cell, without
    // wall_diffusion(): cell vectors [m^4/s^2, in 2D m^3/s^2].
    void transport(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    // out = convection of u by `flux` alone.
    void convection(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    // Whether steps take the whole of diffusion implicitly: CellStencil::diffusion_is_implicit, or
    // a viscous fluid slips along curved walls, whose shear feeds the flow.
    bool diffuses_implicitly() const {
        return stencil_.diffusion_is_implicit || slips_along_curved_walls();
    }
    bool slips_along_curved_walls() const { return boundaries_.has_curved_slip() && is_viscous_; }
    // Diffusion from boundary values into each cell: sum over its boundary faces of nu c A / d_n
    // u_b, cell vectors [m^4/s^2, in 2D m^3/s^2].
    const Buffer<Real>& wall_diffusion() const { return wall_; }
    // out = the explicit part of diffusion, as in transport(); and the implicit part with boundary
    // values of zero. Into each cell [m^4/s^2, in 2D m^3/s^2].
    void explicit_diffusion(CellField<Real>& u, Field<Real>& out);
    void implicit_diffusion(const Field<Real>& u, Field<Real>& out);
    // Power that the jump penalty of the last transport() dissipates on this rank, by density
    // [m^(d+2)/s^3].
    double penalty_power() const { return convection_->penalty_power(); }
    // Power that the last transport() brought in at the boundary besides the fluxes of boundary
    // faces, on this rank, by density [m^(d+2)/s^3].
    RankSum boundary_power() const { return convection_->boundary_power(); }
    const ConvectionScheme& scheme() const { return scheme_; }
    // transport() with the whole of diffusion except the conduction to walls, which is in the
    // diagonal of component().
    void transport_whole(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    // The same without convection.
    void diffusion_whole(CellField<Real>& u, Field<Real>& out);
    // While it lives, the velocities given are differences of two velocities: their boundary values
    // are zero, and slope limits are those of the last velocity that was not a difference.
    class Differences {
      public:
        explicit Differences(Momentum& momentum) : momentum_(momentum) {
            momentum_.use_differences(true);
        }
        ~Differences() { momentum_.use_differences(false); }
        Differences(const Differences&) = delete;
        Differences& operator=(const Differences&) = delete;

      private:
        Momentum& momentum_;
    };
    // Makes u the convecting velocity of all further calls.
    void freeze(CellField<Real>& u) {
        convection_->freeze(u.at_nodes());
        is_frozen_ = true;
    }

    // Solves (shift V + diffusion) u = rhs. shift: [1/s]; rhs: cell vectors [m^4/s^2, in 2D
    // m^3/s^2]; u: on entry the first guess. The tolerance is relative to the residual of the
    // guess: relative to rhs, the slow changes of a nearly steady flow would be below it. Throws
    // ComputationError where the solve fails; `when` [s] is for its message. Collective.
    void solve(double shift, const Buffer<Real>& rhs, Field<Real>& u, double when);
    // Throws ComputationError where a solve of a momentum equation with this right-hand side, cell
    // vectors, failed; `when` [s] is for its message. Collective.
    void check_converged(const SolveReport& report, const Buffer<Real>& rhs, double when) const;
    // The diagonal shift V + conduction to walls of velocity component k, without the conduction
    // between cells, and its preconditioner.
    struct Component {
        const Buffer<Real>& diagonal;
        Preconditioner<Real>& preconditioner;
    };
    Component component(double shift, int k);
    // Largest sum of a cell's conductances to neighbours and walls over its volume [1/s].
    // Collective.
    double diffusion_rate() const;
    const SolveTotals& solves() const { return solves_; }
    // found: preconditioners
    void register_state(const State<Real>& motion, const State<Real>& found);

  private:
    void use_differences(bool are_differences);
    void set_symmetry(const FaceCoefficients& c);
    void set_curved_slip(const FaceCoefficients& c);
    void bring_slip(const Field<Real>& cells, const Field<Real>& at_nodes);
    void set_conduction();
    void set_walls();
    void scale(const Buffer<Real>& conduction, Buffer<Real>& diffusion);
    void take_viscosity();
    void renew_preconditioners();
    void replace_weights();
    enum class Diffusion { none, as_in_faces };
    void bring(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out,
               Diffusion diffusion = Diffusion::as_in_faces);
    const Buffer<Real>& whole();
    void update_defect(const Field<Real>& u, const Field<Real>& at_nodes);
    void to_faces(const Field<Real>& u, const Field<Real>& at_nodes, Field<Real>& flux);
    std::vector<double> diagonal(double shift, std::size_t component) const;
    void set_shift(double shift);
    void transport_with(CellField<Real>& u, const Field<Real>& flux,
                        const Buffer<Real>& coefficients, Field<Real>& out,
                        Diffusion diffusion = Diffusion::as_in_faces);

    const Domain& domain_;
    const int d_;
    const FlowBoundaries& boundaries_;
    const SolveSettings settings_;
    const ConvectionScheme& scheme_;
    const bool is_viscous_;
    const CellStencil<Real> stencil_;
    Viscosity<Real> viscosity_;
    std::vector<double> volume_;  // of owned cells
    // For each of boundaries_.faces(): the conductance of viscosity 1, and of the viscosity.
    std::vector<double> conduction_of_faces_, conduction_;
    CellDiffusion diffusion_;
    GraphLaplacian<Real> matrix_;
    // As many as shift_of_. preconditioner_of_: those of the current shift.
    std::vector<std::unique_ptr<DiffusionPreconditioner<Real>>> diffusion_preconditioner_of_;
    std::vector<Preconditioner<Real>*> preconditioner_of_;
    ConjugateGradients<Real> cg_;
    BoundaryVelocity<Real> boundary_;
    VelocityRecovery<Real> recovery_;

    const ConvectedField<Real> velocity_;
    const std::unique_ptr<Convection<Real>> convection_;
    // Convection with the mean face value; with a flux of zero it computes diffusion alone.
    FaceConvection<Real> mean_;
    // Coefficients of faces by scale(): of the explicit part of diffusion.
    Buffer<Real> explicit_;
    // Coefficients of faces by scale() of the whole of diffusion, and minus the conductances of
    // viscosity 1. Empty until first used.
    Buffer<Real> whole_, less_conduction_;
    // Cell vectors; cell vectors with boundary values; face vectors.
    Field<Real> wall_, defect_, transport_;
    Field<Real> rest_;                 // 0, with boundary values; empty until first used
    Buffer<Real> boundary_transport_;  // vectors of boundary faces
    Buffer<Real> residual_, change_;   // vectors of cells
    // Cell scalars: diagonal(), and the inverse of the matrix's diagonal. One entry for all
    // components; with symmetry planes one for each.
    std::vector<Buffer<Real>> shift_of_, inverse_;
    // diagonal() of shift 0, a flux of zero, and coefficients of no diffusion, of faces and of the
    // boundary; empty until first used.
    Buffer<Real> drag_;
    Field<Real> no_flux_;
    Buffer<Real> none_diffused_, none_diffused_to_boundary_;
    struct {
        Buffer<std::uint32_t> face, cell;
        Buffer<Real> conduction, viscous, deferred, transport;  // viscous: conduction times nu
    } symmetry_;                                                // lists of faces of planes
    struct {
        Buffer<std::uint32_t> face, cell, entry, node;
        Buffer<Real> foot, conduction, viscous, drag, transport;
    } curved_slip_;  // lists of faces of curved walls; viscous: conduction times nu
    SolveTotals solves_;
    double shift_ = -1;
    bool is_frozen_ = false;
};

}  // namespace solenoid

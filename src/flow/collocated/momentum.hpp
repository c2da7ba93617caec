// Momentum of collocated cell velocities: explicit transport and implicit diffusion on triangles
// and tets, second order in space. docs/numerics.md, "Collocated momentum".
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
    double jump_penalty = 0;  // FlowSettings::jump_penalty
};

template <class Real>
class Momentum {
  public:
    // All references must outlive this.
    Momentum(const Domain& domain, const FlowBoundaries& boundaries,
             const ViscosityModel& viscosity, const MomentumConvection& convection,
             const SolveSettings& settings);

    // Zero: a velocity that its boundary conditions complete, and cell vectors with room for values
    // at boundary faces.
    CellField<Real> velocity() { return recovery_.velocity(); }
    Field<Real> with_boundary_values() const {
        return domain_.vector_field<Real>(Kind::cell, stencil_.boundary_faces.size());
    }

    BoundaryVelocity<Real>& boundary() { return boundary_; }
    const CellStencil<Real>& stencil() const { return stencil_; }
    // Boundary values at a time, and what they diffuse into their cells. False where nothing
    // changed. Collective.
    bool update(double time);
    // The viscosity at a time or by a velocity's shear rates, and the matrix and what walls conduct
    // by it. Collective.
    void update_viscosity(double time, CellField<Real>& u);
    Viscosity<Real>& viscosity() { return viscosity_; }
    const Viscosity<Real>& viscosity() const { return viscosity_; }

    void to_nodes_for_output(CellField<Real>& u, Field<Real>& at_nodes) {
        recovery_.to_nodes_for_output(u, at_nodes);
    }
    // Flux of a velocity through the faces.
    void to_faces(CellField<Real>& u, Field<Real>& flux);
    // Flux of the mean of both cells' values, linear between the centres. field: with boundary
    // values.
    void mean_to_faces(const Field<Real>& field, Field<Real>& flux);

    // out = what `flux` carries of u into the cells and explicit diffusion brings, without walls
    // [m^4/s^2].
    void transport(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    const Buffer<Real>& wall_diffusion() const { return wall_; }
    // out = what the parts of diffusion bring of u into the cells: the explicit one, as transport()
    // has it, and the implicit one with walls at rest [m^4/s^2].
    void explicit_diffusion(CellField<Real>& u, Field<Real>& out);
    void implicit_diffusion(const Field<Real>& u, Field<Real>& out);
    // What the jump penalty in the last transport() takes of this rank's kinetic energy, by density
    // [m^(d+2)/s^3].
    double penalty_power() const { return convection_->penalty_power(); }
    // What it has brought in at the boundary beside what faces carry into their cells, likewise.
    double boundary_power() const { return convection_->boundary_power(); }
    const ConvectionScheme& scheme() const { return scheme_; }
    // The same with all of diffusion, but for what walls conduct: component() has that.
    void transport_whole(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    // Whether velocities are differences of two: what boundaries give is zero then, and limits of
    // slopes are those of the last velocity that was none.
    void add_differences(bool are_differences);
    // the velocity that carries from now on
    void freeze(CellField<Real>& u) { convection_->freeze(u.at_nodes()); }

    // (shift V + diffusion) u = rhs [shift: 1/s]. The tolerance is relative to the residual of the
    // guess in u: relative to rhs, the slow changes of a flow that is nearly steady would stay
    // below it. `when` is for messages.
    void solve(double shift, const Buffer<Real>& rhs, Field<Real>& u, double when);
    // The system of a shift, component by component: shift V + what walls conduct, and the
    // preconditioner of solve().
    struct Component {
        const Buffer<Real>& diagonal;
        Preconditioner<Real>& preconditioner;
    };
    Component component(double shift, int k);
    // the largest of a cell: what it conducts to its neighbours and to walls, over its volume
    // [1/s]. Collective.
    double diffusion_rate() const;
    const SolveTotals& solves() const { return solves_; }
    void keep_in(Snapshot<Real>& motion, Snapshot<Real>& found);  // found: preconditioners

  private:
    void set_symmetry(const FaceCoefficients& c);
    void set_conduction();
    void set_walls();
    void scale(const Buffer<Real>& conduction, Buffer<Real>& diffusion);
    void take_viscosity();
    void renew_preconditioners();
    void bring(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out);
    std::vector<double> diagonal(double shift, std::size_t component) const;
    void set_shift(double shift);
    void transport_with(CellField<Real>& u, const Field<Real>& flux, const Buffer<Real>& diffusion,
                        Field<Real>& out);

    const Domain& domain_;
    const int d_;
    const FlowBoundaries& boundaries_;
    const SolveSettings settings_;
    const ConvectionScheme& scheme_;
    const CellStencil<Real> stencil_;
    Viscosity<Real> viscosity_;
    std::vector<double> volume_;  // of owned cells
    // of boundaries_.faces(): FaceCoefficients', and times the viscosity
    std::vector<double> conduction_of_faces_, conduction_;
    CellDiffusion diffusion_;
    GraphLaplacian<Real> matrix_;
    // As many as shift_of_; the preconditioners of the shift under way.
    std::vector<std::unique_ptr<DiffusionPreconditioner<Real>>> diffusion_preconditioner_of_;
    std::vector<Preconditioner<Real>*> preconditioner_of_;
    ConjugateGradients<Real> cg_;
    BoundaryVelocity<Real> boundary_;
    VelocityRecovery<Real> recovery_;

    const ConvectedField<Real> velocity_;
    const std::unique_ptr<Convection<Real>> convection_;
    // of a flux that is zero: diffusion alone
    FaceConvection<Real> mean_;
    // faces, scale(): of the explicit part
    Buffer<Real> explicit_;
    // of all of diffusion; empty until it is asked for
    Buffer<Real> whole_, less_conduction_;
    // vectors: cells, cells with boundary values, faces
    Field<Real> wall_, defect_, transport_;
    Buffer<Real> boundary_transport_;  // vectors of boundary faces
    Buffer<Real> residual_, change_;   // vectors of cells
    // the same for every component, but in symmetry
    std::vector<Buffer<Real>> shift_of_, inverse_;
    // the matrix's shift of no shift, once asked for
    Buffer<Real> drag_;
    Field<Real> no_flux_;  // likewise
    struct {
        Buffer<std::uint32_t> face, cell;
        Buffer<Real> conduction, viscous, deferred, transport;  // viscous: conduction times nu
    } symmetry_;                                                // lists
    SolveTotals solves_;
    double shift_ = -1;
};

}  // namespace solenoid

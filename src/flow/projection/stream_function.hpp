// The exact fractional step's projection: U = C s with C^T H C s = C^T H U*, H = X^T V^-1 X the
// face mass matrix of docs/numerics.md. D U = D C s = 0 to round-off, however far the solve is
// carried (thesis, section 7.4; Chang et al. 2002). s lives on nodes in 2D, on edges in 3D. Where
// the domain asks for it, U = C s + harmonic fluxes + what carries the net flux of closed
// boundaries; the stream function's constants on further boundaries are among s.
#pragma once

#include "flow/projection/projection.hpp"
#include "flow/projection/stream_function_boundary.hpp"
#include "flow/topology/harmonic_fluxes.hpp"
#include "flow/topology/net_flux_lifting.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/fischer_projection.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

template <class Real>
class StreamFunction final : public Projection<Real> {
  public:
    // prescribed: faces whose flux is given (walls, inflow, symmetry), one flag a face held.
    StreamFunction(const Domain& domain, const std::vector<bool>& prescribed,
                   const SolveSettings& settings);

    // In the order of trace().faces(). Changes s on the boundary.
    void prescribe(const std::vector<double>& flux) override;
    void impose(const std::vector<std::optional<double>>& flux) override;
    std::vector<std::optional<double>> pressure_rise() const override {
        return pressure_rise(step_);
    }
    std::vector<std::optional<double>> pressure_rise(double step) const;  // for project_velocity
    void update_force(const Field<Real>& force, const Buffer<Real>&) override { force_ = &force; }
    StreamFunctionBoundary& trace() { return trace_; }
    std::size_t harmonic_fluxes() const { return harmonic_.count(); }

    // flux = the projection of flux_star; s is corrected from what it was. The tolerance is
    // relative to the right-hand side of the change, C^T H (U* - C s): relative to that of s
    // itself, a slow change would stay below it and be lost.
    SolveReport project(Field<Real>& flux_star, Field<Real>& flux, double step = 1) override;
    // The same of a velocity in the cells: flux = C s is what comes nearest to it, C^T H C s = C^T
    // I u*. Where `size` is larger than the right-hand side of the change, the tolerance is
    // relative to it.
    SolveReport project_velocity(const Field<Real>& u_star, Field<Real>& flux, double size = 0);
    double last_size() const { return last_size_; }  // norm of the last right-hand side of a change

    SolveReport start(Field<Real>& flux_star, Field<Real>& flux) override {
        return project(flux_star, flux);
    }

    void keep_in(Snapshot<Real>& snapshot) override;
    Field<Real>& potential() override { return s_; }
    Field<Real>* stream_function() override { return &s_; }
    const char* name() const override { return "stream_function"; }
    PreconditionerSummary preconditioner() const override { return preconditioner_->summary(); }

  private:
    void impose_boundary_values(Field<Real>& s, bool with_constants);
    void compose(Field<Real>& flux);
    std::vector<double> constrained(std::vector<double> change, const Buffer<Real>& flux);
    // out = C^T I u; its norm on free codim-2 entities
    double tested(const Field<Real>& u, Field<Real>& out);
    double norm(const Buffer<Real>& b);  // on free codim-2 entities
    double position_rounding(const Buffer<Real>& u) const;
    void set_positions(const Mesh& mesh);
    std::unique_ptr<Preconditioner<Real>> make_preconditioner();
    Codim2Solve codim2_solve();

    const Domain& domain_;
    Operators<Real>& operators_;
    int d_;
    SolveSettings settings_;
    std::vector<bool> prescribed_;
    Cohomology topology_;
    NetFluxLifting net_flux_lifting_;
    StreamFunctionBoundary trace_;
    HostMatrix host_matrix_;  // until all is made of it
    RowMatrix<Real> matrix_;
    ConjugateGradients<Real> cg_;
    FischerProjection<Real> guess_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    HarmonicFluxes<Real> harmonic_;
    CutSurfaces<Real> cut_surfaces_;
    double step_ = 0;  // of the last projection
    const Field<Real>* force_ = nullptr;
    std::vector<std::optional<double>> imposed_, multiplier_;  // of each section
    Field<Real> s_, change_, rhs_, star_rhs_, boundary_rhs_, circulation_, velocity_,
        star_velocity_;
    Buffer<std::uint32_t> fixed_;
    Buffer<Real> fixed_value_;
    std::vector<double> trace_value_;  // of the fixed codim-2 entities, without the constants
    std::vector<Index> fixed_part_;    // 2D: prescribed part of each fixed codim-2 entity
    Buffer<Real> position_square_;     // of a cell, the largest |x|^2 of its corners
    Buffer<Real> carried_;             // what NetFluxLifting carries; empty: nothing
    double last_size_ = 0;
};

}  // namespace solenoid

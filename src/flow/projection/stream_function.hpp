// The projection of the exact fractional step (Chang et al. 2002; thesis, section 7.4):
//   U = C s,   C^T H C s = C^T H U*,   H = X^T V^-1 X, the face mass matrix
// with s on nodes in 2D, on edges in 3D. D U = D C s = 0 to round-off at any tolerance of the
// solve. On domains with holes or periods, U = C s + harmonic fluxes + the lifting of net fluxes;
// the constants of s on further boundaries belong to s. docs/numerics.md.
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
    // prescribed: one flag for each face of this rank, whether its flux is given (walls, inflow,
    // symmetry).
    StreamFunction(const Domain& domain, const std::vector<bool>& prescribed,
                   const SolveSettings& settings);
    ~StreamFunction() override;

    // Sets s on the boundary. flux: in the order of trace().faces().
    void prescribe(const std::vector<double>& flux) override;
    void impose(const std::vector<std::optional<double>>& flux) override;
    std::vector<std::optional<double>> pressure_rise() const override {
        return pressure_rise(step_);
    }
    std::vector<std::optional<double>> pressure_rise(double step) const;  // for project_velocity
    void update_force(const Field<Real>& force, const Field<Real>&) override { force_ = &force; }
    StreamFunctionBoundary& trace() { return trace_; }
    std::size_t harmonic_fluxes() const { return harmonic_.count(); }

    // flux = the projection of flux_star; the first guess is the last s. The tolerance is relative
    // to the right-hand side of the change, C^T H (U* - C s): slow changes of s are resolved too.
    bool sees_boundary_gradient() const override { return true; }
    SolveReport project(Field<Real>& flux_star, Field<Real>& flux, double step = 1) override;
    // Projects a cell velocity: flux = C s with C^T H C s = C^T X^T u*, the nearest one. The
    // tolerance is relative to the larger of the right-hand side of the change and `size`. Returns
    // the solve's report.
    SolveReport project_velocity(const Field<Real>& u_star, Field<Real>& flux, double size = 0);
    // norm of the right-hand side of the last change
    double last_size() const { return last_size_; }

    SolveReport start(Field<Real>& flux_star, Field<Real>& flux) override {
        return project(flux_star, flux);
    }

    void register_state(const State<Real>& state) override;
    Field<Real>& potential() override { return s_; }
    Field<Real>* stream_function() override { return &s_; }
    const char* name() const override { return "stream_function"; }
    PreconditionerSummary preconditioner() const override { return preconditioner_->summary(); }

  private:
    void impose_boundary_values(Field<Real>& s, bool with_constants);
    void compose(Field<Real>& flux);
    std::vector<double> constrained(std::vector<double> change, const Buffer<Real>& flux);
    // out = C^T X^T u; returns its norm on free codim-2 entities.
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
    const double enough_;  // the tolerance given; in thin cells that of settings_ is smaller
    std::vector<bool> prescribed_;
    Cohomology topology_;
    NetFluxLifting net_flux_lifting_;
    StreamFunctionBoundary trace_;
    HostMatrix host_matrix_;  // only during construction
    RowMatrix<Real> matrix_;
    ConjugateGradients<Real> cg_;
    FischerProjection<Real> guess_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    HarmonicFluxes<Real> harmonic_;
    CutSurfaces<Real> cut_surfaces_;
    double step_ = 0;  // of the last projection
    const Field<Real>* force_ = nullptr;
    std::vector<std::optional<double>> imposed_, multiplier_;  // for each cut surface
    Field<Real> s_, change_, rhs_, star_rhs_, boundary_rhs_, circulation_, velocity_,
        star_velocity_;
    Buffer<std::uint32_t> fixed_;
    Buffer<Real> fixed_value_;
    std::vector<double> trace_value_;  // at the fixed codim-2 entities, without the constants
    std::vector<Index> fixed_part_;    // 2D: prescribed part of each fixed codim-2 entity
    Buffer<Real> position_square_;     // for each cell the largest |x|^2 of its corners
    Buffer<Real> carried_;             // flux of NetFluxLifting; empty where it is zero
    double last_size_ = 0;
};

}  // namespace solenoid

// The implicit part of a scalar's step, (rate V + K) T = b on the cells, K the conduction between
// neighbours and to boundary faces with a given value.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "flow/scalar/deferred_diffusion.hpp"
#include "flow/scalar/scalar_faces.hpp"
#include "operators/domain.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/multigrid/diffusion_preconditioner.hpp"

namespace solenoid {

template <class Real>
class ScalarDiffusion {
  public:
    // volume: of owned cells. All references must outlive this. Collective.
    ScalarDiffusion(const Domain& domain, const ScalarFaces<Real>& faces,
                    const Buffer<Real>& volume, const std::string& name,
                    const SolveSettings& settings);
    ~ScalarDiffusion();

    // The diffusivity of the faces has changed. Collective.
    void update(const ScalarFaces<Real>& faces);
    // The faces with a given value have changed. Collective.
    void update_boundary(const ScalarFaces<Real>& faces);

    // x, the first guess, becomes the solution at the time `when`; the tolerance is relative to the
    // first residual. With `most`, iterations go on until no cell's residual exceeds most rate V,
    // or rounding keeps it there. Throws ComputationError. Collective.
    void solve(double rate, const Buffer<Real>& b, Field<Real>& x, double when,
               double most = HUGE_VAL);
    // The same with the deferred part of diffusion. given: T_b of ScalarFaces.
    void solve_whole(double rate, const Buffer<Real>& b, CellField<Real>& x,
                     DeferredDiffusion<Real>& deferred, const Buffer<Real>& given, double when,
                     double most = HUGE_VAL);
    const Buffer<Real>& residual() const { return residual_; }  // of the last solution

    const SolveTotals& totals() const { return totals_; }
    // after the faces; found: preconditioners
    void register_state(const State<Real>& motion, const State<Real>& found,
                        const ScalarFaces<Real>& faces);

  private:
    void take(const ScalarFaces<Real>& faces);
    void take_boundary(const ScalarFaces<Real>& faces);
    void replace_weights();
    void set_rate(double rate);
    void refine(double rate, double when, double most, const std::function<void()>& measure,
                const std::function<SolveReport()>& solve);
    void make_whole();
    double largest_residual(double rate) const;

    const Domain& domain_;
    const Buffer<Real>& volume_;
    const std::string name_;
    const SolveSettings settings_;
    CellDiffusion diffusion_;
    // diffusivity of the faces that the preconditioner was made for, where it varies
    std::vector<double> prepared_;
    GraphLaplacian<Real> matrix_;
    DiffusionPreconditioner<Real> preconditioners_;
    Preconditioner<Real>* preconditioner_ = nullptr;  // of the rate under way
    ConjugateGradients<Real> cg_;
    Buffer<Real> to_boundary_, inverse_, residual_, change_;
    double rate_ = -1, prepared_rate_ = -1;
    // Of solve_whole(), made when first needed; deferred_: of the current solve.
    std::unique_ptr<FunctionOperator<Real>> whole_, inverse_of_implicit_;
    std::unique_ptr<Bicgstab<Real>> bicgstab_;
    DeferredDiffusion<Real>* deferred_ = nullptr;
    SolveTotals totals_;
};

}  // namespace solenoid

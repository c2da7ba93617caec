// Pressure at the nodes from its gradient q in the cells: continuous p, linear in each cell, whose
// gradient is nearest to q:
//   sum over cells of V grad(phi) . (grad p - q) = 0 for all linear phi.
// p is given on open boundaries; in each part of the domain (cells joined by nodes) without one its
// mean by volume is 0. q is the interpolation of face gradients; in cells at faces with a given
// velocity, where dp/dn is not known, it is the gradient of a fitted parabola (gradient_fit). Where
// the boundary has sharp edges CellPressure corrects p.
#pragma once

#include <optional>

#include "flow/boundary/open_pressure.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "flow/projection/cell_pressure.hpp"
#include "heat/heat_discretization.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"

namespace solenoid {

// What a pressure is recovered from. gradient: A dp/dn over density on faces [m^3/s^2, in 2D
// m^2/s^2], less the flux of `force`. force: in cells [m/s^2], or null. in_cells: p over density in
// cells where the projection has it, or null.
template <class Real>
struct PressureSources {
    const Field<Real>* gradient;
    const Buffer<Real>* force = nullptr;
    const Field<Real>* in_cells = nullptr;
};

// The factors of PressureSources in a sum of weight times recovered pressure over nodes. What given
// pressures add is of this rank's own entries of OpenPressure::nodes() and positions(), by their
// places there.
template <class Real>
struct PressureSum {
    Buffer<Real> gradient, force, in_cells;  // of owned entities; null where there is none
    std::vector<std::pair<std::size_t, double>> given_nodes, given_faces;
};

template <class Real>
class PressureRecovery {
  public:
    // is_given: one flag for each face held. All references must outlive this. Collective.
    PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                     const std::vector<bool>& is_given, const SolveSettings& settings);
    ~PressureRecovery();

    // Returns p over density [m^2/s^2]; it is the first guess of the next solve. gradient: A dp/dn
    // over density on faces [m^3/s^2, in 2D m^2/s^2], less the flux of `force`. force: in cells
    // [m/s^2], or null. in_cells: p over density in cells where the projection has it; null: it is
    // solved for where needed. Throws ComputationError with the time where a solve fails.
    // Collective.
    const Field<Real>& solve(const Field<Real>& gradient, double time,
                             const Buffer<Real>* force = nullptr,
                             const Field<Real>* in_cells = nullptr);
    // The pressure of the last solve again, to the bit, also where it was loaded as the guess. time
    // and in_cells: as then.
    const Field<Real>& again(double time, const Field<Real>* in_cells = nullptr);
    // For sums of weight times the result of solve() over the owned nodes of all ranks, as products
    // in place of a solve: solve() is affine, so that its transpose, applied once to the weights,
    // gives the factors of what it is made of. weight: of each owned node. kind: which sources
    // there will be. docs/numerics.md, "Forces at each step". Throws ComputationError where a solve
    // fails. Collective.
    PressureSum<Real> prepare(std::vector<double> weight, const PressureSources<Real>& kind);
    // The sums, on all ranks. Collective.
    std::vector<double> sums(const std::vector<PressureSum<Real>>& prepared,
                             const PressureSources<Real>& from, double time) const;
    // Later results at nodes are corrected by this cell pressure; null: no correction.
    void correct_by(std::unique_ptr<CellPressure<Real>> cells);
    const SolveTotals& solves() const { return solves_; }
    // The first guesses of the next solve: at nodes, and in cells; null without correct_by().
    Field<Real>& guess() { return p_; }
    Field<Real>* cell_guess() { return cells_ ? &cells_->guess() : nullptr; }

    // The cells at each owned node as 4 c + (its place in cell c), and the outward areas opposite
    // the nodes of each cell held.
    const SellRows& corners() const { return corners_; }
    const Buffer<Real>& areas() const { return area_; }

  private:
    PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                     const std::vector<bool>& is_given, const SolveSettings& settings,
                     const NodeDifferences& stiffness);
    void set_corners();
    void set_fit(const Geometry& geometry, const std::vector<bool>& is_given);
    std::pair<std::vector<Index>, std::vector<bool>> fitted_cells(
        const std::vector<bool>& is_given) const;
    std::vector<Index> fix();
    void find_floating(const std::vector<Index>& fixed);
    void constrain(double time, Field<Real>& p);
    double norm(const Buffer<Real>& x);
    // p is free up to one constant in the whole domain: its mean is computed on the device
    bool is_whole() const { return volume_.size() == 1 && domain_.mesh.components == 1; }
    double rounding_of(const std::vector<double>& weight) const;
    void add_adjoint(const std::vector<double>& weight, const std::vector<double>& of_given,
                     double rounding, PressureSum<Real>& sum);
    void add_rows(const std::vector<Vec3>& of_cells, PressureSum<Real>& sum);
    void centre(Field<Real>& p);
    void transpose_centre(std::vector<double>& weight) const;

    const Domain& domain_;
    const int d_;
    Operators<Real>& operators_;
    const SolveSettings settings_;
    const OpenPressure open_pressure_;
    GraphLaplacian<Real> matrix_;
    ConjugateGradients<Real> cg_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    SellRows corners_;
    FittedRows<Real> fit_;  // of the cells with a fitted q
    Buffer<std::uint32_t> fitted_, open_node_;
    Buffer<Real> value_;  // vectors of fitted_
    Buffer<Real> open_value_, area_;
    Field<Real> q_;                           // cell vectors
    Field<Real> p_, b_, change_;              // nodes
    std::vector<Index> fixed_;                // owned nodes where p is given
    std::optional<GradientFit> fit_on_host_;  // once a sum is prepared
    const std::vector<bool> is_given_;
    std::unique_ptr<CellPressure<Real>> cells_;
    Field<Real> corrected_;      // nodes: p_ plus the correction by cells
    Buffer<Real> residual_;      // nodes
    std::vector<double> share_;  // of the volume, for each owned node
    // for each owned node its part without an open boundary, or `none`
    std::vector<Index> floating_;
    std::vector<double> volume_;  // of each such part [m^3, in 2D m^2]
    Buffer<Real> whole_;          // share_, where is_whole()
    SolveTotals solves_;
};

}  // namespace solenoid

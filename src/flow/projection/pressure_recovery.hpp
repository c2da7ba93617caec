// Pressure at the nodes from its gradient in the cells: of all p that are continuous and linear in
// each cell the one whose gradient is nearest to q, sum over cells of V grad(phi) . (grad p - q) =
// 0. On open boundaries p is given; in each part of the domain (cells joined by nodes) that has
// none of them its mean by volume is 0. q is the interpolation of face gradients; in cells at faces
// with a given velocity, where none is known, that of a parabola fitted to those round the cell
// (gradient_fit). Where the boundary has sharp edges the cells' own pressure corrects it
// (CellPressure).
#pragma once

#include "flow/boundary/open_pressure.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "flow/projection/cell_pressure.hpp"
#include "heat/heat_discretization.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"

namespace solenoid {

template <class Real>
class PressureRecovery {
  public:
    // is_given: one flag a face held. All references must outlive this. Collective.
    PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                     const std::vector<bool>& is_given, const SolveSettings& settings);

    // gradient: A dp/dn by density [m^3/s^2, in 2D m^2/s^2] on faces, less the flux of a force that
    // cells have [m/s^2]. Returns p by density [m^2/s^2]; the next solve starts from it. in_cells:
    // p there by density, where the projection has it; null: where needed it is solved for. Throws
    // ComputationError, naming the time, where a solve fails. Collective.
    const Field<Real>& solve(const Field<Real>& gradient, double time,
                             const Buffer<Real>* force = nullptr,
                             const Field<Real>* in_cells = nullptr);
    // From now on the nodes take the pressure of these cells; null: none.
    void correct_by(std::unique_ptr<CellPressure<Real>> cells);
    const SolveTotals& solves() const { return solves_; }

    // The cells round each owned node, 4 c + its place in cell c; outward areas opposite the nodes
    // of each cell held.
    const SellRows& corners() const { return corners_; }
    const Buffer<Real>& areas() const { return area_; }

  private:
    PressureRecovery(const Domain& domain, const OpenPressure& open_pressure,
                     const std::vector<bool>& is_given, const SolveSettings& settings,
                     const NodeDifferences& stiffness);
    void set_corners();
    void set_fit(const Geometry& geometry, const std::vector<bool>& is_given);
    std::vector<Index> fix();
    void find_floating(const std::vector<Index>& fixed);
    void constrain(double time, Field<Real>& p);
    double norm(const Buffer<Real>& x);
    // p's level is free everywhere: its mean is taken on the device
    bool is_whole() const { return volume_.size() == 1 && domain_.mesh.components == 1; }
    void centre(Field<Real>& p);

    const Domain& domain_;
    const int d_;
    Operators<Real>& operators_;
    const SolveSettings settings_;
    const OpenPressure open_pressure_;
    GraphLaplacian<Real> matrix_;
    ConjugateGradients<Real> cg_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    SellRows corners_;
    FittedRows<Real> fit_;  // of the cells whose q is fitted
    Buffer<std::uint32_t> fitted_, open_node_;
    Buffer<Real> value_;  // vectors of the list
    Buffer<Real> open_value_, area_;
    Field<Real> q_;               // cell vectors
    Field<Real> p_, b_, change_;  // nodes
    std::unique_ptr<CellPressure<Real>> cells_;
    Field<Real> corrected_;      // nodes: p_ and what the cells add
    Buffer<Real> residual_;      // likewise
    std::vector<double> share_;  // of the volume, of each owned node
    // of each owned node: the part without an open boundary that it lies in, or `none`
    std::vector<Index> floating_;
    std::vector<double> volume_;  // of each such part
    Buffer<Real> whole_;          // share_, where is_whole()
    SolveTotals solves_;
};

}  // namespace solenoid

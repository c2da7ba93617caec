// Pressure in the cells from the gradient G that a projection subtracts: the p whose differences
// between the cells of a face are nearest to
//   (H G)_f = (x_f - x_a) . q_a + (x_b - x_f) . q_b
// with q the interpolation of G. In the exact method the differences equal H G, since C^T H G = 0:
// the power of p on any divergence-free flux is that of G on it, also where the pressure is
// unbounded at a sharp edge. docs/numerics.md, "Pressure at sharp edges".
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "flow/boundary/open_pressure.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"

namespace solenoid {

// When to stop the solve for a weight, whose result is used in every step from then on. size: the
// norm of the right-hand side, which is consistent to rounding.
template <class Real>
CgSettings stop_of_adjoint(CgSettings stop, double size) {
    stop.tolerance = std::min(stop.tolerance, std::is_same_v<Real, double> ? 1e-9 : 1e-5);
    stop.rounding = 8 * std::numeric_limits<Real>::epsilon() * size;
    stop.takes_rounding = true;
    return stop;
}

template <class Real>
class CellPressure {
  public:
    // All references must outlive this. Collective.
    CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                 const OpenPressure& open_pressure, const SolveSettings& settings);
    ~CellPressure();

    // Returns p over density [m^2/s^2], up to a constant in each part of the domain without an open
    // boundary; it is the first guess of the next solve. gradient: A dp/dn over density on faces
    // [m^3/s^2, in 2D m^2/s^2] less the flux of `force`. force: in cells [m/s^2], or null. Throws
    // ComputationError with the time where the solve fails. Collective.
    const Field<Real>& solve(const Field<Real>& gradient, double time, const Buffer<Real>* force,
                             SolveTotals& totals);

    Field<Real>& guess() { return p_; }

    // The transpose of add_to_nodes(): of a weight of each owned node's p the weights of the cells,
    // and the rest of it. Collective.
    std::vector<double> transpose(std::vector<double>& weight);
    // Of a sum of weight times the pressure of solve() over all cells adds the factors of the
    // gradient at owned faces, of the force in owned cells unless that is null, and of
    // OpenPressure::positions() by their places. The weights of each part without an open boundary
    // add up to 0. Throws ComputationError where the solve fails. Collective.
    void add_adjoint(const std::vector<double>& weight, Buffer<Real>& gradient, Buffer<Real>& force,
                     std::vector<std::pair<std::size_t, double>>& given);

    // Adds to each node's p the mean over its cells of the cell's value less the mean of the cell's
    // nodes. Collective.
    void add_to_nodes(const Field<Real>& in_cells, Field<Real>& p);

  private:
    struct Coefficients;
    CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                 const OpenPressure& open_pressure, const SolveSettings& settings,
                 const Coefficients& coefficients);
    void set_rows();
    std::vector<char> whole_cells() const;
    void constrain(double time);

    const Domain& domain_;
    const FlowBoundaries& boundaries_;
    Operators<Real>& operators_;
    const SolveSettings settings_;
    const OpenPressure open_pressure_;
    GraphLaplacian<Real> matrix_;
    ConjugateGradients<Real> cg_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    Buffer<std::uint32_t> face_cells_;
    const Buffer<std::uint32_t>& cell_nodes_;
    Buffer<std::uint32_t> open_entry_;
    // of faces, 0 where the flux is given; of open_entry_
    Buffer<Real> conduction_, open_value_;
    SellRows round_;  // the cells whose mean a node takes
    Buffer<Real> weight_;
    std::optional<Rows> cells_of_nodes_;  // on the host, once transpose() is called
    Field<Real> q_, flux_;                // cell vectors; faces
    Field<Real> p_, change_;              // cells with boundary values
    Field<Real> net_, defect_, missing_;  // cells, cells, nodes
};

}  // namespace solenoid

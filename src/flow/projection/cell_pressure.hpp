// Pressure in the cells from the gradient that a projection took away, by the sums in which both
// methods let it do its work: of all p the one whose differences between the cells of a face are
// nearest to (H G)_f = (x_f - x_a) . q_a + (x_b - x_f) . q_b, with q the interpolation of G. Of the
// exact method they are H G itself, for C^T H G = 0, so that the power of p on any flux free of
// divergence is that of G on it, however unbounded the pressure is at a sharp edge.
// docs/numerics.md, "Pressure at sharp edges".
#pragma once

#include "flow/boundary/open_pressure.hpp"
#include "operators/operators.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"
#include "solvers/matrix/graph_laplacian.hpp"

namespace solenoid {

template <class Real>
class CellPressure {
  public:
    // All references must outlive this. Collective.
    CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                 const OpenPressure& open_pressure, const SolveSettings& settings);

    // gradient: A dp/dn by density on faces, less the flux of a force that cells have [m/s^2].
    // Returns p by density [m^2/s^2], up to a constant in a part of the domain without an open
    // boundary; the next solve starts from it. Throws ComputationError, naming the time, where the
    // solve fails. Collective.
    const Field<Real>& solve(const Field<Real>& gradient, double time, const Buffer<Real>* force,
                             SolveTotals& totals);

    // Adds to the nodes' p the mean, over the cells round each, of what these have more than the
    // mean of their nodes. Collective.
    void add_to_nodes(const Field<Real>& in_cells, Field<Real>& p);

  private:
    struct Coefficients;
    CellPressure(const Domain& domain, const FlowBoundaries& boundaries,
                 const OpenPressure& open_pressure, const SolveSettings& settings,
                 const Coefficients& coefficients);
    void set_rows(const FlowBoundaries& boundaries);
    void constrain(double time);

    const Domain& domain_;
    Operators<Real>& operators_;
    const SolveSettings settings_;
    const OpenPressure open_pressure_;
    GraphLaplacian<Real> matrix_;
    ConjugateGradients<Real> cg_;
    std::unique_ptr<Preconditioner<Real>> preconditioner_;
    Buffer<std::uint32_t> face_cells_;
    const Buffer<std::uint32_t>& cell_nodes_;
    Buffer<std::uint32_t> open_entry_;
    // of faces, nothing where the flux is given; of open_entry_
    Buffer<Real> conduction_, open_value_;
    SellRows round_;  // the cells whose mean a node takes
    Buffer<Real> weight_;
    Field<Real> q_, flux_;                // cell vectors; faces
    Field<Real> p_, change_;              // cells, followed by the values at boundary faces
    Field<Real> net_, defect_, missing_;  // cells, cells, nodes
};

}  // namespace solenoid

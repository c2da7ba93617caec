// Boundary-value problems on a structured grid, -div(k grad U) + c U = f with alpha U + beta dU/dn
// = gamma on its sides: discretized by grid/stencil, solved by geometric multigrid, alone or as the
// preconditioner of conjugate gradients.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/run/grid_mesh.hpp"
#include "grid/run/node_fields.hpp"
#include "grid/stencil/mapped_grid.hpp"
#include "poisson/poisson_case.hpp"
#include "solvers/krylov/solve_report.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

template <class Real>
class PoissonSolver {
  public:
    // References must outlive this. Throws InputError where the problem has no solution: what
    // flows in by slopes and sources does not balance, and no value is given, in the domain or in a
    // part that land cuts off. Collective.
    PoissonSolver(const Communicator& comm, Device& device, const GridMesh& mesh,
                  const PoissonCase& settings, const std::string& place);

    // Throws ComputationError where it does not converge. Collective.
    void solve();
    const SolveTotals& solves() const { return totals_; }
    const std::string& smoother() const;  // its help
    int levels() const { return multigrid_->levels(); }
    // Then the mean of U is 0, or that over each of the parts that land cuts off.
    bool is_singular() const { return system_.is_singular; }
    int floating_parts() const { return static_cast<int>(system_.floating.parts.size()); }
    int stencil_points() const { return stencil_points_; }  // 5 or 9

    // At the nodes of the topology held here; vectors column by column, three a node. Collective.
    std::vector<double> potential();
    std::vector<double> gradient();                                // of second order
    std::vector<double> flux(std::vector<double> gradient) const;  // -k grad U

    // What flows into the domain through each boundary of the topology, by what sources make, and
    // what the reaction takes: the discrete balance, exact to the solver's tolerance.
    struct Balance {
        std::vector<double> boundaries;
        double source = 0, reaction = 0;
        double imbalance() const;
    };
    Balance balance();

  private:
    void check_balance(const std::string& place) const;
    SolveReport solve_full();
    const Communicator comm_;
    const GridMesh& mesh_;
    const PoissonCase& settings_;
    const Grid<Real> grid_;
    const NodeFields<Real> fields_;
    MappedBoundaryValues problem_;
    BoundaryValueSystem<Real> system_;
    GridCycle cycle_;
    int stencil_points_;
    std::unique_ptr<GridMultigrid<Real>> multigrid_;
    Buffer<Real> unknown_, potential_;
    SolveTotals totals_;
};

}  // namespace solenoid

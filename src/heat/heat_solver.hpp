// Heat conduction: div(k grad T) + q = rho c dT/dt on nodes, steady or in time.
//
// In time: TR-BDF2 (Bank et al. 1985; Hosea & Shampine 1996), second order, L-stable, one step, with an embedded error
// estimate. Its two implicit stages share the matrix M / (d dt) + K + H, with d = 1 - 1/sqrt(2).
#pragma once

#include <memory>
#include <optional>

#include "heat/heat_boundaries.hpp"
#include "heat/heat_discretization.hpp"
#include "solvers/cg.hpp"
#include "solvers/difference_matrix.hpp"
#include "solvers/solve_totals.hpp"

namespace solenoid {

// Heat [W] into the body: through each boundary part, from sources, stored; mean values over a step, or steady ones.
struct HeatBalance {
    std::vector<double> boundary;
    double source = 0;
    double storage = 0;
    double imbalance() const;  // what the solver's tolerance leaves
};

template <class Real>
class HeatSolver {
  public:
    // regions: the material of each of the mesh's regions. All of these must outlive the solver. Collective.
    HeatSolver(const Communicator& comm, Device& device, const DistributedMesh& mesh,
               const std::vector<MaterialSettings>& regions, const std::vector<HeatBoundary>& boundaries,
               const Formula& initial, const SolverSettings& settings);
    ~HeatSolver();

    // Throws InputError where a steady problem has no solution; solve_steady() does so too. Collective.
    void anchor();
    // Throws ComputationError where the solve fails. Collective.
    void solve_steady();
    // One step; returns its estimated local error, root mean square over the range of temperature, where asked for.
    // The state before the step comes back with undo().
    double step(double dt, bool estimate_error);
    void undo();

    double time() const;
    std::vector<double> temperature() const;  // on the nodes held here, ghosts filled
    std::array<double, 2> extrema() const;    // of the temperature, all ranks
    const HeatBalance& balance() const;       // of the last step or the steady state, all ranks
    const SolveTotals& solves() const;
    const HeatBoundaries& boundaries() const;
    std::size_t halo_bytes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace solenoid

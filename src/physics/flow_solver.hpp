// Incompressible flow by the exact fractional step: du/dt + u . grad u = -grad p + nu lap u, div u = 0, with the face
// fluxes U = C s of a stream function, free of divergence to round-off (docs/numerics.md).
#pragma once

#include <memory>

#include "case/settings.hpp"
#include "parallel/distributed_mesh.hpp"
#include "solvers/solve_totals.hpp"

namespace solenoid {

struct FlowSolvers {
    SolverSettings stream_function, momentum;
};

template <class Real>
class FlowSolver {
  public:
    // All arguments must outlive the solver. The initial velocity is projected. Collective.
    FlowSolver(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FluidSettings& fluid,
               const FlowSettings& flow, const std::vector<FlowBoundarySettings>& boundaries, const VectorFormula& initial,
               const FlowSolvers& solvers);
    ~FlowSolver();

    // One step of length dt [s], second order. Throws ComputationError where a solve fails or a value is not finite
    // (with time and place). Collective, as all below.
    void step(double dt);
    double time() const;

    double courant(double dt) const;  // largest |U| dt / V of a cell: half the sum of its faces' fluxes
    double max_divergence() const;    // largest net outflow of a cell over the largest face flux
    double rate_of_change() const;    // largest |u - u_before| / dt [m/s^2] of the last step
    double largest_speed() const;     // of a cell [m/s]
    double kinetic_energy() const;    // 1/2 integral of u^2 [m^5/s^2], in 2D [m^4/s^2]

    // On the entities held here, ghosts filled; vectors column by column, `dimension` columns.
    std::vector<double> node_velocity() const;    // recovered, second order
    std::vector<double> cell_velocity() const;
    std::vector<double> face_flux() const;
    std::vector<double> stream_function() const;  // on nodes in 2D, on edges in 3D
    std::vector<double> node_vorticity() const;   // omega (1 column) in 2D, three columns in 3D

    const SolveTotals& stream_function_solves() const;
    const SolveTotals& momentum_solves() const;
    std::size_t halo_bytes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace solenoid

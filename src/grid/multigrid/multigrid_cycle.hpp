// Geometric multigrid on a structured grid (docs/grids.md): the coarse grid is the nodes (2 i, 2 j)
// of the one before, the coarse operators are Galerkin's, R A P with bilinear interpolation P and
// R = P^T, or discretized again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "grid/stencil/stencil.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

enum class GridSmoother {
    colours,  // Gauss-Seidel: red-black on five points, four colours on nine
    jacobi,
    lines_x,  // of lines along x, every other line first: cells stretched along x
    lines_y,
    lines  // along x, then along y
};

struct GridCycle {
    GridSmoother smoother = GridSmoother::colours;
    double damping = 0.8;       // of Jacobi's
    int before = 1, after = 1;  // sweeps of the smoother
    int coarse_cycles = 1;      // 1: V, 2: W
    // F: such a cycle on the next coarser grid, then a V cycle. No preconditioner: not symmetric.
    bool is_full = false;
    // The colours in the reverse order after the correction: symmetric, as a preconditioner is.
    bool is_reversed = false;

    bool operator==(const GridCycle&) const = default;
};

struct GridCycleReport {
    bool has_converged = false;
    int cycles = 0;
    std::vector<double> residuals;  // greatest |b - A u| before the first cycle and after each
};

// The operator of a coarser grid, or none: Galerkin's is formed. Collective.
template <class Real>
using Rediscretization =
    std::function<std::optional<Stencil<Real>>(const Grid<Real>& grid, int level)>;

template <class Real>
class GridMultigrid {
  public:
    // matrix: must outlive this. kept: 1 at the nodes that may be unknowns of coarser grids, with
    // any values at ghosts; none: the unknowns. Collective.
    explicit GridMultigrid(Stencil<Real>& matrix, const Buffer<Real>* kept = nullptr,
                           const Rediscretization<Real>& rediscretized = nullptr,
                           int coarsest_nodes = GridBlocks::small);
    ~GridMultigrid();

    int levels() const;
    Stencil<Real>& matrix(int level);  // 0: the finest

    // Cycles for A u = b from the u given, until greatest |b - A u| <= target. Collective.
    GridCycleReport solve(const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings,
                          double target, int max_cycles);
    // The same, with whether it has come so far alone brought to the host (any_above), after every
    // `cycles_a_test` cycles; residuals stay empty. Collective.
    GridCycleReport solve_until(const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings,
                                double target, int max_cycles, int cycles_a_test = 1);
    // One cycle. Collective.
    void cycle(const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings);
    // Full multigrid, from nothing: the solution of each grid, after so many cycles, is where the
    // next finer one starts. Collective.
    void solve_full(const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings,
                    int cycles_a_level);

  private:
    struct Level;
    void make_coarser(const GridBlocks& blocks, const Rediscretization<Real>& rediscretized);
    // Galerkin's operator of the next coarser grid.
    Stencil<Real> combine(Level& fine, const Buffer<Real>& straight, const Buffer<Real>& diagonal);
    void make_coarsest();
    void cycle(std::size_t n, const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings);
    void solve_below(std::size_t n, const GridCycle& settings);
    std::size_t recorded_level(const GridCycle& settings) const;
    void relax(Level& level, const Buffer<Real>& b, Buffer<Real>& u, const GridCycle& settings,
               bool backwards);
    void restrict_to_coarser(Level& fine, Buffer<Real>& values);
    void correct(Level& fine, Buffer<Real>& u);
    void solve_coarsest(const Buffer<Real>& b, Buffer<Real>& u);

    std::vector<std::unique_ptr<Level>> levels_;
    Buffer<Real> inverse_, answer_;  // of the coarsest level
    Buffer<std::uint32_t> unknowns_;
    // what a device keeps of the calls on small grids, behind the first time of these settings
    struct Recorded {
        GridCycle settings;
        std::unique_ptr<Recording> calls;
    };
    std::vector<Recorded> recorded_;
};

// One cycle from zero, its colours reversed after the correction, as M^-1 of conjugate gradients.
template <class Real>
class GridPreconditioner final : public Preconditioner<Real> {
  public:
    // reference must outlive this; settings of no F cycle
    GridPreconditioner(GridMultigrid<Real>& multigrid, GridCycle settings);
    double apply(const Buffer<Real>& r, Buffer<Real>& z) override;

  private:
    GridMultigrid<Real>& multigrid_;
    GridCycle settings_;
};

}  // namespace solenoid

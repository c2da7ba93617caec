// Geometric multigrid on a structured grid (docs/grids.md): the coarse grid is the nodes (2 i, 2 j)
// of the one before, the coarse operators are Galerkin's, R A P with bilinear interpolation P and
// R = P^T.
#pragma once

#include <memory>
#include <vector>

#include "grid/stencil/stencil.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

struct MultigridSettings {
    int before = 1, after = 1;  // sweeps of the smoother
    int coarse_cycles = 1;      // 1: V, 2: W
    // The colours in the reverse order after the correction: symmetric, as a preconditioner is.
    bool is_reversed = false;
};

struct MultigridReport {
    bool has_converged = false;
    int cycles = 0;
    std::vector<double> residuals;  // greatest |b - A u| before the first cycle and after each
};

template <class Real>
class GridMultigrid {
  public:
    // matrix: must outlive this. kept: 1 at the nodes that may be unknowns of coarser grids, with
    // any values at ghosts; none: the unknowns. Collective.
    explicit GridMultigrid(Stencil<Real>& matrix, const Buffer<Real>* kept = nullptr,
                           int coarsest_nodes = 36);
    ~GridMultigrid();

    int levels() const;
    Stencil<Real>& matrix(int level);  // 0: the finest

    // Cycles for A u = b from the u given, until greatest |b - A u| <= target. Collective.
    MultigridReport solve(const Buffer<Real>& b, Buffer<Real>& u, const MultigridSettings& settings,
                          double target, int max_cycles);
    // One cycle. Collective.
    void cycle(const Buffer<Real>& b, Buffer<Real>& u, const MultigridSettings& settings);
    // Full multigrid, from nothing: the solution of each grid, after so many cycles, is where the
    // next finer one starts. Collective.
    void solve_full(const Buffer<Real>& b, Buffer<Real>& u, const MultigridSettings& settings,
                    int cycles_a_level);

  private:
    struct Level;
    void make_coarser(const GridBlocks& blocks);
    void make_coarsest();
    void cycle(std::size_t n, const Buffer<Real>& b, Buffer<Real>& u,
               const MultigridSettings& settings);
    void restrict_to_coarser(Level& fine, Buffer<Real>& values);
    void correct(Level& fine, Buffer<Real>& u);
    void solve_coarsest(const Buffer<Real>& b, Buffer<Real>& u);

    std::vector<std::unique_ptr<Level>> levels_;
    Buffer<Real> inverse_, answer_;  // of the coarsest level
    Buffer<std::uint32_t> unknowns_;
};

// One cycle from zero, its colours reversed after the correction, as M^-1 of conjugate gradients.
template <class Real>
class GridPreconditioner final : public Preconditioner<Real> {
  public:
    // reference must outlive this
    GridPreconditioner(GridMultigrid<Real>& multigrid, MultigridSettings settings);
    double apply(const Buffer<Real>& r, Buffer<Real>& z) override;

  private:
    GridMultigrid<Real>& multigrid_;
    MultigridSettings settings_;
};

}  // namespace solenoid

// Problem (9) of the wave study (de Jong, van der Ploeg, Ditzel & Vuik): Poisson's equation on the
// unit square, u = x (x - 1) y (y - 1) exp(x y), on n x n nodes inside it, times the square of the
// mesh width: 4 at a node, -1 with each neighbour.
#pragma once

#include <cmath>

#include "bench/benchmark.hpp"
#include "grid/rrb/rank_blocks.hpp"

namespace solenoid::bench {

// The right-hand side at node (i, j).
inline double square_problem(int n, int i, int j) {
    const double h = 1.0 / (n + 1), x = (i + 1) * h, y = (j + 1) * h, p = x * (x - 1),
                 q = y * (y - 1);
    return -h * h * std::exp(x * y) *
           (q * (2 + 2 * y * (2 * x - 1) + y * y * p) + p * (2 + 2 * x * (2 * y - 1) + x * x * q));
}

// This rank's part of it: the matrix as RrbFactorization::factorize takes it, and b.
template <class Real>
struct SquareProblem {
    std::vector<Real> matrix, b;
    SquareProblem(const RankBlocks& blocks, const ArrayShape& shape)
        : matrix(3 * std::size_t(shape.size())), b(shape.size()) {
        const RankBlocks::Block block = blocks.block(1);
        const int n = blocks.nx();
        for (int j = 0; j < block.height; ++j)
            for (int i = 0; i < block.width; ++i) {
                const std::size_t k = shape.entry(i, j);
                matrix[k] = 4;
                matrix[shape.size() + k] = Real(block.x + i + 1 < n ? -1 : 0);
                matrix[2 * std::size_t(shape.size()) + k] = Real(block.y + j + 1 < n ? -1 : 0);
                b[k] = Real(square_problem(n, block.x + i, block.y + j));
            }
    }
};

// Adds rows of its solution by conjugate gradients with RRB, with a V(1,1) cycle of geometric
// multigrid and with algebraic multigrid, each until ||b - A u||_2 <= tolerance ||b||_2, and by one
// full multigrid cycle. Collective.
void compare_solvers(const Session& session, Device& device, int n, double tolerance);

}  // namespace solenoid::bench

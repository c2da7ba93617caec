#include "bench/square_problem.hpp"

#include "bench/timing.hpp"
#include "device/expression.hpp"
#include "grid/grid_topology.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/rrb/rrb_solver.hpp"
#include "grid/stencil/boundary_values.hpp"
#include "parallel/fill_ghosts.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid::bench {
namespace {

template <class Real>
class Comparison {
  public:
    Comparison(const Session& session, Device& device, int n, double tolerance)
        : session_(session),
          device_(device),
          timer_(session.comm, device, session.settings.repeats),
          n_(n),
          tolerance_(tolerance) {}

    void rrb() const {
        const RankBlocks blocks(session_.comm, n_, n_);
        const RankBlocks::Block block = blocks.block(1);
        RrbFactorization<Real> factorization(session_.comm, device_, blocks);
        const ArrayShape& shape = factorization.array();
        const SquareProblem<Real> problem(blocks, shape);
        Buffer<Real> matrix = device_.buffer<Real>(std::span<const Real>(problem.matrix), 3),
                     b = device_.buffer<Real>(std::span<const Real>(problem.b)),
                     x = device_.buffer<Real>(shape.size()), scratch = factorization.red_vector();
        const Timing set_up = timer_.of_each([] {}, [&] { factorization.factorize(matrix); });
        RrbSolver<Real> solver(session_.comm, device_, factorization);
        const auto residual = [&] {
            factorization.reduce(x, scratch);  // fills the ring of x
            const std::vector<Real> u = x.download();
            return residual_of({block.x, block.y, block.width, block.height}, [&](int i, int j) {
                return u[shape.entry(i - block.x, j - block.y)];
            });
        };
        // It ends by a norm of its own: the largest reduction, to a fifth, that is enough.
        RrbSettings settings{.reduction = tolerance_, .from_zero = true};
        RrbReport report;
        double reached = 1;
        for (int k = 0; k < 60 && reached > tolerance_; ++k, settings.reduction /= 1.2) {
            report = solver.solve(b, x, settings);
            reached = residual();
        }
        settings.reduction *= 1.2;
        const Timing solve = timer_.of_each([] {}, [&] { report = solver.solve(b, x, settings); });
        add("RRB", report.iterations, set_up, solve, residual());
    }

    void geometric_multigrid() const {
        const Grid<Real> on(session_.comm, device_,
                            GridBlocks({n_ + 2, n_ + 2}, session_.comm.size()));
        BoundaryValues problem;
        auto system = assemble(on, problem);
        const Buffer<Real> b = on.field_of([&](int i, int j) {
            return i > 0 && j > 0 && i <= n_ && j <= n_ ? square_problem(n_, i - 1, j - 1) : 0;
        });
        std::unique_ptr<GridMultigrid<Real>> multigrid;
        const Timing set_up = timer_.of_each([&] { multigrid.reset(); },
                                             [&] {
                                                 multigrid = std::make_unique<GridMultigrid<Real>>(
                                                     system.matrix, &system.kept);
                                             });
        GridPreconditioner<Real> preconditioner(*multigrid, {.is_reversed = true});
        ConjugateGradients<Real> cg(session_.comm, system.matrix);
        cg.prepare(preconditioner);
        Buffer<Real> u = on.field();
        const auto residual = [&] {
            on.exchange(u);
            const std::vector<Real> values = u.download();
            const GridBlock& block = on.layout().block();
            const int x = std::max(block.x, 1), y = std::max(block.y, 1);
            return residual_of(
                {x - 1, y - 1, std::min(block.x + block.width, n_ + 1) - x,
                 std::min(block.y + block.height, n_ + 1) - y},
                [&](int i, int j) { return values[on.layout().entry(i + 1, j + 1)]; });
        };
        SolveReport report;
        const Timing solve = timer_.of_each(
            [] {},
            [&] {
                report =
                    cg.solve(preconditioner, b, u,
                             {.tolerance = tolerance_, .max_iterations = 200, .from_zero = true});
            });
        add("geometric multigrid", report.iterations, set_up, solve, residual());
        const Timing full = timer_.of_each([] {}, [&] { multigrid->solve_full(b, u, {}, 1); });
        add("full multigrid, one cycle a level", 1, set_up, full, residual());
    }

    void algebraic_multigrid() const {
        const GridTopology grid(session_.comm, GridBlocks({n_, n_}, session_.comm.size()),
                                {.position = [](int i, int j) {
                                    return Vec3{double(i), double(j), 0};
                                }});
        const EntityRanges& ranges = grid.range(Kind::node);
        const GridBlock& block = grid.block();
        const int pitch = block.width + 2;
        std::vector<Index> node(std::size_t(pitch) * (block.height + 2), ranges.all);
        const auto entry = [&](int i, int j) {
            return std::size_t(j - block.y + 1) * pitch + i - block.x + 1;
        };
        for (Index k = 0; k < ranges.all; ++k) {
            const auto [i, j] = grid.node_place(k);
            if (i >= block.x - 1 && j >= block.y - 1 && i <= block.x + block.width &&
                j <= block.y + block.height)
                node[entry(i, j)] = k;
        }
        HostMatrix host;
        host.reserve(ranges.owned, 5 * std::size_t(ranges.owned));
        std::vector<Real> values(ranges.all);
        for (Index k = 0; k < ranges.owned; ++k) {
            const auto [i, j] = grid.node_place(k);
            host.append(k, 4);
            for (const auto& [di, dj] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
                if (const Index other = node[entry(i + di, j + dj)]; other < ranges.all)
                    host.append(other, -1);
            host.end_row();
            values[k] = Real(square_problem(n_, i, j));
        }
        RowMatrix<Real> matrix(session_.comm, device_, ranges, grid.halo(Kind::node), host);
        matrix.fix({});
        std::unique_ptr<Multigrid<Real>> multigrid;
        const Timing set_up =
            timer_.of_each([&] { multigrid.reset(); },
                           [&] {
                               multigrid = std::make_unique<Multigrid<Real>>(
                                   session_.comm, device_, ranges, grid.halo(Kind::node), host);
                           });
        ConjugateGradients<Real> cg(session_.comm, matrix);
        cg.prepare(*multigrid);
        const Buffer<Real> b = device_.buffer<Real>(std::span<const Real>(values));
        Buffer<Real> u = device_.buffer<Real>(ranges.all);
        SolveReport report;
        const Timing solve = timer_.of_each(
            [] {},
            [&] {
                report =
                    cg.solve(*multigrid, b, u,
                             {.tolerance = tolerance_, .max_iterations = 200, .from_zero = true});
            });
        std::vector<Real> answer = u.download();
        fill_ghosts(session_.comm, grid.halo(Kind::node), answer);
        answer.push_back(0);  // beyond the square
        add("algebraic multigrid", report.iterations, set_up, solve,
            residual_of(block, [&](int i, int j) { return answer[node[entry(i, j)]]; }));
    }

  private:
    // ||b - A u|| / ||b|| from u at the nodes of this rank's block and next to it.
    template <class Value>
    double residual_of(const GridBlock& block, const Value& u) const {
        double rr = 0, bb = 0;
        for (int j = block.y; j < block.y + block.height; ++j)
            for (int i = block.x; i < block.x + block.width; ++i) {
                const double b = square_problem(n_, i, j), r = b - 4.0 * u(i, j) + u(i + 1, j) +
                                                               u(i - 1, j) + u(i, j + 1) +
                                                               u(i, j - 1);
                rr += r * r;
                bb += b * b;
            }
        return std::sqrt(session_.comm.sum(rr) / session_.comm.sum(bb));
    }

    void add(const char* name, int iterations, const Timing& set_up, const Timing& solve,
             double residual) const {
        session_.results.add({{"measured", name},
                              {"nodes", double(n_) * n_},
                              {"precision", session_.settings.precision},
                              {"iterations", iterations},
                              {"set_up_seconds", set_up.seconds},
                              {"seconds", solve.seconds},
                              {"spread", solve.relative_quartiles},
                              {"true_residual", residual}});
    }

    const Session& session_;
    Device& device_;
    Timer timer_;
    int n_;
    double tolerance_;
};

}  // namespace

void compare_solvers(const Session& session, Device& device, int n, double tolerance) {
    const auto compare = [&](const auto& solvers) {
        solvers.rrb();
        solvers.geometric_multigrid();
        solvers.algebraic_multigrid();
    };
    session.is_double() ? compare(Comparison<double>(session, device, n, tolerance))
                        : compare(Comparison<float>(session, device, n, tolerance));
}

}  // namespace solenoid::bench

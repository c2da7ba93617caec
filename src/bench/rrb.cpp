// Conjugate gradients with a repeated red-black factorization on problem (9) of the wave study:
// Poisson's equation on the unit square, u = x (x - 1) y (y - 1) exp(x y), zero on its sides, to a
// reduction of the residual's norm in M^-1 by 1e-5 from the zero guess.
#include "grid/rrb/rrb_solver.hpp"

#include <cmath>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"

namespace solenoid::bench {
namespace {

class RrbBenchmark : public Benchmark {
  public:
    std::string name() const override { return "rrb"; }
    std::string help() const override {
        return "a five-point system by conjugate gradients, RRB-k: iterations and times";
    }
    std::string size_help() const override { return "nodes in each direction of a square grid"; }
    std::vector<Index> default_sizes() const override { return {64, 128, 256, 512}; }
    void add_options(CLI::App& command) override {
        command
            .add_option("--last", last_nodes_, "nodes of the last level, solved exactly, at most")
            ->check(CLI::Range(1, 4096))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (const Index size : session.settings.sizes)
            session.is_double() ? measure<double>(session, *device, static_cast<int>(size))
                                : measure<float>(session, *device, static_cast<int>(size));
    }

  private:
    // This rank's part of the problem, times the square of the mesh width.
    template <class Real>
    struct Problem {
        std::vector<Real> matrix, b;
        Problem(const RankBlocks& blocks, const ArrayShape& shape)
            : matrix(3 * std::size_t(shape.size())), b(shape.size()) {
            const RankBlocks::Block block = blocks.block(1);
            const int n = blocks.nx();
            const double h = 1.0 / (n + 1);
            for (int j = 0; j < block.height; ++j)
                for (int i = 0; i < block.width; ++i) {
                    const std::size_t k = shape.entry(i, j);
                    matrix[k] = 4;
                    matrix[shape.size() + k] = Real(block.x + i + 1 < n ? -1 : 0);
                    matrix[2 * std::size_t(shape.size()) + k] = Real(block.y + j + 1 < n ? -1 : 0);
                    const double x = (block.x + i + 1) * h, y = (block.y + j + 1) * h,
                                 p = x * (x - 1), q = y * (y - 1);
                    b[k] = Real(-h * h * std::exp(x * y) *
                                (q * (2 + 2 * y * (2 * x - 1) + y * y * p) +
                                 p * (2 + 2 * x * (2 * y - 1) + x * x * q)));
                }
        }
    };

    template <class Real>
    void measure(const Session& session, Device& device, int n) const {
        const RankBlocks blocks(session.comm, n, n);
        RrbFactorization<Real> factorization(session.comm, device, blocks, last_nodes_);
        const ArrayShape& shape = factorization.array();
        const Problem<Real> problem(blocks, shape);
        Buffer<Real> matrix = device.buffer<Real>(std::span<const Real>(problem.matrix), 3),
                     b = device.buffer<Real>(std::span<const Real>(problem.b)),
                     x = device.buffer<Real>(shape.size());
        const Timer timer(session.comm, device, session.settings.repeats);
        const Timing set_up = timer.of_each([] {}, [&] { factorization.factorize(matrix); });
        RrbSolver<Real> solver(session.comm, device, factorization);
        RrbReport last;
        const Timing solve =
            timer.of_each([] {}, [&] { last = solver.solve(b, x, {.from_zero = true}); });
        const double nodes = double(n) * n, one = solve.seconds / std::max(1, last.iterations);
        session.results.add({{"nodes", nodes},
                             {"precision", session.settings.precision},
                             {"levels", factorization.levels()},
                             {"iterations", last.iterations},
                             {"factorization", set_up.seconds},
                             {"seconds", solve.seconds},
                             {"spread", solve.relative_quartiles},
                             {"seconds_per_iteration", one},
                             {"seconds_per_iteration_and_node", one / nodes}});
    }

    int last_nodes_ = 16;
};

}  // namespace

Benchmark& rrb() {
    static RrbBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench

// The smoother on eigenvectors, where it is a polynomial of one number.
#include "solvers/multigrid/smoother.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solvers/multigrid/dense_matrix.hpp"

namespace solenoid::smoother_test {
namespace {

constexpr Index rows = 40;
constexpr double largest_eigenvalue = 2;  // of D^-1 A, from above

// What remains of a residual's part along an eigenvector of D^-1 A: the fourth-kind Chebyshev
// iteration with optimal weights as Lottes (2023) writes it, equation by equation.
double remains(int steps, double eigenvalue) {
    constexpr double weights[4][4] = {
        {1.125},
        {1.02387287570313, 1.26408905371085},
        {1.00842544782028, 1.08867839208730, 1.33753125909618},
        {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000}};
    double x = 0, r = 1, d = 4 / (3 * largest_eigenvalue);
    for (int i = 1; i <= steps; ++i) {
        x += weights[steps - 1][i - 1] * d;
        r -= eigenvalue * d;
        d = (2.0 * i - 1) / (2.0 * i + 3) * d +
            (8.0 * i + 4) / (2.0 * i + 3) / largest_eigenvalue * r;
    }
    return 1 - eigenvalue * x;
}

// A chain of rows {-1, 2, -1} between fixed ends, spread over the ranks: the eigenvectors are
// sines, the eigenvalues 2 - 2 cos.
struct Chain {
    Communicator comm = Communicator::world();
    std::unique_ptr<Device> device = make_cpu_device();
    RowPartition partition = test::uneven(comm, rows);
    Index own = static_cast<Index>(partition.size(comm.rank()));
    ParallelMatrix a;
    std::vector<double> diagonal = std::vector<double>(own, 2.0);

    Chain() {
        test::Dense dense(rows, rows);
        for (Index i = 0; i < rows; ++i) {
            dense(i, i) = 2;
            if (i > 0) dense(i, i - 1) = dense(i - 1, i) = -1;
        }
        a = test::dealt_out(comm, dense, partition, partition);
    }
    static double angle(int mode) { return mode * std::numbers::pi / (rows + 1); }
    static double eigenvalue(int mode) { return 2 - 2 * std::cos(angle(mode)); }  // of A
    std::vector<double> vector(int mode, double factor) const {
        std::vector<double> v(a.all_columns(comm), 0.0);
        for (Index i = 0; i < own; ++i)
            v[i] = factor * std::sin(angle(mode) * double(partition.first(comm.rank()) + i + 1));
        return v;
    }
    void expect(const Buffer<double>& found, int mode, double factor, const char* what) const {
        const std::vector<double> values = found.download(), expected = vector(mode, factor);
        for (Index i = 0; i < own; ++i)
            ASSERT_NEAR(values[i], expected[i], 2e-11 * std::max(1.0, std::abs(factor)))
                << what << ", mode " << mode << ", row " << i;
    }
};

TEST(SmootherOnEigenvectors, IsLottesPolynomial) {
    const Chain chain;
    Halo<double> halo(chain.comm, *chain.device,
                      halo_plan(chain.comm, chain.partition, chain.a.ghosts));
    for (int steps = 1; steps <= Smoother<double>::most_steps; ++steps) {
        Smoother<double> smoother(
            *chain.device, halo,
            {chain.a.rows, chain.diagonal, largest_eigenvalue, chain.a.all_columns(chain.comm)},
            steps);
        for (const int mode : {1, 7, 20, 33, 40}) {
            const double lambda = Chain::eigenvalue(mode), p = remains(steps, lambda / 2);
            const auto b =
                chain.device->buffer<double>(std::span<const double>(chain.vector(mode, 1)));
            smoother.before(b);
            chain.expect(smoother.x(), mode, (1 - p) / lambda, "from zero");
            chain.expect(smoother.defect(), mode, p, "defect");
            // the error of c v is (c - 1 / lambda) v
            const double c = 0.8, smoothed = 1 / lambda + p * (c - 1 / lambda);
            smoother.x().upload(chain.vector(mode, c));
            smoother.after();
            chain.expect(smoother.x(), mode, smoothed, "after");
            smoother.before(b);
            smoother.x().upload(chain.vector(mode, c));
            auto z = chain.device->buffer<double>(chain.a.all_columns(chain.comm));
            const double bz = chain.comm.sum(smoother.finish(chain.comm, z));
            chain.expect(z, mode, smoothed, "finish");
            // sines of the chain have the square (n + 1) / 2
            EXPECT_NEAR(bz, smoothed * (rows + 1) / 2, 1e-9 * std::max(1.0, std::abs(bz)));
        }
    }
}

TEST(SmootherOnEigenvectors, HasOneToFourSteps) {
    const Chain chain;
    Halo<double> halo(chain.comm, *chain.device,
                      halo_plan(chain.comm, chain.partition, chain.a.ghosts));
    const SmoothedMatrix matrix{chain.a.rows, chain.diagonal, largest_eigenvalue,
                                chain.a.all_columns(chain.comm)};
    for (int steps : {0, 5})
        EXPECT_THROW(Smoother<double>(*chain.device, halo, matrix, steps), std::logic_error);
}

}  // namespace
}  // namespace solenoid::smoother_test

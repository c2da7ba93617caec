// Multigrid as a preconditioner: symmetry, convergence, singular systems, fixed rows, jumps; on
// every device.
#include "solvers/multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/kernels.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/auxiliary_space.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/gmsh.hpp"
#include "support/inner_product.hpp"
#include "support/poisson_problem.hpp"

namespace solenoid::multigrid_test {
namespace {

using test::key_of, test::poisson_problem, test::PoissonProblem, test::stiffness;

SimplexMesh box(int dimension, std::size_t cells) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    return box_mesh(settings);
}

// -div(k grad) on nodes without any fixed ones, k a function of a cell's centroid.
PoissonProblem conduction(const DistributedMesh& mesh,
                          const std::function<double(const Vec3&)>& conductivity) {
    return stiffness(mesh, [&](const Mesh&, const Geometry& g, Index cell) {
        return conductivity(g.cell_centroid[cell]);
    });
}

template <class Real>
struct System {
    System(const std::string& device_name, const SimplexMesh& whole,
           const std::function<PoissonProblem(const DistributedMesh&)>& make,
           MultigridSettings settings = small())
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          problem(make(mesh)),
          ranges(mesh.range(problem.kind)),
          matrix(comm, *device, ranges, mesh.halo(problem.kind), problem.matrix),
          multigrid(comm, *device, ranges, mesh.halo(problem.kind), problem.matrix, problem.fixed,
                    settings) {
        matrix.fix(problem.fixed);
    }
    System(const std::string& device_name, const SimplexMesh& whole, Kind kind,
           MultigridSettings settings = small())
        : System(
              device_name, whole,
              [kind](const DistributedMesh& m) { return poisson_problem(m, kind); }, settings) {}

    // Several levels, and levels on all, some and one of the ranks, on meshes of a test's size.
    static MultigridSettings small() {
        MultigridSettings settings;
        settings.coarsest = 20;
        settings.rows_a_rank = 60;
        return settings;
    }
    Buffer<Real> field(const std::function<double(Index)>& value) {
        return test::owned_field_of<Real>(*device, mesh, problem.kind, 1,
                                          [&](Index i, int) { return value(i); });
    }
    double random(Index i, std::uint64_t seed) const {
        return test::random_value(key_of(mesh.mesh, problem.kind, i), seed);
    }
    std::vector<double> applied(const std::function<double(Index)>& value) {
        auto r = field(value), z = field([](Index) { return 0; });
        multigrid.apply(r, z);
        const auto values = z.download();
        return {values.begin(), values.begin() + ranges.owned};
    }
    double dot(const std::function<double(Index)>& x, const std::vector<double>& y) const {
        double sum = 0;
        for (Index i = 0; i < y.size(); ++i) sum += x(i) * y[i];
        return comm.sum(sum);
    }
    // b without its part along constants: what a singular system can have on its right.
    std::vector<double> without_mean(std::vector<double> b) const {
        double sum = 0;
        for (double value : b) sum += value;
        const double mean = comm.sum(sum) / comm.sum(double(b.size()));
        for (double& value : b) value -= mean;
        return b;
    }
    SolveReport solve(const std::vector<double>& b, double tolerance) {
        return solve(multigrid, b, tolerance);
    }
    SolveReport solve(Preconditioner<Real>& preconditioner, const std::vector<double>& b,
                      double tolerance) {
        ConjugateGradients<Real> cg(comm, matrix);
        auto right = field([&](Index i) { return b[i]; });
        auto x = field([](Index) { return 0; });
        return cg.solve(preconditioner, right, x, {tolerance, 200});
    }
    SinglePreconditioner in_single() {
        return {*device,
                std::make_unique<Multigrid<float>>(comm, *device, ranges, mesh.halo(problem.kind),
                                                   problem.matrix, problem.fixed, small())};
    }
    // Factor a cycle by which x += M (b - A x) brings the residual down, over ten of them.
    double convergence_factor() {
        auto b = field([&](Index i) { return problem.rhs[i]; });
        auto x = field([](Index) { return 0; }), r = field([](Index) { return 0; }),
             z = field([](Index) { return 0; });
        double first = 0, last = 0;
        for (int cycle = 0; cycle <= 10; ++cycle) {
            last = std::sqrt(comm.sum(matrix.residual(comm, b, x, r)[0]));
            if (cycle == 0) first = last;
            multigrid.apply(r, z);
            std::vector<Real> sum = x.download();
            const std::vector<Real> correction = z.download();
            for (Index i = 0; i < ranges.owned; ++i) sum[i] += correction[i];
            x.upload(sum);
        }
        return std::pow(last / first, 0.1);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    PoissonProblem problem;
    EntityRanges ranges;
    RowMatrix<Real> matrix;
    Multigrid<Real> multigrid;
};

class MultigridTest : public testing::TestWithParam<std::string> {};

TEST_P(MultigridTest, IsSymmetricAndPositive) {
    for (Kind kind : {Kind::node, Kind::cell}) {
        System<double> s(GetParam(), box(3, 6000), kind);
        ASSERT_GT(s.multigrid.levels().size(), 2u);
        std::vector<bool> is_free(s.ranges.owned, true);
        for (Index i : s.problem.fixed) is_free[i] = false;
        const auto x = [&](Index i) { return is_free[i] ? s.random(i, 1) : 0; };
        const auto y = [&](Index i) { return is_free[i] ? s.random(i, 2) : 0; };
        const auto mx = s.applied(x), my = s.applied(y);
        const double xmx = s.dot(x, mx), ymy = s.dot(y, my);
        EXPECT_GT(xmx, 0);
        EXPECT_NEAR(s.dot(x, my), s.dot(y, mx), 1e-13 * std::sqrt(xmx * ymy));
    }
}

// The residual's polynomial p over (0, lambda] is the one that makes the largest t p(t)^2 / (1 -
// p(t)^2) smallest, t in (0, 1] (Lottes 2023, theorem 2): all its peaks are as high as its limit at
// 0, and lower than those of the plain polynomials of the fourth kind. Pairs of rows, coupled by
// -c, have the eigenvalues 1 - c and 1 + c.
TEST_P(MultigridTest, SmoothsByTheOptimalPolynomials) {
    constexpr Index pairs = 2048;
    HostMatrix matrix;
    const auto coupling = [](Index pair) { return 1 - (pair + 1.0) / pairs; };
    for (Index i = 0; i < 2 * pairs; ++i) {
        matrix.append(i, 1);
        matrix.append(i ^ 1u, -coupling(i / 2));
        matrix.end_row();
    }
    const std::vector<double> ones(2 * pairs, 1.0);
    const auto device = test::make_device(GetParam());
    Halo<double> halo(Communicator::world(), *device, HaloPlan{});
    for (int steps = 1; steps <= Smoother<double>::most_steps; ++steps) {
        Smoother<double> smoother(*device, halo, {matrix, ones, 2.0, 2 * pairs}, steps);
        double highest = 0, first = 0;
        for (double sign : {1.0, -1.0}) {
            std::vector<double> right(2 * pairs);
            for (Index i = 0; i < right.size(); ++i) right[i] = i % 2 ? sign : 1;
            const auto b = device->buffer<double>(std::span<const double>(right));
            smoother.before(b);
            const std::vector<double> x = smoother.x().download();
            for (Index pair = 0; pair < pairs; ++pair) {
                const double eigenvalue = 1 - sign * coupling(pair),
                             p = 1 - eigenvalue * x[2 * pair];
                const double peak = eigenvalue / 2 * p * p / (1 - p * p);
                if (pair == 0 && sign > 0) first = peak;
                highest = std::max(highest, peak);
            }
        }
        EXPECT_LT(highest, 0.75 / (steps * (steps + 1)));
        EXPECT_NEAR(highest, first, 0.02 * first) << steps;
    }
}

// A ring of conductances whose roundings, of up to 2^-9, do not add up to zero: constants stay in
// the null space.
TEST_P(MultigridTest, KeepsTheRowSumsInReducedPrecision) {
    constexpr Index n = 200;
    const auto conductance = [](Index i) { return 1 + 0.9 * std::sin(0.1 * (i % n) * (i % n)); };
    HostMatrix matrix;
    std::vector<double> diagonal(n);
    for (Index i = 0; i < n; ++i) {
        const double before = conductance(i + n - 1), after = conductance(i);
        diagonal[i] = before + after;
        matrix.append(i, diagonal[i]);
        matrix.append((i + n - 1) % n, -before);
        matrix.append((i + 1) % n, -after);
        matrix.end_row();
    }
    const auto device = test::make_device(GetParam());
    Halo<float> halo(Communicator::world(), *device, HaloPlan{});
    Smoother<float> smoother(*device, halo, {matrix, diagonal, 2.0, n}, 2);
    const auto zero = device->buffer<float>(std::span<const float>(std::vector<float>(n, 0.0f)));
    smoother.before(zero);
    smoother.x().upload(std::vector<float>(n, 1.0f));
    const std::vector<float> defect = smoother.defect().download();
    for (Index i = 0; i < n; ++i) ASSERT_NEAR(defect[i], 0, 1e-6 * diagonal[i]) << i;
}

// r . z comes with z.
TEST_P(MultigridTest, ReturnsTheProductWithTheResidual) {
    for (int steps : {1, 2, 3, 4}) {
        MultigridSettings settings = System<double>::small();
        settings.smoothing = steps;
        System<double> s(GetParam(), box(3, 2000), Kind::cell, settings);
        auto r = s.field([&](Index i) { return s.random(i, 7); }),
             z = s.field([](Index) { return 0; });
        const double rz = s.comm.sum(s.multigrid.apply(r, z));
        EXPECT_NEAR(rz, InnerProduct(s.comm, *s.device, s.ranges.owned_range())(r, z), 1e-12 * rz);
    }
}

TEST_P(MultigridTest, GivesTheSameBitsAgain) {
    const SimplexMesh mesh = box(3, 2000);
    System<double> first(GetParam(), mesh, Kind::cell), second(GetParam(), mesh, Kind::cell);
    const auto a = first.applied([&](Index i) { return first.random(i, 3); }),
               b = second.applied([&](Index i) { return second.random(i, 3); });
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], b[i]);
}

TEST_P(MultigridTest, ConvergesAtTheSameRateOnAnyRanks) {
    for (int dimension : {2, 3})
        for (Kind kind : {Kind::node, Kind::cell}) {
            System<double> s(GetParam(), box(dimension, 5000), kind);
            EXPECT_LT(s.convergence_factor(), kind == Kind::node ? 0.6 : 0.75)
                << "dimension " << dimension << ", " << name_of(kind);
            const auto report = s.solve(s.problem.rhs, 1e-8);
            EXPECT_TRUE(report.converged());
            EXPECT_LE(report.iterations, 18);
            EXPECT_LE(s.multigrid.operator_complexity(), 1.8);
        }
}

TEST_P(MultigridTest, PreconditionsInSinglePrecision) {
    System<float> s(GetParam(), box(3, 5000), Kind::cell);
    const auto report = s.solve(s.problem.rhs, 1e-5);
    EXPECT_TRUE(report.converged()) << report.explanation();
    EXPECT_LE(report.iterations, 12);
}

TEST_P(MultigridTest, SolvesASingularSystem) {
    System<double> s(GetParam(), box(3, 6000), [](const DistributedMesh& m) {
        return conduction(m, [](const Vec3&) { return 1.0; });
    });
    std::vector<double> b(s.ranges.owned);
    for (Index i = 0; i < b.size(); ++i) b[i] = s.random(i, 4);
    const auto report = s.solve(s.without_mean(b), 1e-10);
    EXPECT_TRUE(report.converged()) << report.explanation();
    EXPECT_LE(report.iterations, 25);
    SinglePreconditioner single = s.in_single();
    const auto mixed = s.solve(single, s.without_mean(b), 1e-10);
    EXPECT_TRUE(mixed.converged()) << mixed.explanation();
    EXPECT_LE(mixed.iterations, report.iterations + 1);
}

TEST_P(MultigridTest, LeavesFixedRowsAtZero) {
    System<double> s(GetParam(), box(3, 3000), Kind::node);
    const auto z = s.applied([&](Index i) { return s.random(i, 5); });
    std::int64_t fixed = 0;
    for (Index i : s.problem.fixed) {
        ASSERT_EQ(z[i], 0);
        ++fixed;
    }
    EXPECT_GT(s.comm.sum(fixed), 100);
}

// A bar of good conductor in a bad one, and a board of both; a free problem, so that nothing but
// the coarse levels couples the parts.
TEST_P(MultigridTest, ToleratesJumpsOfTheCoefficient) {
    const auto bar = [](const Vec3& x) {
        return std::abs(x.y - 0.5) < 0.2 && std::abs(x.z - 0.5) < 0.2;
    };
    const auto board = [](const Vec3& x) {
        return std::sin(12 * x.x) * std::sin(12 * x.y) * std::sin(12 * x.z) > 0;
    };
    for (const std::function<bool(const Vec3&)>& is_good :
         {std::function<bool(const Vec3&)>(bar), std::function<bool(const Vec3&)>(board)}) {
        System<double> s(GetParam(), box(3, 6000), [&](const DistributedMesh& m) {
            return conduction(m, [&](const Vec3& x) { return is_good(x) ? 1e4 : 1.0; });
        });
        std::vector<double> b(s.ranges.owned);
        for (Index i = 0; i < b.size(); ++i) b[i] = s.random(i, 6);
        const auto report = s.solve(s.without_mean(b), 1e-8);
        EXPECT_TRUE(report.converged()) << report.explanation();
        EXPECT_LE(report.iterations, 30);
    }
}

// Three regions of a Gmsh mesh, one of them in two parts, whose conductivities differ by 1e4: what
// the hierarchy makes of them, which is made on the host whatever the device.
TEST(Multigrid, ToleratesJumpsBetweenRegions) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const SimplexMesh mesh = read_mesh(test::gmsh_mesh("composite", 3, 0.08));
    ASSERT_EQ(mesh.regions, (std::vector<std::string>{"matrix", "balls", "rod"}));
    int without = 0;
    for (const std::array<double, 3>& k :
         {std::array<double, 3>{1, 1, 1}, {1, 1e4, 1e4}, {1e4, 1, 1}, {1, 1, 1e4}, {1e4, 1, 1e4}}) {
        System<double> s("cpu", mesh, [&](const DistributedMesh& held) {
            return stiffness(held, [&](const Mesh& m, const Geometry&, Index cell) {
                return k[m.cell_region[cell]];
            });
        });
        const auto x = [&](Index i) { return s.random(i, 1); };
        const auto y = [&](Index i) { return s.random(i, 2); };
        const auto mx = s.applied(x), my = s.applied(y);
        const double xmx = s.dot(x, mx), ymy = s.dot(y, my);
        EXPECT_GT(xmx, 0);
        EXPECT_NEAR(s.dot(x, my), s.dot(y, mx), 1e-12 * std::sqrt(xmx * ymy));
        std::vector<double> b(s.ranges.owned);
        for (Index i = 0; i < b.size(); ++i) b[i] = s.random(i, 6);
        const auto report = s.solve(s.without_mean(b), 1e-8);
        EXPECT_TRUE(report.converged()) << report.explanation();
        if (without == 0) without = report.iterations;
        EXPECT_LE(report.iterations, without + 3) << k[0] << ", " << k[1] << ", " << k[2];
        SinglePreconditioner single = s.in_single();
        const auto mixed = s.solve(single, s.without_mean(b), 1e-8);
        EXPECT_TRUE(mixed.converged()) << mixed.explanation();
        EXPECT_LE(mixed.iterations, report.iterations + 1);
    }
}

TEST_P(MultigridTest, SolvesWhereNothingIsLeftToCoarsen) {
    System<double> tiny(GetParam(), box(3, 100), Kind::cell, MultigridSettings{});
    EXPECT_LE(tiny.solve(tiny.problem.rhs, 1e-10).iterations, tiny.comm.size() == 1 ? 2 : 12);
}

// In single precision for vectors in double: symmetric as far as that goes, and r . z is that of z.
TEST_P(MultigridTest, PreconditionsVectorsInDouble) {
    System<double> s(GetParam(), box(3, 3000), Kind::node);
    SinglePreconditioner mixed = s.in_single();
    const InnerProduct dot(s.comm, *s.device, s.ranges.owned_range());
    const auto zero = [](Index) { return 0; };
    auto x = s.field([&](Index i) { return s.random(i, 8); }),
         y = s.field([&](Index i) { return s.random(i, 9); });
    auto mx = s.field(zero), my = s.field(zero), whole = s.field(zero);
    const double xmx = s.comm.sum(mixed.apply(x, mx)), ymy = s.comm.sum(mixed.apply(y, my));
    EXPECT_NEAR(xmx, dot(x, mx), 1e-6 * xmx);
    EXPECT_NEAR(dot(x, my), dot(y, mx), 1e-6 * std::sqrt(xmx * ymy));
    s.multigrid.apply(x, whole);
    const auto values = whole.download(), mixed_values = mx.download();
    double largest = 0, difference = 0;
    for (Index i = 0; i < s.ranges.owned; ++i) {
        largest = std::max(largest, std::abs(values[i]));
        difference = std::max(difference, std::abs(values[i] - mixed_values[i]));
    }
    EXPECT_LT(s.comm.max(difference), s.comm.max(largest) / 512);  // of entries with eight bits
}

// The answer of double precision in as many iterations.
TEST_P(MultigridTest, SolvesInDoubleWithSinglePrecisionInside) {
    System<double> s(GetParam(), box(3, 5000), Kind::cell);
    SinglePreconditioner mixed = s.in_single();
    auto b = s.field([&](Index i) { return s.problem.rhs[i]; });
    ConjugateGradients<double> cg(s.comm, s.matrix);
    for (double tolerance : {1e-8, 1e-10}) {
        auto x = s.field([](Index) { return 0; }), y = s.field([](Index) { return 0; });
        const auto report = cg.solve(mixed, b, x, {tolerance, 200});
        EXPECT_TRUE(report.converged()) << report.explanation();
        EXPECT_LE(report.residual, tolerance);
        const auto whole = cg.solve(s.multigrid, b, y, {tolerance, 200});
        EXPECT_LE(report.iterations, whole.iterations + 1);
        const auto mixed_answer = x.download(), answer = y.download();
        double largest = 0, difference = 0;
        for (Index i = 0; i < s.ranges.owned; ++i) {
            largest = std::max(largest, std::abs(answer[i]));
            difference = std::max(difference, std::abs(answer[i] - mixed_answer[i]));
        }
        EXPECT_LT(s.comm.max(difference), 10 * tolerance * s.comm.max(largest));
    }
}

// Half of every edge from its lower to its higher node: what a linear field of vectors at nodes has
// in its integral along it. Nodes are stored where all cells of a box see them.
std::vector<Vec3> half_edges(const Mesh& m) {
    std::vector<Vec3> result;
    for (Index e = 0; e < m.edges(); ++e)
        result.push_back(0.5 * (m.points[m.edge_nodes(e, 1)] - m.points[m.edge_nodes(e, 0)]));
    return result;
}

// Curl-curl on edges with the auxiliary space of nodal vectors: symmetric, as fast on finer meshes,
// and with twice the smoothing not much slower on flat tets.
TEST_P(MultigridTest, PreconditionsTheStreamFunctionOnEdges) {
    struct Sample {
        std::size_t cells;
        double thickness;
        int smoothing, most_iterations;
    };
    for (const Sample& sample :
         {Sample{1500, 1, 2, 25}, Sample{6000, 1, 2, 25}, Sample{6000, 0.05, 4, 22}}) {
        if (sample.cells > 1500 && GetParam() != "cpu") continue;
        const auto comm = Communicator::world();
        const auto device = test::make_device(GetParam());
        SimplexMesh whole = box(3, sample.cells);
        for (Vec3& point : whole.points) point.z *= sample.thickness;
        const auto mesh = distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
        const PoissonProblem problem = poisson_problem(mesh, Kind::edge),
                             nodes = poisson_problem(mesh, Kind::node);
        const std::vector<Vec3> halves = half_edges(mesh.mesh);
        const EntityRanges& edges = mesh.range(Kind::edge);
        RowMatrix<double> matrix(comm, *device, edges, mesh.halo(Kind::edge), problem.matrix);
        matrix.fix(problem.fixed);
        const EdgeProblem given{edges,
                                mesh.halo(Kind::edge),
                                problem.matrix,
                                problem.fixed,
                                mesh.range(Kind::node),
                                mesh.halo(Kind::node),
                                nodes.matrix,
                                nodes.fixed,
                                mesh.mesh.edge_nodes,
                                halves,
                                sample.smoothing};
        AuxiliarySpace<double> m(comm, *device, given, System<double>::small());
        std::vector<bool> is_free(edges.owned, true);
        for (Index e : problem.fixed) is_free[e] = false;
        const auto field = [&](std::uint64_t seed) {
            return test::owned_field_of<double>(*device, mesh, Kind::edge, 1, [&](Index e, int) {
                return is_free[e] ? test::random_value(key_of(mesh.mesh, Kind::edge, e), seed)
                                  : 0.0;
            });
        };
        const InnerProduct dot(comm, *device, edges.owned_range());
        auto x = field(1), y = field(2), mx = field(0), my = field(0);
        m.apply(x, mx);
        m.apply(y, my);
        const double xmx = dot(x, mx), ymy = dot(y, my);
        EXPECT_GT(xmx, 0);
        EXPECT_NEAR(dot(x, my), dot(y, mx), 1e-13 * std::sqrt(xmx * ymy));
        ConjugateGradients<double> cg(comm, matrix);
        auto b = test::owned_field_of<double>(*device, mesh, Kind::edge, 1,
                                              [&](Index e, int) { return problem.rhs[e]; });
        auto s = device->buffer<double>(edges.all);
        const auto report = cg.solve(m, b, s, {1e-8, 200});
        EXPECT_TRUE(report.converged()) << report.explanation();
        EXPECT_LE(report.iterations, sample.most_iterations);
        SinglePreconditioner mixed(*device, std::make_unique<AuxiliarySpace<float>>(
                                                comm, *device, given, System<double>::small()));
        auto again = device->buffer<double>(edges.all);
        const auto mixed_report = cg.solve(mixed, b, again, {1e-8, 200});
        EXPECT_TRUE(mixed_report.converged()) << mixed_report.explanation();
        EXPECT_LE(mixed_report.iterations, report.iterations + 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::multigrid_test

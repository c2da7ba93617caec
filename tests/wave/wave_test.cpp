// What each scheme of waves in time promises, and a drum.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "core/error.hpp"
#include "io/mesh/mesh_file.hpp"
#include "support/eigen_problems.hpp"
#include "support/periodic_meshes.hpp"
#include "support/sample_meshes.hpp"
#include "waves.hpp"

namespace solenoid::wave_test {
namespace {

using test::Matrix;
using test::Vector;

using namespace test;

// Linear in space and in time: neither the mesh nor the step errs.
TEST(Wave, LinearMotionOfTheSidesIsFollowedExactly) {
    const std::string exact = "(1 + x - 2*y)*(0.5 + t)";
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        WaveCase wave;
        wave.wave.time_scheme = scheme;
        wave.boundaries = all(2, "fixed", exact);
        wave.initial_displacement = formula("0.5*(1 + x - 2*y)");
        wave.initial_velocity = formula("1 + x - 2*y");
        Waves<double> problem(sample::box(2, 300), wave);
        problem.go(1, 60);
        EXPECT_LT(problem.largest_error(formula(exact)), 1e-11) << scheme;
        const auto v = problem.solver.velocity();
        for (Index i = 0; i < v.size(); ++i)
            EXPECT_NEAR(v[i], wave.initial_velocity(problem.mesh.mesh.points[i]), 1e-10) << scheme;
    }
}

TEST(Wave, TheTrapezoidalRuleKeepsTheEnergy) {
    for (const int dimension : {2, 3}) {
        WaveCase wave;
        wave.wave = {formula("1 + 0.5*x"), 0.0, "trapezoidal"};
        wave.boundaries = all(dimension, "free");
        wave.boundaries[0] = boundary("xmin", "fixed", "0.3*y");
        wave.initial_displacement = formula("0.3*y + x*exp(-20*((x-0.4)^2 + (y-0.6)^2))");
        wave.initial_velocity = formula("x*sin(9*y)");
        wave.solver.tolerance = 1e-13;
        Waves<double> problem(sample::box(dimension, 400), wave);
        const double before = problem.solver.energy().total();
        for (int i = 0; i < 200; ++i) {  // steps beyond what leapfrog bears
            problem.solver.step(0.1);
            ASSERT_NEAR(problem.solver.energy().total() / before, 1, 1e-12) << i;
        }
    }
}

// What is pushed at rest moves as what begins so.
TEST(Wave, APushIsAnInitialDisplacement) {
    const std::string bump = "0.3*max(0, 1 - ((x - 0.1)^2 + (y - 0.6)^2)/0.0625)^3";
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        WaveCase still;
        still.wave.time_scheme = scheme;
        still.boundaries = all(2, "fixed");
        still.solver.tolerance = 1e-13;
        WaveCase begun = still;
        begun.initial_displacement = formula(bump);
        Waves<double> pushed(sample::box(2, 400), still), other(sample::box(2, 400), begun);
        pushed.solver.step(0.01);
        pushed.solver.push(Vec3(0.1, 0.6, 0), 0.25, 0.3);
        EXPECT_EQ(pushed.solver.energy().kinetic, 0);
        EXPECT_NEAR(pushed.solver.energy().potential, other.solver.energy().potential, 1e-14);
        EXPECT_GT(pushed.solver.energy().potential, 0.01);
        for (int i = 0; i < 10; ++i) {
            pushed.solver.step(0.01);
            other.solver.step(0.01);
        }
        const auto a = pushed.solver.displacement(), b = other.solver.displacement();
        for (Index i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << scheme;
    }
}

TEST(Wave, APushReachesThroughPeriodicSides) {
    for (const double x : {0.02, 0.98}) {
        WaveCase wave;
        wave.boundaries = {boundary("ymin", "free"), boundary("ymax", "free")};
        Waves<double> problem(closed(sample::box(2, 400), "x"), wave);
        problem.solver.push(Vec3(x, 0.5, 0), 0.3, 1);
        const auto y = problem.solver.displacement();
        double near_both = 0;
        for (Index i = 0; i < y.size(); ++i) {
            const Vec3 p = problem.mesh.mesh.points[i];
            const double away = std::min(std::abs(p.x - x), 1 - std::abs(p.x - x));
            const double s = 1 - (away * away + std::pow(p.y - 0.5, 2)) / 0.09;
            EXPECT_NEAR(y[i], s > 0 ? s * s * s : 0, 1e-14);
            if (std::abs(p.x - x) > 0.6) near_both = std::max(near_both, y[i]);
        }
        EXPECT_GT(problem.comm.max(near_both), 0.5);
    }
}

TEST(Wave, AKindOfTimeSchemeIsExplicitWhereItHasALimitAndSolvesNothing) {
    for (const WaveTimeSchemeKind& kind : wave_time_scheme_kinds()) {
        Waves<double> problem(sample::box(2, 100), standing_wave(2, kind.name));
        problem.solver.step(1e-3);
        EXPECT_EQ(std::isfinite(problem.solver.step_limit()), kind.is_explicit) << kind.name;
        EXPECT_EQ(problem.solver.solves().count == 0, kind.is_explicit) << kind.name;
    }
}

// The integrals of a given displacement and velocity, by hand: y = x, v = 1 - x on the unit square,
// c = 2.
TEST(Wave, EnergiesAreTheIntegrals) {
    WaveCase wave;
    wave.wave.speed = 2.0;
    wave.boundaries = all(2, "free");
    wave.initial_displacement = formula("x");
    wave.initial_velocity = formula("1 - x");
    const WaveEnergy e = Waves<double>(sample::box(2, 10000), wave).solver.energy();
    EXPECT_NEAR(e.potential, 2, 1e-10);
    EXPECT_NEAR(e.kinetic, 1.0 / 6, 2e-4);  // the mass is lumped
}

struct Matrices {
    Matrix stiffness;
    Vector mass;

    Matrix scaled() const {  // M^-1/2 K M^-1/2
        const Vector scale = mass.cwiseSqrt().cwiseInverse();
        return scale.asDiagonal() * stiffness * scale.asDiagonal();
    }
};

// Put together anew, cell by cell, as dense ones.
Matrices matrices(const Mesh& mesh, const Formula& speed) {
    const Index n = mesh.nodes();
    const Geometry g = geometry(mesh);
    Matrices m{Matrix::Zero(n, n), Vector::Zero(n)};
    for (Index c = 0; c < mesh.cells(); ++c) {
        const int corners = mesh.dimension + 1;
        // rows (1, x, y, z): the columns of the inverse are the basis functions
        Matrix linear(corners, corners);
        for (int j = 0; j < corners; ++j)
            for (int k = 0; k < corners; ++k)
                linear(j, k) = k ? mesh.points[mesh.cell_nodes(c, j)][k - 1] : 1;
        const Matrix basis = test::inverse(linear);
        for (int i = 0; i < corners; ++i) {
            m.mass(mesh.cell_nodes(c, i)) += g.cell_volume[c] / corners;
            for (int j = 0; j < corners; ++j)
                m.stiffness(mesh.cell_nodes(c, i), mesh.cell_nodes(c, j)) +=
                    g.cell_volume[c] * std::pow(speed(g.cell_centroid[c]), 2) *
                    basis.col(i).tail(corners - 1).dot(basis.col(j).tail(corners - 1));
        }
    }
    return m;
}

// 2 / sqrt(largest eigenvalue).
double exact_limit(const Mesh& mesh, const Formula& speed) {
    const Matrix scaled = matrices(mesh, speed).scaled();
    return 2 / std::sqrt(test::symmetric_eigenvalues(scaled).maxCoeff());
}

// Of every eigenmode at rest the trapezoidal rule makes cos(n theta), tan(theta / 2) = w dt / 2, at
// any step.
TEST(Wave, TheTrapezoidalRuleTurnsEveryModeAsFarAsItShouldAtAnyStep) {
    if (Communicator::world().size() > 1)
        GTEST_SKIP() << "the matrices are put together on one rank";
    WaveCase wave = standing_wave(2, "trapezoidal");
    wave.boundaries[1] = boundary("xmax", "free");
    wave.initial_displacement =
        formula("x > 1e-9 ? 0.1*exp(-((x - 0.35)^2 + (y - 0.2)^2)/0.02) : 0");
    wave.solver.tolerance = 1e-12;
    constexpr int steps = 20;
    for (const double dt : {0.01, 0.3, 10.0, 1e4, 1e6, 1e8}) {
        Waves<double> problem(sample::box(2, 300), wave);
        const Mesh& mesh = problem.mesh.mesh;
        std::vector<Index> free;
        for (Index i = 0; i < mesh.nodes(); ++i)
            if (mesh.points[i].x > 1e-9) free.push_back(i);
        const Matrices whole = matrices(mesh, wave.wave.speed);
        const Matrices m{whole.stiffness(free, free), whole.mass(free)};
        const test::Modes modes = test::modes(m.scaled());
        Vector start(free.size());
        for (std::size_t i = 0; i < free.size(); ++i)
            start(i) = wave.initial_displacement(mesh.points[free[i]]);
        Vector parts =
            test::transposed_times(modes.vectors, m.mass.cwiseSqrt().cwiseProduct(start));
        for (Eigen::Index k = 0; k < parts.size(); ++k)
            parts(k) *= std::cos(steps * 2 * std::atan(std::sqrt(modes.values(k)) * dt / 2));
        const Vector end =
            m.mass.cwiseSqrt().cwiseInverse().cwiseProduct(test::times(modes.vectors, parts));
        const double before = problem.solver.energy().total();
        problem.go(steps * dt, steps);
        const std::vector<double> y = problem.solver.displacement();
        for (std::size_t i = 0; i < free.size(); ++i)
            ASSERT_NEAR(y[free[i]], end(i), 1e-8 * start.maxCoeff()) << "a step of " << dt << " s";
        EXPECT_NEAR(problem.solver.energy().total() / before, 1, 1e-8)
            << "a step of " << dt << " s";
    }
}

TEST(Wave, TheLimitIsThatOfTheLargestEigenvalue) {
    if (Communicator::world().size() > 1)
        GTEST_SKIP() << "the matrices are put together on one rank";
    for (const int dimension : {2, 3})
        for (const std::size_t cells : {60, 700, 1500}) {
            WaveCase wave = standing_wave(dimension, "leapfrog");
            wave.wave.speed = formula("1 + y");
            wave.boundaries = all(dimension, "free");
            Waves<double> problem(sample::box(dimension, cells), wave);
            const double exact = exact_limit(problem.mesh.mesh, wave.wave.speed);
            EXPECT_LE(problem.solver.step_limit(), exact) << dimension << "D, " << cells;
            EXPECT_GE(problem.solver.step_limit(), 0.999 * exact) << dimension << "D, " << cells;
        }
}

// The cut is another on every number of ranks, and with it all numbers of nodes.
TEST(Wave, TheLimitDoesNotDependOnTheRanks) {
    for (const int dimension : {2, 3}) {
        WaveCase wave = standing_wave(dimension, "leapfrog");
        wave.wave.speed = formula("1 + y");
        const SimplexMesh box = sample::box(dimension, 3000);
        const double alone =
            Waves<double>(box, wave, "cpu", Communicator::self()).solver.step_limit();
        EXPECT_NEAR(Waves<double>(box, wave).solver.step_limit() / alone, 1, 1e-6)
            << dimension << "D";
    }
}

TEST(Wave, LeapfrogIsStableBelowItsLimitAndRefusedAbove) {
    for (const int dimension : {2, 3}) {
        WaveCase wave = standing_wave(dimension, "leapfrog");
        wave.initial_velocity = formula("sin(40*x)*cos(37*y + 11*z)");  // some of every eigenvector
        Waves<double> problem(sample::box(dimension, 500), wave);
        const double limit = problem.solver.step_limit(), before = problem.solver.energy().total();
        double most = 0;
        for (int i = 0; i < 3000; ++i) {
            problem.solver.step(0.99 * limit);
            if (i % 10 == 0) most = std::max(most, problem.solver.energy().total());
        }
        EXPECT_LT(most, 20 * before);  // bounded: unstable, it would have grown beyond all numbers
        try {
            problem.solver.step(1.01 * limit);
            FAIL() << "a step beyond the limit was taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            for (const std::string& word : {fmt::format("{:.6g} s", limit), std::string("leapfrog"),
                                            std::string("time.step"), std::string("trapezoidal")})
                EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    }
}

TEST(Wave, SpeedsMustBePositiveAndValuesFinite) {
    const auto refusal = [](const std::string& speed, const std::string& initial) {
        WaveCase wave;
        wave.wave.speed = formula(speed);
        wave.initial_displacement = formula(initial);
        wave.boundaries = all(2, "free");
        try {
            Waves<double> problem(sample::box(2, 100), wave);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refusal("0.1 + x", "y"), "accepted");
    // its square is positive
    EXPECT_NE(refusal("x - 0.5", "y").find("x - 0.5"), std::string::npos);
    EXPECT_NE(refusal("1", "log(x - 0.5)").find("log(x - 0.5)"), std::string::npos);
}

template <class Real>
std::vector<double> displacement_on(const std::string& device, const std::string& scheme) {
    Waves<Real> problem(sample::box(2, 200), moved_sides(2, scheme), device);
    problem.go(0.3, 15);
    return problem.solver.displacement();
}

TEST(Wave, DevicesAndPrecisionsAgree) {
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        const auto reference = displacement_on<double>("cpu", scheme);
        for (const std::string& device : test::device_names()) {
            const auto in_double = displacement_on<double>(device, scheme),
                       in_single = displacement_on<float>(device, scheme);
            for (std::size_t i = 0; i < reference.size(); ++i) {
                ASSERT_NEAR(in_double[i], reference[i], 1e-12) << device << ", " << scheme;
                ASSERT_NEAR(in_single[i], reference[i], 2e-5) << device << ", " << scheme;
            }
        }
    }
}

// The power of a series at an angular frequency, seen through a window of Hann.
double power(const std::vector<double>& series, double dt, double w) {
    std::complex<double> sum = 0;
    const double n = static_cast<double>(series.size());
    for (std::size_t i = 0; i < series.size(); ++i)
        sum += std::polar(series[i] * (1 - std::cos(2 * std::numbers::pi * (double(i) + 0.5) / n)),
                          w * dt * double(i));
    return std::norm(sum);
}

// Struck in its centre a drum sounds the zeros of J0 (Abramowitz & Stegun 1964, table 9.5), and
// those alone.
TEST(Wave, ADrumSoundsTheZerosOfJ0) {
    WaveCase wave;
    wave.boundaries = {boundary("rim", "fixed")};
    wave.initial_displacement = formula("exp(-(x^2 + y^2)/0.02)");
    const Communicator comm = Communicator::world();
    Waves<double> drum(
        comm.is_root() ? read_mesh(SOLENOID_SOURCE_DIR "/meshes/disc.msh") : SimplexMesh(), wave);
    const double dt = 0.9 * drum.solver.step_limit();
    std::vector<double> centre;
    while (drum.solver.time() < 20) {
        drum.solver.step(dt);
        const auto y = drum.solver.displacement();
        double nearest = 0.1, value = 0;
        for (Index i = 0; i < drum.mesh.range(Kind::node).owned; ++i)
            if (const double r = std::hypot(drum.mesh.mesh.points[i].x, drum.mesh.mesh.points[i].y);
                r < nearest)
                nearest = r, value = y[i];
        centre.push_back(comm.sum(nearest == comm.min(nearest) ? value : 0.0));
    }
    std::vector<double> peaks;
    for (double w = 1; w < 10; w += 0.002)
        if (power(centre, dt, w) > power(centre, dt, w - 0.002) &&
            power(centre, dt, w) >= power(centre, dt, w + 0.002) &&
            power(centre, dt, w) > 1e-2 * power(centre, dt, 5.52))
            peaks.push_back(w);
    ASSERT_EQ(peaks.size(), 3u);
    const double zeros[]{2.404826, 5.520078, 8.653728};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(peaks[k] / zeros[k], 1, 0.005) << k;
}

}  // namespace
}  // namespace solenoid::wave_test

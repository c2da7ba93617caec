// Waves on structured grids, on every device and on several ranks: against exact solutions, of the
// equation and of the discrete equations, and what a step keeps.
#include "wave/grid/grid_wave.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "support/devices.hpp"

namespace solenoid::grid_wave_test {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr GridWaveScheme schemes[] = {GridWaveScheme::leapfrog, GridWaveScheme::trapezoidal};

class GridWaveTest : public testing::TestWithParam<std::string> {
  protected:
    const std::unique_ptr<Device> device_ = test::make_device(GetParam());
    const Communicator comm_ = Communicator::world();
    const bool is_cpu_ = device_->info().kind == "cpu";
    const bool is_fast_ = is_cpu_ && comm_.size() == 1;

    template <class Real = double>
    Grid<Real> grid(const GridExtents& extents) const {
        return Grid<Real>(comm_, *device_, GridBlocks(extents, comm_.size()));
    }
    // Greatest distance of a field from a function of the nodes.
    template <class Real>
    double distance(const Grid<Real>& on, const Buffer<Real>& field,
                    const std::function<double(int, int)>& expected) const {
        const std::vector<double> values = on.to_host(field);
        const GridBlock& b = on.layout().block();
        double most = 0;
        std::size_t k = 0;
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i, ++k)
                most = std::max(most, std::abs(values[k] - expected(i, j)));
        return comm_.max(most);
    }
};

GridWaveSettings settings(GridWaveScheme scheme, double tolerance = 1e-13) {
    GridWaveSettings result;
    result.scheme = scheme;
    result.tolerance = tolerance;
    return result;
}

// ---- standing modes of the discrete equations

struct Mode {
    const char* name;
    GridExtents extents;
    GridWaveProblem problem;
    std::function<double(int i, int j)> shape;
    double eigenvalue;         // of M^-1 A
    int columns = extents.nx;  // of water
    double rotation = 0;       // of the grid round node (0, 0)

    Mode turned(double by) const {
        Mode result = *this;
        const double h = problem.hx;
        result.rotation = by;
        result.problem.position = [=](int i, int j) {
            return std::array{h * (i * std::cos(by) - j * std::sin(by)),
                              h * (i * std::sin(by) + j * std::cos(by))};
        };
        return result;
    }
    double at(double x, double y) const {
        const double h = problem.hx;
        return shape(
            static_cast<int>(std::lround((x * std::cos(rotation) + y * std::sin(rotation)) / h)),
            static_cast<int>(std::lround((y * std::cos(rotation) - x * std::sin(rotation)) / h)));
    }
    // of the shape, in the norm of M: half areas at sides
    double square() const {
        const auto part = [this](int i, int n, bool is_periodic) {
            return problem.has_cells || is_periodic || (i > 0 && i < n - 1) ? problem.hx
                                                                            : problem.hx / 2;
        };
        double sum = 0;
        for (int j = 0; j < extents.ny; ++j)
            for (int i = 0; i < extents.nx; ++i)
                sum += part(i, columns, extents.is_periodic_x) *
                       part(j, extents.ny, extents.is_periodic_y) * std::pow(shape(i, j), 2);
        return sum;
    }
};

// 4/h^2 sin^2(k h/2)
double eigenvalue(double k, double h) { return std::pow(2 / h * std::sin(k * h / 2), 2); }

// Rectangles of 1 x 0.5 with c = 1.5.
std::vector<Mode> modes(int n) {
    std::vector<Mode> result;
    const auto problem = [&](double h, const GridWaveSide& side) {
        GridWaveProblem p;
        p.hx = p.hy = h;
        p.speed = [](double, double) { return 1.5; };
        p.sides.fill(side);
        return p;
    };
    const double h = 1.0 / n, square = 1.5 * 1.5,
                 both = square * (eigenvalue(2 * pi, h) + eigenvalue(4 * pi, h));
    const GridWaveSide given{1, 0, false, {}}, free{};
    const auto sines = [=](int i, int j) {
        return std::sin(2 * pi * i * h) * std::sin(4 * pi * j * h);
    };
    const auto cosines = [=](double i, double j) {
        return std::cos(2 * pi * i * h) * std::cos(4 * pi * j * h);
    };
    const GridExtents nodes{n + 1, n / 2 + 1}, cells{n, n / 2};
    result.push_back({"given", nodes, problem(h, given), sines, both});
    result.push_back({"free", nodes, problem(h, free), cosines, both});
    result.push_back({"periodic",
                      {n, n / 2, true, true},
                      problem(h, free),
                      [=](int i, int j) { return cosines(i + 0.3, j + 0.7); },
                      both});
    GridWaveProblem in_cells = problem(h, free);
    in_cells.has_cells = true;
    result.push_back({"free cells", cells, in_cells,
                      [=](int i, int j) { return cosines(i + 0.5, j + 0.5); }, both});
    in_cells.sides.fill(given);
    result.push_back({"given cells", cells, in_cells,
                      [=](int i, int j) {
                          return std::sin(2 * pi * (i + 0.5) * h) *
                                 std::sin(4 * pi * (j + 0.5) * h);
                      },
                      both});
    // land beyond the rectangle: with a value, or as a wall; on a grid that is turned, too
    GridWaveProblem with_land = problem(h, given);
    with_land.is_part = [n](int i, int) { return i < n; };
    with_land.land = given;
    const GridExtents longer{n + 6, n / 2 + 1};
    result.push_back({"given on land", longer, with_land,
                      [=](int i, int j) { return i > n ? 0 : sines(i, j); }, both, n + 1});
    result.push_back(result.back().turned(0.5));
    result.back().name = "given on land, turned";
    with_land.land = free;
    with_land.sides[west] = free;
    result.push_back(
        {"walls of land", longer, with_land,
         [=](int i, int j) { return i > n ? 0 : std::cos(pi * i * h) * std::sin(4 * pi * j * h); },
         square * (eigenvalue(pi, h) + eigenvalue(4 * pi, h)), n + 1});
    result.push_back(result.back().turned(-0.7));
    result.back().name = "walls of land, turned";
    return result;
}

// U = cos(w t) of the shape with sin(w dt/2) = dt/2 sqrt(l), or tan in place of sin.
TEST_P(GridWaveTest, StandingModesHaveTheFrequenciesOfTheirSchemes) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const Mode& mode : modes(is_cpu_ ? 24 : 16)) {
        const bool is_short = mode.name == std::string("periodic") || mode.problem.is_part;
        if (!is_cpu_ && !is_short) continue;
        for (const GridWaveScheme scheme : schemes) {
            const Grid<double> on = grid(mode.extents);
            GridWave<double> wave(on, mode.problem, settings(scheme));
            const double h = mode.problem.hx, speed = 1.5;
            const bool is_explicit = scheme == GridWaveScheme::leapfrog;
            const double dt = is_explicit ? 0.7 * wave.step_limit() : 3 * h / speed,
                         root = dt / 2 * std::sqrt(mode.eigenvalue),
                         angle = 2 * (is_explicit ? std::asin(root) : std::atan(root));
            wave.start([&](double x, double y) { return mode.at(x, y); });
            const int steps = is_cpu_ ? 60 : 5;
            for (int n = 0; n < steps; ++n) wave.step(dt);
            EXPECT_LE(
                distance(on, wave.displacement(),
                         [&](int i, int j) { return std::cos(steps * angle) * mode.shape(i, j); }),
                1e-10)
                << mode.name << (is_explicit ? ", leapfrog" : ", trapezoidal");
            // of U'' = cos: by central differences, or as the trapezoidal rule has it
            const double rate = is_explicit ? std::sin(angle) / dt : 2 / dt * std::tan(angle / 2);
            EXPECT_LE(distance(on, wave.velocity(),
                               [&](int i, int j) {
                                   return -rate * std::sin(steps * angle) * mode.shape(i, j);
                               }),
                      1e-9)
                << mode.name << (is_explicit ? ", leapfrog" : ", trapezoidal");
            EXPECT_NEAR(wave.time(), steps * dt, 1e-12);
            // the scheme's energy, of both levels
            const double now = std::cos(steps * angle), before = std::cos((steps - 1) * angle);
            const GridWaveEnergy energy = wave.energy();
            EXPECT_NEAR(energy.kinetic, 0.5 * mode.square() * std::pow((now - before) / dt, 2),
                        1e-9)
                << mode.name;
            EXPECT_NEAR(energy.potential,
                        0.5 * mode.square() * mode.eigenvalue *
                            (is_explicit ? now * before : std::pow((now + before) / 2, 2)),
                        1e-9)
                << mode.name;
        }
    }
}

TEST_P(GridWaveTest, InSinglePrecisionToo) {
    const Mode mode = modes(16)[0];
    for (const GridWaveScheme scheme : schemes) {
        const Grid<float> on = grid<float>(mode.extents);
        GridWaveSettings how;
        how.scheme = scheme;
        GridWave<float> wave(on, mode.problem, how);
        const double h = mode.problem.hx;
        const bool is_explicit = scheme == GridWaveScheme::leapfrog;
        const double dt = is_explicit ? 0.7 * wave.step_limit() : h,
                     root = dt / 2 * std::sqrt(mode.eigenvalue),
                     angle = 2 * (is_explicit ? std::asin(root) : std::atan(root));
        wave.start([&](double x, double y) { return mode.at(x, y); });
        for (int n = 0; n < 12; ++n) wave.step(dt);
        EXPECT_LE(distance(on, wave.displacement(),
                           [&](int i, int j) { return std::cos(12 * angle) * mode.shape(i, j); }),
                  2e-5);
    }
}

// ---- the equation

// A wave that is no mode, over a speed that varies, with all kinds of sides, which give it in time.
struct Manufactured {
    static double u(double x, double y, double t) { return std::sin(2 * x + y - 2 * t); }
    static double speed(double x, double y) { return 1 + 0.3 * x * y; }
    static double slope(double x, double y, double t) {  // of u along its phase
        return std::cos(2 * x + y - 2 * t);
    }
    // u_tt - div(c^2 grad u)
    static double source(double x, double y, double t) {
        const double c = speed(x, y), cx = 2 * c * 0.3 * y, cy = 2 * c * 0.3 * x;
        return -4 * u(x, y, t) + 5 * c * c * u(x, y, t) - (2 * cx + cy) * slope(x, y, t);
    }
    static GridWaveProblem problem() {
        GridWaveProblem p;
        p.speed = speed;
        p.source = {source};
        p.sides[west] = {
            2, 0, false, {[](double x, double y, double t) { return 2 * u(x, y, t); }}};
        p.sides[north] = {0, 1, true, {u}};
        return p;
    }
};

TEST_P(GridWaveTest, AreOfSecondOrderInSpaceAndTime) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const bool is_mapped : {false, true})
        for (const GridWaveScheme scheme : schemes) {
            if (is_mapped && !is_cpu_) continue;
            const int finest = is_cpu_ ? 48 : 16;
            double before = 0;
            for (const int n : {finest / 2, finest}) {
                const double h = 1.0 / n;
                const Grid<double> on = grid({n + 1, n + 1});
                GridWaveProblem problem = Manufactured::problem();
                problem.hx = problem.hy = h;
                const auto place = [=](int i, int j) {
                    const double x = i * h, y = j * h;
                    if (!is_mapped) return std::array{x, y};
                    // cells are no parallelograms; the last term is zero on all sides
                    return std::array{x + 0.1 * std::sin(pi * y) + x * (1 - x) * y * (1 - y),
                                      y + 0.08 * std::sin(pi * x)};
                };
                if (is_mapped) problem.position = place;
                // an island that moves as the water does there
                const auto is_inside = [n](double i, double j) {
                    return i > 0.25 * n && i < 0.5 * n && j > 0.5 * n && j < 0.75 * n;
                };
                problem.is_part = [=](int i, int j) { return !is_inside(i + 0.5, j + 0.5); };
                problem.land = {1, 0, false, {Manufactured::u}};
                // outward normals of the curved sides, and what holds there
                const auto slope = [=](double x, double y, double t, double nx, double ny) {
                    const double length = std::hypot(nx, ny);
                    return (2 * nx + ny) / length * Manufactured::slope(x, y, t);
                };
                problem.sides[east] = {1, 1, false, {[=](double x, double y, double t) {
                                           const double s = (y)*pi;
                                           return Manufactured::u(x, y, t) +
                                                  slope(x, y, t, 1,
                                                        is_mapped ? -0.1 * pi * std::cos(s) : 0);
                                       }}};
                problem.sides[south] = {
                    0, 1, false, {[=](double x, double y, double t) {
                        return slope(x, y, t, is_mapped ? 0.08 * pi * std::cos(pi * x) : 0, -1);
                    }}};
                GridWave<double> wave(on, problem, settings(scheme, 1e-10));
                const double end = 0.9, wish = scheme == GridWaveScheme::leapfrog
                                                   ? 0.4 * 0.7 * h / 1.3
                                                   : 0.5 * h;
                const int steps = static_cast<int>(std::ceil(end / wish));
                wave.start([](double x, double y) { return Manufactured::u(x, y, 0); },
                           [](double x, double y) { return -2 * Manufactured::slope(x, y, 0); });
                // of two lengths, so that a change of the step is of second order, too
                for (int k = 0; k < steps; ++k) wave.step(end / steps * (k % 8 < 4 ? 1.25 : 0.75));
                const double t = wave.time();
                const double error = distance(on, wave.displacement(), [&](int i, int j) {
                    const auto [x, y] = place(i, j);
                    return is_inside(i, j) ? 0 : Manufactured::u(x, y, t);
                });
                const double of_rate = distance(on, wave.velocity(), [&](int i, int j) {
                    const auto [x, y] = place(i, j);
                    return is_inside(i, j) ? 0 : -2 * Manufactured::slope(x, y, t);
                });
                if (comm_.is_root())
                    fmt::print("{} {} n {}: error {:.3e}, of the velocity {:.3e}\n",
                               is_mapped ? "mapped" : "plain",
                               scheme == GridWaveScheme::leapfrog ? "leapfrog" : "trapezoidal", n,
                               error, of_rate);
                if (n == finest) {
                    EXPECT_GT(std::log2(before / error), 1.8) << before << ", " << error;
                    EXPECT_LT(error, 40 * h * h);
                    EXPECT_LT(of_rate, 60 * h * h);
                }
                before = error;
            }
        }
}

// Of loads only those of some sides depend on time; U is that of nodes or of cells.
TEST_P(GridWaveTest, SteadyLoadsMeetSidesInTimeWithSecondOrder) {
    if (!device_->info().has_fp64 || !is_cpu_) GTEST_SKIP();
    const auto exact = [](double x, double y, double t) {
        return 0.5 * x * x + 0.3 * y + std::sin(x - t);
    };
    const auto slope = [](double x, double t) { return x + std::cos(x - t); };
    for (const bool has_cells : {false, true})
        for (const GridWaveScheme scheme : schemes) {
            double before = 0;
            for (const int n : {20, 40}) {
                const Grid<double> on = grid(has_cells ? GridExtents{n, 6} : GridExtents{n + 1, 6});
                GridWaveProblem problem;
                problem.hx = problem.hy = 1.0 / n;
                problem.has_cells = has_cells;
                if (has_cells) problem.x0 = problem.hx / 2;
                problem.source = {[](double, double, double) { return -1.0; }, false};
                problem.sides[west] = {3, 2, false, {[=](double x, double y, double t) {
                                           return 3 * exact(x, y, t) - 2 * slope(x, t);
                                       }}};
                problem.sides[east].gamma = {
                    [=](double x, double, double t) { return slope(x, t); }};
                problem.sides[south].gamma = {[](double, double, double) { return -0.3; }, false};
                problem.sides[north].gamma = {[](double, double, double) { return 0.3; }, false};
                GridWave<double> wave(on, problem, settings(scheme, 1e-11));
                wave.start([=](double x, double y) { return exact(x, y, 0); },
                           [](double x, double) { return -std::cos(x); });
                for (int k = 0; k < 2 * n; ++k) wave.step(0.5 / n);
                const double error = distance(on, wave.displacement(), [&](int i, int j) {
                    return exact(problem.x0 + i * problem.hx, j * problem.hy, 1);
                });
                if (n == 40) {
                    EXPECT_GT(std::log2(before / error), 1.8) << before << ", " << error;
                }
                before = error;
            }
        }
}

// ---- energy and the limit of the step

TEST_P(GridWaveTest, KeepTheirEnergy) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    const int n = is_cpu_ ? 32 : 16;
    for (const GridWaveScheme scheme : schemes) {
        const bool is_explicit = scheme == GridWaveScheme::leapfrog;
        const Grid<double> on = grid({n + 1, n + 1});
        GridWaveProblem problem;
        problem.hx = problem.hy = 1.0 / n;
        problem.speed = [](double x, double y) { return 1 + 0.5 * x + 0.2 * y; };
        problem.sides[west] = {1, 0, false, {}};
        problem.sides[east] = {3, 1, false, {}};  // a spring
        problem.is_part = [n](int i, int j) { return std::abs(i - n / 2) > 2 || j > n / 3; };
        const double tolerance = 1e-10;
        GridWave<double> wave(on, problem, settings(scheme, tolerance));
        GridWave<double> other(on, problem, settings(GridWaveScheme::leapfrog));
        wave.start([](double x, double y) {
            return std::exp(-20 * (std::pow(x - 0.7, 2) + std::pow(y - 0.6, 2)));
        });
        const double dt = is_explicit ? other.step_limit() : 10 * other.step_limit(),
                     period = 2;  // about the longest wave's
        const double at_start = wave.energy().total();
        wave.step(dt);
        const double first = wave.energy().total();
        const int steps = static_cast<int>(std::ceil((is_fast_ ? 100 : 1) * period / dt));
        for (int k = 1; k < steps; ++k) wave.step(dt);
        const double last = wave.energy().total();
        if (comm_.is_root())
            fmt::print(
                "{}: {} steps, energy {:.6g} at the start, changed by {:.2e} since the first "
                "step\n",
                is_explicit ? "leapfrog" : "trapezoidal", steps, at_start, last / first - 1);
        EXPECT_NEAR(last, first, (is_explicit ? 1e-11 : 10 * tolerance) * first);
        if (is_explicit) {  // as smooth as that
            EXPECT_NEAR(at_start, first, 0.05 * at_start);
        }
        EXPECT_EQ(wave.solves().count, is_explicit ? 0 : steps);
    }
}

TEST_P(GridWaveTest, RefuseStepsBeyondTheLimitOfTheExplicitScheme) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    const double h = 1.0 / 16;
    const Grid<double> on = grid({17, 17});
    GridWaveProblem problem;
    problem.hx = h;
    problem.hy = 2 * h;
    problem.speed = [](double, double) { return 2.0; };
    GridWave<double> wave(on, problem);
    // of the mode that changes its sign from node to node
    const double limit = 2 / std::sqrt(4 * 4 / (h * h) * (1 + 0.25));
    EXPECT_NEAR(wave.step_limit(), limit, 1e-12 * limit);
    EXPECT_LE(wave.step_limit(), limit);
    for (const double dt : {1.001 * limit, 0.0, -1.0, std::nan("")}) {
        try {
            wave.step(dt);
            ADD_FAILURE() << dt << " is taken";
        } catch (const Error& error) {
            if (dt > 0) {
                EXPECT_NE(std::string(error.what()).find(fmt::format("{:.6g} s", limit)),
                          std::string::npos)
                    << error.what();
            }
        }
    }
    EXPECT_EQ(wave.time(), 0);
    // at the limit nothing grows
    const auto noise = [](double x, double y) { return std::sin(1e4 * x * y + 77 * x); };
    wave.start(noise);
    for (int n = 0; n < (is_fast_ ? 1000 : 20); ++n) wave.step(wave.step_limit());
    EXPECT_LE(distance(on, wave.displacement(), [](int, int) { return 0.0; }), 20);
    // on a mapped grid the bound is one from above: just below it nothing grows, either
    if (!is_fast_) return;
    problem.position = [h](int i, int j) {
        return std::array{i * h + 0.1 * std::sin(3 * j * h), j * h + 0.15 * i * j * h * h};
    };
    GridWave<double> mapped(on, problem);
    mapped.start(noise);
    for (int n = 0; n < 1000; ++n) mapped.step(mapped.step_limit());
    EXPECT_LE(distance(on, mapped.displacement(), [](int, int) { return 0.0; }), 20);
    EXPECT_GE(mapped.step_limit(), 0.5 * limit);
}

// ---- absorbing sides

// A wave exp(i (k x - w t)) cos(m y) comes from the west, where it is given with what the east
// reflects: of the discrete equations.
TEST_P(GridWaveTest, AbsorbingSidesReflectWhatTheyShould) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const double across : {0.0, 2 * pi}) {
        if (!is_cpu_ && across == 0) continue;
        for (const GridWaveScheme scheme : schemes) {
            const bool is_explicit = scheme == GridWaveScheme::leapfrog;
            const int n = is_cpu_ ? 32 : 16, ny = n / 2;
            const double h = 1.0 / n, c = 1.5, k = 2 * pi;
            const double l = c * c * (eigenvalue(k, h) + eigenvalue(across, h));
            const double dt = is_explicit ? 0.5 * h / c : 1.5 * h / c, root = dt / 2 * std::sqrt(l),
                         w = 2 / dt * (is_explicit ? std::asin(root) : std::atan(root));
            // M (second difference) + B (first difference) + A (weights) = 0 of the last node, an
            // h x h/2 volume, for U = exp(i k x) + R exp(-i k x), all over h
            const double weight = is_explicit ? 1 : std::pow(std::cos(w * dt / 2), 2);
            const auto row = [&](double k_x) {
                const Complex here = std::polar(1.0, k_x), before = std::polar(1.0, k_x * (1 - h));
                const double of_mass = -h / 2 * std::pow(2 / dt * std::sin(w * dt / 2), 2);
                const Complex of_side = c * Complex(0, -std::sin(w * dt) / dt);
                return of_mass * here + of_side * here +
                       weight * c * c *
                           ((here - before) / h + h / 2 * eigenvalue(across, h) * here);
            };
            const Complex reflected = -row(k) / row(-k);
            // of the equation: (cos a - 1) / (cos a + 1), with the path to the side and back
            const double cosine = k / std::hypot(k, across);
            EXPECT_NEAR(std::abs(reflected), (1 - cosine) / (1 + cosine), 0.01);
            const auto at = [&](double x, double y, double t) {
                return (std::polar(1.0, k * x) + reflected * std::polar(1.0, -k * x)) *
                       std::polar(1.0, -w * t) * std::cos(across * y);
            };
            const Grid<double> on = grid({n + 1, ny + 1});
            GridWaveProblem problem;
            problem.hx = problem.hy = h;
            problem.speed = [=](double, double) { return c; };
            problem.sides[west] = {
                1, 0, false, {[=](double x, double y, double t) { return at(x, y, t).real(); }}};
            problem.sides[east].is_absorbing = true;
            GridWave<double> wave(on, problem, settings(scheme));
            const Complex rate(
                0, -(is_explicit ? std::sin(w * dt) / dt : 2 / dt * std::tan(w * dt / 2)));
            wave.start([&](double x, double y) { return at(x, y, 0).real(); },
                       [&](double x, double y) { return (rate * at(x, y, 0)).real(); });
            const int steps = is_cpu_ ? 200 : 8;
            for (int step = 0; step < steps; ++step) wave.step(dt);
            EXPECT_LE(distance(on, wave.displacement(),
                               [&](int i, int j) { return at(i * h, j * h, steps * dt).real(); }),
                      1e-9)
                << across << (is_explicit ? ", leapfrog" : ", trapezoidal");
        }
    }
}

// At the limit of the step, and beyond it, all leaves.
TEST_P(GridWaveTest, AbsorbingSidesTakeTheEnergy) {
    if (!device_->info().has_fp64 || !is_cpu_) GTEST_SKIP();
    for (const GridWaveScheme scheme : schemes) {
        const int n = 24;
        const Grid<double> on = grid({n + 1, n + 1});
        GridWaveProblem problem;
        problem.hx = problem.hy = 1.0 / n;
        problem.speed = [](double, double y) { return 1 + 0.5 * y; };
        for (GridWaveSide& side : problem.sides) side.is_absorbing = true;
        GridWave<double> wave(on, problem, settings(scheme, 1e-12));
        wave.start([](double x, double y) {
            return std::exp(-60 * ((x - 0.4) * (x - 0.4) + (y - 0.6) * (y - 0.6)));
        });
        const double before = wave.energy().total(),
                     dt = std::isfinite(wave.step_limit()) ? wave.step_limit() : 0.05;
        while (wave.time() < 10) wave.step(dt);
        EXPECT_LT(wave.energy().total(), 1e-3 * before);
    }
}

// ---- state and errors

// A step of another length starts anew from U and dU/dt: with lengths that differ by rounding
// alone it is the step that went on.
TEST_P(GridWaveTest, GoOnFromTheirStateAndWithStepsOfOtherLengths) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const GridWaveScheme scheme : schemes) {
        const int n = 16;
        const Grid<double> on = grid({n + 1, n + 1});
        GridWaveProblem problem = Manufactured::problem();
        problem.hx = problem.hy = 1.0 / n;
        problem.sides[east].is_absorbing = true;
        const auto made = [&] {
            auto wave = std::make_unique<GridWave<double>>(on, problem, settings(scheme));
            wave->start([](double x, double y) { return Manufactured::u(x, y, 0); },
                        [](double x, double y) { return -2 * Manufactured::slope(x, y, 0); });
            return wave;
        };
        const auto steady = made(), changed = made(), restarted = made();
        const double dt = 0.4 / n;
        for (int k = 0; k < 3; ++k)
            for (const auto* wave : {&steady, &changed}) (*wave)->step(dt);
        GridWaveState<double>& to = restarted->state();
        const GridWaveState<double>& from = steady->state();
        to.time = from.time;
        to.before = from.before;
        to.step = from.step;
        device_->copy(from.displacement, to.displacement);
        device_->copy(from.change, to.change);
        device_->copy(from.second_difference, to.second_difference);
        device_->copy(from.left_over, to.left_over);
        restarted->restart();
        for (int k = 0; k < 3; ++k) {
            steady->step(dt);
            changed->step(dt * (k == 1 ? 1 + 1e-13 : 1));
            restarted->step(dt);
        }
        const std::vector<double> expected = on.to_host(steady->displacement());
        const GridBlock& b = on.layout().block();
        const auto there = [&](int i, int j) {
            return expected[std::size_t(j - b.y) * b.width + i - b.x];
        };
        EXPECT_EQ(distance(on, restarted->displacement(), there), 0);
        EXPECT_LE(distance(on, changed->displacement(), there), 1e-11);
    }
}

// Pushed between two steps: as one that is started with the heights together and the same velocity.
TEST_P(GridWaveTest, PushesLeaveTheVelocity) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const GridWaveScheme scheme : schemes) {
        const int n = 16;
        const Grid<double> on = grid({n + 1, n + 1});
        GridWaveProblem problem;
        problem.hx = problem.hy = 1.0 / n;
        problem.speed = [](double x, double) { return 1 + x; };
        problem.sides[west] = {1, 0, false, {[](double, double y, double) { return y; }, false}};
        problem.sides[north].is_absorbing = true;
        problem.is_part = [](int i, int j) { return i != 7 || j != 5; };
        GridWave<double> pushed(on, problem, settings(scheme)),
            started(on, problem, settings(scheme));
        pushed.start([](double x, double y) { return y * std::exp(-9 * x); });
        const double dt = 0.3 / n;
        for (int k = 0; k < 5; ++k) pushed.step(dt);
        const GridBlock& b = on.layout().block();
        const auto in = [&](const std::vector<double>& values) {
            return [&values, &b](double x, double y) {
                const int i = static_cast<int>(std::lround(x * n)),
                          j = static_cast<int>(std::lround(y * n));
                return values[std::size_t(j - b.y) * b.width + i - b.x];
            };
        };
        const std::vector<double> before = on.to_host(pushed.displacement()),
                                  rate = on.to_host(pushed.velocity());
        const auto bump = [](double x, double y) { return std::exp(x + y); };
        pushed.push(bump);
        EXPECT_LE(distance(on, pushed.displacement(),
                           [&](int i, int j) {
                               const double x = double(i) / n, y = double(j) / n;
                               return in(before)(x, y) + (i == 0 ? 0 : bump(x, y));
                           }),
                  1e-13);
        EXPECT_LE(distance(on, pushed.velocity(),
                           [&](int i, int j) { return in(rate)(double(i) / n, double(j) / n); }),
                  1e-13);
        started.start([&](double x, double y) { return in(before)(x, y) + bump(x, y); }, in(rate));
        for (int k = 0; k < 4; ++k)
            for (auto* wave : {&pushed, &started}) wave->step(dt);
        const std::vector<double> expected = on.to_host(started.displacement());
        EXPECT_LE(
            distance(on, pushed.displacement(),
                     [&](int i, int j) { return in(expected)(double(i) / n, double(j) / n); }),
            1e-12);
    }
}

TEST_P(GridWaveTest, RefuseProblemsOfNoUse) {
    if (!is_cpu_) GTEST_SKIP();
    const Grid<double> on = grid({9, 9});
    const auto message = [&](const GridWaveProblem& problem) -> std::string {
        try {
            GridWave<double> wave(on, problem);
            wave.step(0.1 * wave.step_limit());
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(message({}), "accepted");
    // one rank has the place, all of them tell
    const auto at_a_node = [](double value, double usual) {
        return [=](double x, double y) { return x > 7.4 && y < 0.6 ? value : usual; };
    };
    for (const double speed : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
        GridWaveProblem problem;
        problem.speed = at_a_node(speed, 1);
        EXPECT_NE(message(problem).find("must be positive"), std::string::npos) << speed;
    }
    for (const double value : {HUGE_VAL, std::nan("")}) {
        const GridWaveFunction bad{
            [=](double x, double y, double t) { return t > 0 && x > 7.4 && y < 0.6 ? value : 0; }};
        GridWaveProblem problem;
        problem.source = bad;
        EXPECT_NE(message(problem).find("source"), std::string::npos);
        problem.source = {};
        problem.sides[south].gamma = bad;
        EXPECT_NE(message(problem).find("finite"), std::string::npos);
        problem.sides[south] = {1, 0, false, bad};
        EXPECT_NE(message(problem).find("given value"), std::string::npos);
        problem.sides[south] = {0, 1, true, bad};
        EXPECT_NE(message(problem).find("incident wave"), std::string::npos);
    }
    GridWaveProblem problem;
    problem.sides[west] = {0, 0, false, {}};
    EXPECT_NE(message(problem).find("west"), std::string::npos);
    problem.sides[west] = {};
    problem.has_cells = true;
    problem.sides[north].is_absorbing = true;
    EXPECT_NE(message(problem).find("cells"), std::string::npos);
    problem = {};
    problem.position = [](int i, int j) { return std::array{double(i), double(j)}; };
    EXPECT_EQ(message(problem), "accepted");
    problem.has_cells = true;
    EXPECT_NE(message(problem).find("not cells"), std::string::npos);
    problem.has_cells = false;
    problem.is_part = [](int i, int) { return i > 0; };
    EXPECT_EQ(message(problem), "accepted");
    for (const GridWaveSide& land : {GridWaveSide{0, 1, true, {}}, GridWaveSide{1, 1, false, {}},
                                     GridWaveSide{0, 0, false, {}}}) {
        problem.land = land;
        EXPECT_NE(message(problem).find("shores of land"), std::string::npos);
    }
    GridWave<double> wave(on, {});
    EXPECT_THROW(wave.start(at_a_node(std::nan(""), 0)), Error);
    EXPECT_THROW(wave.start(nullptr, at_a_node(HUGE_VAL, 0)), Error);
}

TEST_P(GridWaveTest, SolvesThatDoNotConvergeAreErrorsOfTheComputation) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    const Grid<double> on = grid({33, 33});
    GridWaveSettings how = settings(GridWaveScheme::trapezoidal, 1e-12);
    how.max_iterations = 1;
    GridWave<double> wave(on, {}, how);
    wave.start([](double x, double y) { return std::sin(x * y); });
    try {
        wave.step(10);
        ADD_FAILURE() << "one iteration is enough";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 1);
        EXPECT_NE(std::string(error.what()).find("displacement at t = 10 s"), std::string::npos)
            << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, GridWaveTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::grid_wave_test

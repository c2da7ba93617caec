// Mean curvature flow: the matrix and a step against Eigen, spheres, soap films and volumes against
// formulas, on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "support/devices.hpp"
#include "support/eigen_problems.hpp"
#include "surface/flow/flow_limits.hpp"
#include "surface/flow/flowing_spheres.hpp"
#include "surface/flow/mean_curvature_flow.hpp"

namespace solenoid::mean_curvature_flow_test {
namespace {

class SurfaceFlow : public testing::TestWithParam<std::string> {
  protected:
    std::unique_ptr<Device> device_ = test::make_device(GetParam());
};

// The study's matrix by angles and circumcentres, another way than the kernels'.
struct Assembled {
    test::SparseMatrix matrix;
    test::Vector four_areas;
};

// The part of triangle a b c that is nearest to a, or half or a quarter of it where it is obtuse.
double area_at(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double area = glm::length(glm::cross(b - a, c - a)) / 2;
    const double right = std::acos(-1.0) / 2;
    const auto angle = [](const Vec3& at, const Vec3& p, const Vec3& q) {
        return std::acos(glm::dot(glm::normalize(p - at), glm::normalize(q - at)));
    };
    if (angle(a, b, c) > right) return area / 2;
    if (angle(b, c, a) > right || angle(c, a, b) > right) return area / 4;
    const Vec3 u = b - a, w = c - a, n = glm::cross(u, w);
    const Vec3 centre =
        a + (glm::dot(w, w) * glm::cross(n, u) + glm::dot(u, u) * glm::cross(w, n)) /
                (2 * glm::dot(n, n));
    const Vec3 half_b = 0.5 * (a + b), half_c = 0.5 * (a + c);
    return glm::length(glm::cross(half_b - a, centre - a)) / 2 +
           glm::length(glm::cross(centre - a, half_c - a)) / 2;
}

Assembled assemble(const TriangleSurface& surface, double lambda_dt) {
    const auto n = static_cast<Eigen::Index>(surface.points.size());
    test::Entries entries;
    Assembled result{test::SparseMatrix(n, n), test::Vector::Zero(n)};
    for (const auto& t : surface.triangles)
        for (int k = 0; k < 3; ++k) {
            const Index p = t[k], i = t[(k + 1) % 3], j = t[(k + 2) % 3];
            const auto& x = surface.points;
            const double a = -lambda_dt * test::cotangent(x[p], x[i], x[j]);
            for (const auto& [row, column] : {std::pair(i, j), std::pair(j, i)}) {
                entries.emplace_back(row, column, a);
                entries.emplace_back(row, row, -a);
            }
            const double area = area_at(x[p], x[i], x[j]);
            entries.emplace_back(p, p, 4 * area);
            result.four_areas[p] += 4 * area;
        }
    result.matrix = test::sparse(n, n, entries);
    return result;
}

// Surfaces of all kinds of triangles: obtuse ones, closed and with borders, far from the origin.
std::vector<TriangleSurface> surfaces() {
    std::vector<TriangleSurface> all{test::random_sphere(4), test::noisy_sphere(3, 0.2),
                                     test::tube(9, 4, 0.3)};
    for (Vec3& p : all[2].points) p = 30.0 * p + Vec3(1000, -200, 50);
    return all;
}

TEST_P(SurfaceFlow, HasTheStudysMatrix) {
    const double dt = 0.03;
    for (const TriangleSurface& surface : surfaces()) {
        const CheckedSurface checked = check_surface(surface, "sample");
        const auto flow = make_flow(*device_, checked, {});
        flow->assemble(dt);
        const Assembled expected = assemble(checked.surface, 2 * dt);
        const std::size_t n = surface.points.size();
        double largest = 0;
        for (int k = 0; k < expected.matrix.nonZeros(); ++k)
            largest = std::max(largest, std::abs(expected.matrix.valuePtr()[k]));
        for (std::size_t first = 0; first < n; first += 3) {  // three columns at once
            std::vector<Vec3> units(n, Vec3(0));
            for (std::size_t k = 0; k < 3 && first + k < n; ++k) units[first + k][int(k)] = 1;
            const std::vector<Vec3> found = flow->times_matrix(units);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t k = 0; k < 3 && first + k < n; ++k) {
                    const double entry =
                        checked.is_border[i]
                            ? 0
                            : expected.matrix.coeff(Eigen::Index(i), Eigen::Index(first + k));
                    ASSERT_NEAR(found[i][int(k)], entry, 2e-13 * largest) << i << " " << first + k;
                }
        }
    }
}

// A x_new = 4 A_i x_old, x_new given on borders.
std::vector<Vec3> direct_step(const CheckedSurface& checked, double dt) {
    const Assembled system = assemble(checked.surface, 2 * dt);
    const std::size_t n = checked.surface.points.size();
    std::vector<Eigen::Index> unknown(n, -1);
    Eigen::Index free = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (!checked.is_border[i]) unknown[i] = free++;
    test::Matrix b(free, 3);
    const auto given = [&](std::size_t i) {
        const Vec3& p = checked.surface.points[i];
        return Eigen::RowVector3d(p.x, p.y, p.z);
    };
    for (std::size_t i = 0; i < n; ++i)
        if (unknown[i] >= 0) b.row(unknown[i]) = system.four_areas[Eigen::Index(i)] * given(i);
    test::Entries entries;
    for (int column = 0; column < system.matrix.outerSize(); ++column)
        for (test::SparseMatrix::InnerIterator at(system.matrix, column); at; ++at) {
            const Eigen::Index row = unknown[std::size_t(at.row())];
            if (row < 0) continue;
            if (unknown[std::size_t(column)] >= 0)
                entries.emplace_back(row, unknown[std::size_t(column)], at.value());
            else
                b.row(row) -= at.value() * given(std::size_t(column));
        }
    const test::Matrix x = test::solve_symmetric(test::sparse(free, free, entries), b);
    std::vector<Vec3> points = checked.surface.points;
    for (std::size_t i = 0; i < n; ++i)
        if (unknown[i] >= 0) points[i] = {x(unknown[i], 0), x(unknown[i], 1), x(unknown[i], 2)};
    return points;
}

TEST_P(SurfaceFlow, StepsAsADirectSolve) {
    for (const char* precision : {"double", "mixed", "single"})
        for (const TriangleSurface& surface : surfaces()) {
            const CheckedSurface checked = check_surface(surface, "sample");
            const double size = std::cbrt(std::abs(volume_of(surface))), dt = 0.02 * size * size;
            const std::vector<Vec3> expected = direct_step(checked, dt);
            CurvatureFlowSettings settings{.precision = precision};
            if (settings.precision != "single") settings.tolerance = 1e-12;
            const auto flow = make_flow(*device_, checked, settings);
            flow->step(dt);
            const std::vector<Vec3> found = flow->points();
            double extent = 0, most = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                extent = std::max(extent, glm::length(surface.points[i] - surface.points[0]));
                most = std::max(most, glm::length(found[i] - expected[i]));
                if (checked.is_border[i]) {
                    EXPECT_EQ(found[i], surface.points[i]) << i;
                }
            }
            EXPECT_LT(most, (settings.precision == "single" ? 2e-5 : 1e-10) * extent) << precision;
        }
}

// R^2 = R0^2 - 4 t.
TEST_P(SurfaceFlow, ShrinksSpheres) {
    const double time = 0.05, exact = std::sqrt(1 - 4 * time);
    for (const TriangleSurface& sphere : {sphere_surface(4), test::random_sphere(4)})
        EXPECT_NEAR(test::radius_after(*device_, sphere, time, 12), exact, 0.01 * exact);
}

// The radius of the catenoid's waist between circles of radius 1 at -half and half: the larger
// solution of c cosh(half / c) = 1, whose soap film is stable.
double waist(double half) {
    double low = half / 1.19968, high = 1;  // the least of c cosh(half / c) is at the first
    for (int k = 0; k < 100; ++k) {
        const double c = 0.5 * (low + high);
        (c * std::cosh(half / c) < 1 ? low : high) = c;
    }
    return low;
}

// The largest distance from the catenoid after a long time.
double off_catenoid(Device& device, int round, int steps) {
    const double half = 0.5, c = waist(half);
    const CheckedSurface checked = check_surface(test::tube(round, round / 4 * 2, half), "sample");
    const auto flow = make_flow(device, checked, {});
    for (int k = 0; k < steps; ++k) flow->step(0.1);
    double most = 0;
    for (const Vec3& p : flow->points())
        most = std::max(most, std::abs(std::hypot(p.x, p.y) - c * std::cosh(p.z / c)));
    return most;
}

TEST_P(SurfaceFlow, TakesACylinderToTheCatenoid) {
    const bool is_slow = GetParam() != "cpu";
    const double most = off_catenoid(*device_, 24, is_slow ? 12 : 40);
    EXPECT_LT(most, 0.01) << "the waist is " << waist(0.5);
    if (is_slow) return;
    const double finer = off_catenoid(*device_, 48, 40);
    std::printf("off the catenoid by %.2e, %.2e\n", most, finer);
    EXPECT_LT(finer, most / 3);
}

// Without a catenoid between the circles (they are further apart than 1.3255 radii) the neck
// closes.
TEST_P(SurfaceFlow, TellsWhereANeckCloses) {
    const CheckedSurface checked = check_surface(test::tube(16, 12, 1.0), "sample");
    const auto flow = make_flow(*device_, checked, {});
    std::string message;
    double time = 0;
    std::vector<Vec3> last;
    try {
        for (; time < 2; time += 0.02) {
            last = flow->points();
            flow->step(0.02);
        }
    } catch (const ComputationError& error) {
        message = error.what();
    }
    EXPECT_NE(message.find("has lost its shape"), message.npos) << message << time;
    EXPECT_NE(message.find("triangle "), message.npos) << message;
    EXPECT_GT(time, 0.2);
    EXPECT_LT(time, 1);
    EXPECT_EQ(flow->points(), last);  // as before the step
}

// How much the radii of neighbours differ, in the mean, over the radius.
double roughness(const CheckedSurface& checked, const std::vector<Vec3>& points) {
    double sum = 0;
    for (const auto& [a, b, left, right] : checked.edges)
        sum += std::pow(glm::length(points[a]) - glm::length(points[b]), 2);
    return std::sqrt(sum / double(checked.edges.size())) / test::mean_radius(points);
}

// Of the worst triangle: 1 where all sides are alike.
double least_shape(const TriangleSurface& surface) {
    double least = 1;
    for (const auto& t : surface.triangles) {
        std::array<double, 3> side;
        for (int k = 0; k < 3; ++k)
            side[k] = glm::distance(surface.points[t[k]], surface.points[t[(k + 1) % 3]]);
        const double half = (side[0] + side[1] + side[2]) / 2,
                     area = std::sqrt(half * (half - side[0]) * (half - side[1]) *
                                      (half - side[2]));  // Heron's formula
        least = std::min(least, 4 * std::sqrt(3) * area /
                                    (side[0] * side[0] + side[1] * side[1] + side[2] * side[2]));
    }
    return least;
}

TEST_P(SurfaceFlow, SmoothsAndKeepsTheVolume) {
    for (const char* precision : {"double", "single", "mixed"}) {
        const TriangleSurface surface = test::noisy_sphere(6, 0.08);
        const CheckedSurface checked = check_surface(surface, "sample");
        const auto flow =
            make_flow(*device_, checked, {.precision = precision, .keeps_volume = true});
        FlowStep done;
        for (int k = 0; k < 8; ++k) done = flow->step(0.01);
        const TriangleSurface after{flow->points(), surface.triangles};
        EXPECT_NEAR(done.least, least_shape(after), 1e-5) << precision;
        EXPECT_LT(done.least, 0.95) << precision;
        EXPECT_NEAR(volume_of(after) / volume_of(surface), 1, 1e-6) << precision;
        EXPECT_NEAR(flow->volume() / volume_of(surface), 1, 1e-6) << precision;
        EXPECT_NEAR(flow->area() / area_of(after), 1, 1e-6) << precision;
        EXPECT_LT(roughness(checked, after.points), 0.05 * roughness(checked, surface.points))
            << precision;
    }
}

TEST_P(SurfaceFlow, KeepsTheVolumeOfEachPart) {
    TriangleSurface both = sphere_surface(3);
    const TriangleSurface other = test::noisy_sphere(2, 0.1);
    const auto shift = static_cast<Index>(both.points.size());
    for (const Vec3& p : other.points) both.points.push_back(0.2 * p + Vec3(3, 0, 0));
    const std::size_t first = both.triangles.size();
    for (const auto& [a, b, c] : other.triangles)
        both.triangles.push_back({a + shift, b + shift, c + shift});
    const CheckedSurface checked = check_surface(both, "sample");
    ASSERT_EQ(checked.parts(), 2u);
    const auto flow = make_flow(*device_, checked, {.keeps_volume = true});
    for (int k = 0; k < 5; ++k) flow->step(0.02);
    const TriangleSurface after{flow->points(), both.triangles};
    const auto small = [&](const TriangleSurface& s) {
        return volume_of(
            {s.points, {s.triangles.begin() + std::ptrdiff_t(first), s.triangles.end()}});
    };
    EXPECT_NEAR(small(after) / small(both), 1, 1e-9);
    EXPECT_NEAR(volume_of(after) / volume_of(both), 1, 1e-9);
}

TEST_P(SurfaceFlow, LeavesAPlaneAsItIs) {
    TriangleSurface plane{{{0, 0, 5}, {2, 0, 5}, {2, 2, 5}, {0, 2, 5}, {0.7, 1.1, 5}}, {}};
    for (Index i = 0; i < 4; ++i) plane.triangles.push_back({i, (i + 1) % 4, 4});
    const CheckedSurface checked = check_surface(plane, "sample");
    const auto flow = make_flow(*device_, checked, {});
    const FlowStep step = flow->step(1);
    EXPECT_NEAR(step.area, 4, 1e-12);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_LT(glm::length(flow->points()[i] - plane.points[i]), 1e-12) << i;
}

INSTANTIATE_TEST_SUITE_P(All, SurfaceFlow, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

// `more` behind a surface, moved and scaled along the axes.
void add(TriangleSurface& surface, const TriangleSurface& more, const Vec3& scale,
         const Vec3& shift) {
    const auto first = static_cast<Index>(surface.points.size());
    for (const Vec3& p : more.points) surface.points.push_back(p * scale + shift);
    for (const auto& [a, b, c] : more.triangles)
        surface.triangles.push_back({a + first, b + first, c + first});
}
UsualFlow usual_of(const TriangleSurface& surface) {
    return usual_flow_of(measures_of(check_surface(surface, "sample")));
}

TEST(FlowLimit, IsThatOfTheBallRound) {
    TriangleSurface sphere;
    add(sphere, sphere_surface(4), Vec3(2), Vec3(10, 0, 0));
    const FlowLimit limit = limit_of(check_surface(sphere, "sample"));
    EXPECT_NEAR(limit.time, 1, 0.02);
    EXPECT_EQ(limit.part, 0u);
    EXPECT_EQ(limit_of(check_surface(test::tube(8, 2, 1), "sample")).part, none);
    add(sphere, sphere_surface(4), Vec3(1), Vec3(0));
    EXPECT_EQ(limit_of(check_surface(sphere, "sample")).part, 1u);
    EXPECT_EQ(limit_of(check_surface(sphere, "sample"), {false, true}).part, 0u);
}

// 0.2 (V / A)^2 of closed parts.
TEST(UsualFlow, IsThatOfTheThinnestPart) {
    TriangleSurface surface;
    add(surface, sphere_surface(12), Vec3(2), Vec3(10, 0, 0));
    EXPECT_NEAR(usual_of(surface).time, 0.2 * 4 / 9, 0.002);
    // a flat ellipsoid beside it, of volume 4/3 pi 0.01 and area 2 pi
    add(surface, sphere_surface(12), Vec3(1, 1, 0.01), Vec3(0));
    const UsualFlow flat = usual_of(surface);
    EXPECT_NEAR(flat.time, 0.2 * 0.02 * 0.02 / 9, 1e-6);
    EXPECT_EQ(flat.thinnest, 1u);
}

// Specks of 4 % of the area count neither for the time nor for the mean edge; of 8 % they do.
TEST(UsualFlow, LeavesOutDust) {
    TriangleSurface surface;
    add(surface, sphere_surface(8), Vec3(1), Vec3(0));
    const UsualFlow alone = usual_of(surface);
    for (const double x : {2.0, 3.0, 4.0, 5.0})
        add(surface, sphere_surface(8), Vec3(0.1), {x, 0, 0});
    const UsualFlow with_dust = usual_of(surface);
    EXPECT_EQ(with_dust.time, alone.time);
    EXPECT_EQ(with_dust.edge, alone.edge);
    EXPECT_EQ(with_dust.thin, (std::vector<bool>{false, true, true, true, true}));
    for (const double x : {-2.0, -3.0, -4.0, -5.0})
        add(surface, sphere_surface(8), Vec3(0.1), {x, 0, 0});
    EXPECT_NEAR(usual_of(surface).time, alone.time / 100, 1e-9 * alone.time);
}

// A ball without one triangle is nearly a ball, half a ball is between a ball and a disc, and a
// disc has a time of its own.
TEST(UsualFlow, OfSurfacesWithBorders) {
    TriangleSurface ball = sphere_surface(10);
    const double closed = usual_of(ball).time;
    ball.triangles.erase(ball.triangles.begin() + 77);
    EXPECT_NEAR(usual_of(ball).time, closed, 0.01 * closed);
    TriangleSurface half = ball;
    std::erase_if(half.triangles, [&](const auto& t) {
        return half.points[t[0]].z + half.points[t[1]].z + half.points[t[2]].z < 0;
    });
    EXPECT_NEAR(usual_of(half).time, closed + 0.016 * 0.25 * 6.28, 0.1 * closed);
    TriangleSurface disc = half;
    for (Vec3& p : disc.points) p.z *= 1e-6;
    EXPECT_NEAR(usual_of(disc).time, 0.016 * 3.14, 0.003);
    // both ends of a tube of radius 1 are closed: V / A = 1/2
    EXPECT_NEAR(usual_of(test::tube(60, 20, 3)).time, 0.2 / 4, 0.002);
}

// A part that stays as it is does not change how the other one flows.
TEST(FixedParts, StayWhereTheyAre) {
    const auto device = test::make_device("cpu");
    TriangleSurface surface = sphere_surface(4);
    const CheckedSurface alone = check_surface(surface, "sample");
    add(surface, sphere_surface(2), Vec3(1e-3), Vec3(2, 0, 0));
    const CheckedSurface both = check_surface(surface, "sample");
    const auto one = make_flow(*device, alone, {}),
               two = make_flow(*device, both, {.fixed_parts = {false, true}});
    for (int k = 0; k < 3; ++k) one->step(0.01), two->step(0.01);
    const std::vector<Vec3> expected = one->points(), found = two->points();
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_LT(glm::length(found[i] - (i < expected.size() ? expected[i] : surface.points[i])),
                  1e-9);
}

TEST(KeptVolume, NeedsAClosedSurface) {
    const auto device = test::make_device("cpu");
    const CheckedSurface checked = check_surface(test::tube(8, 2, 1), "sample");
    EXPECT_THROW(make_flow(*device, checked, {.keeps_volume = true}), InputError);
}

}  // namespace
}  // namespace solenoid::mean_curvature_flow_test

// Products with operators on structured grids and the systems of boundary-value problems, on every
// device and on several ranks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "grid/stencil/boundary_values.hpp"
#include "grid/stencil/mapped_grid.hpp"
#include "solvers/krylov/cg.hpp"
#include "support/broken_off.hpp"
#include "support/devices.hpp"

namespace solenoid::stencil_test {
namespace {

class StencilTest : public testing::TestWithParam<std::string> {};

double noise(int i, int j, int seed) {
    return std::sin(12.9898 * i + 78.233 * j + 3.7 * seed) * 0.9;
}

// Coefficients of the whole grid by a function; none between nodes that are no unknowns.
struct PlainOperator {
    GridExtents extents;
    StencilKind kind;

    bool is_unknown(int i, int j) const { return (3 * i + j) % 7 != 2; }
    int steps() const { return kind == StencilKind::nine ? 5 : 3; }
    static constexpr int step[5][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    bool reaches(int& i, int& j, int c) const {
        i += step[c][0], j += step[c][1];
        if (extents.is_periodic_x) i = (i + extents.nx) % extents.nx;
        if (extents.is_periodic_y) j = (j + extents.ny) % extents.ny;
        return i >= 0 && j >= 0 && i < extents.nx && j < extents.ny;
    }
    double coefficient(int i, int j, int c) const {
        int x = i, y = j;
        if (!reaches(x, y, c) || !is_unknown(i, j) || !is_unknown(x, y)) return 0;
        if (kind == StencilKind::constant) return c == 0 ? 4.5 : c == 1 ? -1.25 : -0.75;
        return c == 0 ? 5 + noise(i, j, 9) : noise(i, j, c);
    }
    std::vector<double> product(const std::vector<double>& u) const {
        std::vector<double> result(u.size());
        for (int j = 0; j < extents.ny; ++j)
            for (int i = 0; i < extents.nx; ++i)
                for (int c = 0; c < steps(); ++c) {
                    int x = i, y = j;
                    if (!reaches(x, y, c)) continue;
                    const std::size_t k = std::size_t(j) * extents.nx + i,
                                      l = std::size_t(y) * extents.nx + x;
                    const double a = coefficient(i, j, c);
                    result[k] += a * u[l];
                    if (c > 0) result[l] += a * u[k];
                }
        return result;
    }
    Stencil<double> on(const Grid<double>& grid) const {
        Buffer<double> marker = grid.marker([&](int i, int j) { return is_unknown(i, j); });
        if (kind == StencilKind::constant)
            return Stencil<double>(grid, std::move(marker), {4.5, -1.25, -0.75});
        const auto columns = [&](int first, int count) {
            std::vector<double> all;
            for (int c = first; c < first + count; ++c) {
                const auto one =
                    grid.to_host(grid.field_of([&](int i, int j) { return coefficient(i, j, c); }));
                all.insert(all.end(), one.begin(), one.end());
            }
            Buffer<double> result = grid.field(count);
            grid.from_host(all, result);
            return result;
        };
        if (kind == StencilKind::five)
            return Stencil<double>(grid, std::move(marker), columns(0, 3));
        return Stencil<double>(grid, std::move(marker), columns(0, 3), columns(3, 2));
    }
};

TEST_P(StencilTest, ProductsAreThoseOfThePlainOperatorAndSymmetric) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const StencilKind kind : {StencilKind::constant, StencilKind::five, StencilKind::nine})
        for (int periodic = 0; periodic < 4; ++periodic) {
            const PlainOperator plain{{21, 14, bool(periodic & 1), bool(periodic & 2)}, kind};
            const GridExtents& extents = plain.extents;
            const Grid<double> grid(comm, *device, GridBlocks(extents, comm.size()));
            Stencil<double> matrix = plain.on(grid);
            const auto x = [&](int i, int j) {
                return plain.is_unknown(i, j) ? noise(i, j, 20) : 0;
            };
            const auto y = [&](int i, int j) {
                return plain.is_unknown(i, j) ? noise(i, j, 21) : 0;
            };
            Buffer<double> u = grid.field_of(x), v = grid.field_of(y), au = grid.field(),
                           av = grid.field(), r = grid.field();
            matrix.apply(u, au);
            matrix.apply(v, av);
            std::vector<double> whole;
            for (int j = 0; j < extents.ny; ++j)
                for (int i = 0; i < extents.nx; ++i) whole.push_back(x(i, j));
            const std::vector<double> expected = plain.product(whole);
            matrix.subtract_from(v, u, r);
            const std::vector<double> product = grid.to_host(au), residual = grid.to_host(r);
            const GridBlock& b = grid.layout().block();
            std::size_t k = 0;
            for (int j = b.y; j < b.y + b.height; ++j)
                for (int i = b.x; i < b.x + b.width; ++i, ++k) {
                    const double value = expected[std::size_t(j) * extents.nx + i];
                    ASSERT_NEAR(product[k], value, 1e-13) << i << ", " << j;
                    ASSERT_NEAR(residual[k], y(i, j) - value, 1e-13) << i << ", " << j;
                }
            const double left = comm.sum(column_dots(comm, *device, matrix.range(), v, au)[0]),
                         right = comm.sum(column_dots(comm, *device, matrix.range(), u, av)[0]);
            EXPECT_NEAR(left, right, 1e-12);
        }
}

TEST_P(StencilTest, RowSumsAreThoseOfThePlainOperator) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const StencilKind kind : {StencilKind::constant, StencilKind::five, StencilKind::nine})
        for (int periodic = 0; periodic < 4; ++periodic) {
            const PlainOperator plain{{21, 14, bool(periodic & 1), bool(periodic & 2)}, kind};
            const GridExtents& extents = plain.extents;
            const Grid<double> grid(comm, *device, GridBlocks(extents, comm.size()));
            const Stencil<double> matrix = plain.on(grid);
            std::vector<double> expected(std::size_t(extents.nx) * extents.ny);
            for (int j = 0; j < extents.ny; ++j)
                for (int i = 0; i < extents.nx; ++i)
                    for (int c = 0; c < plain.steps(); ++c) {
                        int x = i, y = j;
                        if (!plain.reaches(x, y, c)) continue;
                        const double a = std::abs(plain.coefficient(i, j, c));
                        expected[std::size_t(j) * extents.nx + i] += a;
                        if (c > 0) expected[std::size_t(y) * extents.nx + x] += a;
                    }
            const std::vector<double> sums = grid.to_host(matrix.row_sums());
            const GridBlock& b = grid.layout().block();
            std::size_t k = 0;
            for (int j = b.y; j < b.y + b.height; ++j)
                for (int i = b.x; i < b.x + b.width; ++i, ++k)
                    ASSERT_NEAR(sums[k], expected[std::size_t(j) * extents.nx + i], 1e-13)
                        << i << ", " << j;
        }
}

// With a source of 1, free sides and slopes of 1 on one of them b is area + length of a node.
TEST_P(StencilTest, AreasAndSidesAreThoseOfTheSystem) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64 || device->info().kind != "cpu") GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const GridExtents extents{11, 8};
    const Grid<double> grid(comm, *device, GridBlocks(extents, comm.size()));
    const GridLayout& layout = grid.layout();
    const auto check = [&](auto problem, const char* name) {
        problem.reaction = [](double, double) { return 1.0; };
        problem.source = [](double, double) { return 1.0; };
        problem.conductivity = [](double x, double y) { return 2 + x + y; };
        for (const GridSide side : {west, east, south, north}) {
            problem.sides.fill({0, 1, nullptr});
            problem.sides[side].gamma = [](double, double) { return 1.0; };
            std::vector<double> expected = node_areas(layout, problem);
            const GridBlock& b = layout.block();
            for (const SidePart& part : side_parts(layout, problem, side)) {
                EXPECT_NEAR(std::hypot(part.outward[0], part.outward[1]), 1, 1e-14);
                const double outwards = side < south ? part.outward[0] : part.outward[1];
                EXPECT_GT(side == west || side == south ? -outwards : outwards, 0.5) << name;
                expected[std::size_t(part.j - b.y) * b.width + part.i - b.x] +=
                    part.conductivity * part.length;
            }
            const std::vector<double> b_values =
                grid.to_host(assemble(grid, problem).right_hand_side);
            for (std::size_t k = 0; k < expected.size(); ++k)
                ASSERT_NEAR(b_values[k], expected[k], 1e-13) << name << " " << side << " " << k;
        }
    };
    BoundaryValues plain;
    plain.hx = 0.1;
    plain.hy = 0.2;
    check(plain, "nodes");
    plain.has_cells = true;
    check(plain, "cells");
    MappedBoundaryValues mapped;
    mapped.position = [](int i, int j) {
        return std::array{0.1 * i + 0.004 * i * j, 0.2 * j + 0.03 * std::cos(i) + 0.002 * i * j};
    };
    check(mapped, "mapped");
}

// Rows of A u = b hold where nodes or lines were relaxed last.
TEST_P(StencilTest, RelaxedRowsHold) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const StencilKind kind : {StencilKind::constant, StencilKind::five, StencilKind::nine})
        for (int periodic = 0; periodic < 4; ++periodic) {
            const PlainOperator plain{{22, 14, bool(periodic & 1), bool(periodic & 2)}, kind};
            const auto uncut = periodic == 0   ? GridBlocks::Uncut::neither
                               : periodic == 1 ? GridBlocks::Uncut::x
                                               : GridBlocks::Uncut::y;
            const Grid<double> grid(comm, *device, GridBlocks(plain.extents, comm.size(), uncut));
            Stencil<double> a = plain.on(grid);
            Buffer<double> b = grid.field_of([](int i, int j) { return noise(i, j, 5); }),
                           u = grid.field_of([](int i, int j) { return noise(i, j, 6); }),
                           r = grid.field();
            for (Buffer<double>* const vector : {&b, &u})
                Over(*device, grid.layout().nodes())[*vector] = *vector * a.marker();
            const auto residual = [&](const std::function<bool(int, int)>& is_last) {
                a.subtract_from(b, u, r);
                return grid.greatest(grid.marker(is_last), r);
            };
            using Lines = Stencil<double>::Lines;
            const bool has_four = kind == StencilKind::nine;
            a.relax(b, u, r, false);
            EXPECT_LE(residual([&](int i, int j) {
                          return has_four ? i % 2 == 0 && j % 2 == 1 : (i + j) % 2 == 1;
                      }),
                      1e-13);
            a.relax(b, u, r, true);
            EXPECT_LE(residual([&](int i, int j) {
                          return has_four ? i % 2 == 0 && j % 2 == 0 : (i + j) % 2 == 0;
                      }),
                      1e-13);
            for (const bool backwards : {false, true}) {
                a.relax_lines(Lines::along_x, b, u, r, backwards);
                EXPECT_LE(residual([&](int, int j) { return (j % 2 == 1) != backwards; }), 1e-12)
                    << "along x, periodic " << periodic;
                a.relax_lines(Lines::along_y, b, u, r, backwards);
                EXPECT_LE(residual([&](int i, int) { return (i % 2 == 1) != backwards; }), 1e-12)
                    << "along y, periodic " << periodic;
            }
        }
}

// The greatest error of U on a grid of n times m nodes on the unit square, by conjugate gradients.
double error_on(Device& device, int n, const std::array<std::array<double, 2>, 4>& conditions,
                int periodic, bool has_cells = false) {
    const Communicator comm = Communicator::world();
    using std::numbers::pi;
    const auto exact = [&](double x, double y) {
        return std::sin(2 * pi * x + 0.3) * std::cos(2 * pi * y - 0.2);
    };
    const auto k = [](double x, double y) {
        return 1.5 + std::sin(2 * pi * x) * std::sin(2 * pi * y) / 2;
    };
    const bool px = periodic & 1, py = periodic & 2;
    const int beside = has_cells ? 0 : 1;
    const GridExtents extents{px ? n : n + beside, py ? n : n + beside, px, py};
    const Grid<double> grid(comm, device, GridBlocks(extents, comm.size()));
    BoundaryValues problem;
    problem.hx = problem.hy = 1.0 / n;
    problem.has_cells = has_cells;
    const double first = has_cells ? 0.5 / n : 0;
    problem.x0 = problem.y0 = first;
    problem.conductivity = k;
    problem.reaction = [](double, double) { return 1.0; };
    problem.source = [&](double x, double y) {
        const double a = 2 * pi * x + 0.3, b = 2 * pi * y - 0.2, w = 2 * pi;
        const double kx = w * std::cos(w * x) * std::sin(w * y) / 2,
                     ky = w * std::sin(w * x) * std::cos(w * y) / 2;
        const double ux = w * std::cos(a) * std::cos(b), uy = -w * std::sin(a) * std::sin(b);
        return 2 * w * w * k(x, y) * exact(x, y) - kx * ux - ky * uy + exact(x, y);
    };
    for (int s = 0; s < 4; ++s) {
        const double alpha = conditions[s][0], beta = conditions[s][1];
        const double nx = s == west ? -1 : s == east ? 1 : 0;
        const double ny = s == south ? -1 : s == north ? 1 : 0;
        problem.sides[s] = {alpha, beta, [=](double x, double y) {
                                const double a = 2 * pi * x + 0.3, b = 2 * pi * y - 0.2;
                                const double ux = 2 * pi * std::cos(a) * std::cos(b),
                                             uy = -2 * pi * std::sin(a) * std::sin(b);
                                return alpha * exact(x, y) + beta * (nx * ux + ny * uy);
                            }};
    }
    auto [matrix, right, given, is_singular, kept, imbalance, load, floating] =
        assemble(grid, problem);
    EXPECT_FALSE(is_singular);
    ConjugateGradients<double> cg(comm, matrix);
    Buffer<double> u = grid.field();
    const SolveReport report =
        cg.solve(matrix.marker(), right, u, {.tolerance = 1e-10, .max_iterations = 2000});
    EXPECT_TRUE(report.converged()) << report.explanation();
    const auto values = grid.to_host(u), fixed = grid.to_host(given);
    const GridBlock& b = grid.layout().block();
    double most = 0;
    std::size_t at = 0;
    for (int j = b.y; j < b.y + b.height; ++j)
        for (int i = b.x; i < b.x + b.width; ++i, ++at)
            most = std::max(most, std::abs(values[at] + fixed[at] -
                                           exact(first + double(i) / n, first + double(j) / n)));
    return comm.max(most);
}

TEST_P(StencilTest, ErrorsAreOfSecondOrder) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const bool is_slow = device->info().is_software;
    constexpr std::array<double, 2> value{2, 0}, slope{0, 0.5}, both{1, 0.5};
    struct Case {
        const char* name;
        std::array<std::array<double, 2>, 4> sides;
        int periodic;
    };
    for (const auto& [name, sides, periodic] : {Case{"values", {value, value, value, value}, 0},
                                                {"slopes", {slope, slope, slope, slope}, 0},
                                                {"both", {both, both, both, both}, 0},
                                                {"mixed", {value, slope, both, value}, 0},
                                                {"periodic in x", {value, value, value, both}, 1},
                                                {"periodic", {value, value, value, value}, 3}}) {
        if (is_slow && periodic != 1) continue;
        for (const bool has_cells : {false, true}) {
            const double coarse = error_on(*device, 16, sides, periodic, has_cells),
                         fine = error_on(*device, 32, sides, periodic, has_cells);
            EXPECT_GT(std::log2(coarse / fine), 1.8)
                << name << (has_cells ? ", cells: " : ": ") << coarse << ", " << fine;
            EXPECT_LT(fine, 0.05) << name;
        }
    }
}

// v . A w = w . A v with every condition; a constant is a solution where nothing flows.
TEST_P(StencilTest, ConditionsKeepOperatorsSymmetric) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const Grid<double> grid(comm, *device, GridBlocks({23, 18}, comm.size()));
    const std::array<SideCondition, 4> all{
        SideCondition{1, 0, nullptr}, {0, 1, nullptr}, {1, 0.5, nullptr}, {0, 2, nullptr}};
    BoundaryValues problem;
    problem.conductivity = [](double x, double y) { return 2 + std::sin(3 * x + y * y); };
    problem.is_land = [](int i, int j) { return std::abs(i - 11) + std::abs(j - 9) < 4; };
    MappedBoundaryValues mapped;
    mapped.position = [](int i, int j) {
        return std::array{i + 0.2 * std::sin(0.7 * j), j + 0.1 * i + 0.2 * std::cos(0.5 * i)};
    };
    mapped.conductivity = problem.conductivity;
    const auto x = [](int i, int j) { return noise(i, j, 20); };
    const auto y = [](int i, int j) { return noise(i, j, 21); };
    const auto check = [&](Stencil<double>& a, bool nothing_flows) {
        Buffer<double> v = grid.field_of(x), w = grid.field_of(y), av = grid.field(),
                       aw = grid.field();
        for (Buffer<double>* const vector : {&v, &w})
            Over(*device, grid.layout().nodes())[*vector] = *vector * a.marker();
        a.apply(v, av);
        a.apply(w, aw);
        EXPECT_NEAR(grid.dot(a.marker(), v, aw), grid.dot(a.marker(), w, av), 1e-11);
        EXPECT_GT(grid.dot(a.marker(), v, av), 1);
        if (!nothing_flows) return;
        Buffer<double> one = grid.field();
        device->copy(a.marker(), one);
        a.apply(one, av);
        EXPECT_LE(grid.greatest(a.marker(), av), 1e-13);
    };
    for (const bool nothing_flows : {false, true}) {
        problem.sides = mapped.sides = all;
        if (nothing_flows) problem.sides.fill({0, 1, nullptr});
        mapped.sides = problem.sides;
        for (const bool has_cells : {false, true}) {
            problem.has_cells = has_cells;
            auto system = assemble(grid, problem);
            EXPECT_EQ(system.is_singular, nothing_flows);
            check(system.matrix, nothing_flows);
        }
        for (const bool has_land : {false, true}) {
            if (has_land)
                mapped.is_part = [](int i, int j) {
                    return std::abs(i - 11) + std::abs(j - 9) >= 4;
                };
            mapped.land = nothing_flows ? SideCondition{0, 1, nullptr} : SideCondition{1, 0.2, {}};
            auto system = assemble(grid, mapped);
            EXPECT_EQ(system.is_singular, nothing_flows);
            check(system.matrix, nothing_flows);
        }
    }
}

// On a line of the grid, where k jumps from 1 to 10, a face has a half of each.
TEST_P(StencilTest, CoefficientsMayJumpOnLines) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const Grid<float> grid(comm, *device, GridBlocks({12, 12}, comm.size()));
    const GridBlock& b = grid.layout().block();
    for (const bool is_across : {false, true}) {
        BoundaryValues problem;
        problem.sides.fill({0, 1, nullptr});
        problem.conductivity = [&](double x, double y) { return (is_across ? x : y) < 4 ? 1 : 10; };
        const auto system = assemble(grid, problem);
        const std::vector<double> straight = grid.to_host(system.matrix.straight());
        const std::size_t size = straight.size() / 3;
        std::size_t k = 0;
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i, ++k) {
                if (i == 0 || j == 0 || i > 9 || j > 9) continue;
                const int at = is_across ? i : j;
                const double along = at < 4 ? 1 : at == 4 ? 5.5 : 10, across = at < 4 ? 1 : 10;
                ASSERT_EQ(straight[size + k], -(is_across ? across : along)) << i << ", " << j;
                ASSERT_EQ(straight[2 * size + k], -(is_across ? along : across));
            }
    }
}

// Where a plain grid is mapped to itself the operators are the same; a linear function is exact on
// any grid.
TEST_P(StencilTest, MappedGridsHaveTheMetricOfTheirCells) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const Grid<double> grid(comm, *device, GridBlocks({17, 14}, comm.size()));
    const auto linear = [](double x, double y) { return 1 + 2 * x - 3 * y; };
    BoundaryValues plain;
    plain.hx = 0.5;
    plain.hy = 0.25;
    MappedBoundaryValues mapped;
    mapped.position = [](int i, int j) { return std::array{0.5 * i, 0.25 * j}; };
    plain.sides = mapped.sides = {
        SideCondition{1, 0.5, linear}, {1, 0, linear}, {0, 1, linear}, {2, 1, linear}};
    plain.source = mapped.source = linear;
    const auto expected = assemble(grid, plain), same = assemble(grid, mapped);
    const auto compare = [&](const Buffer<double>& a, const Buffer<double>& b) {
        const auto one = grid.to_host(a), other = grid.to_host(b);
        ASSERT_EQ(one.size(), other.size());
        for (std::size_t k = 0; k < one.size(); ++k) ASSERT_NEAR(one[k], other[k], 1e-13);
    };
    compare(expected.matrix.straight(), same.matrix.straight());
    compare(expected.right_hand_side, same.right_hand_side);
    compare(expected.given, same.given);
    EXPECT_EQ(same.matrix.kind(), StencilKind::five);

    mapped.position = [](int i, int j) {
        return std::array{0.5 * i + 0.2 * std::sin(0.7 * j), 0.25 * j + 0.1 * std::cos(0.5 * i)};
    };
    mapped.source = nullptr;
    mapped.sides.fill({1, 0, linear});
    auto system = assemble(grid, mapped);
    Buffer<double> u = grid.field_of([&](int i, int j) {
        const auto at = mapped.position(i, j);
        return linear(at[0], at[1]);
    }),
                   r = grid.field();
    Over(*device, grid.layout().nodes())[u] = u * system.matrix.marker();
    system.matrix.subtract_from(system.right_hand_side, u, r);
    EXPECT_LE(grid.greatest(system.matrix.marker(), r), 1e-12);

    // with values on the shore of land, too
    mapped.is_part = [](int i, int j) { return i < 5 || i > 8 || j < 4 || j > 6; };
    mapped.land = {1, 0, linear};
    auto round_land = assemble(grid, mapped);
    Buffer<double> kept = grid.field();
    device->copy(round_land.kept, kept);
    EXPECT_EQ(grid.dot(kept, kept, kept), 15 * 12 - 5 * 4);
    Over(*device, grid.layout().nodes())[u] = u * round_land.matrix.marker();
    round_land.matrix.subtract_from(round_land.right_hand_side, u, r);
    EXPECT_LE(grid.greatest(round_land.matrix.marker(), r), 1e-12);
    mapped.is_part = nullptr;

    mapped.position = [](int i, int j) { return std::array{0.5 * i, i == 3 ? 0.0 : 0.25 * j}; };
    try {
        assemble(grid, mapped);
        FAIL() << "a cell without an area";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("cell (2, 0) of the mapped grid"),
                  std::string::npos)
            << error.what();
    }
}

// Where all columns of cells behind one are land, the operator is that of the grid that ends there,
// with the land's condition on its side.
TEST_P(StencilTest, LandEndsTheDomainAtItsShore) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const Grid<double> grid(comm, *device, GridBlocks({17, 14}, comm.size()));
    const Communicator alone = Communicator::self();
    const Grid<double> ends(alone, *device, GridBlocks({11, 14}, 1));
    const auto f = [](double x, double y) { return 1 + x * x - y; };
    MappedBoundaryValues problem;
    problem.position = [](int i, int j) { return std::array{0.5 * i + 0.05 * j, 0.25 * j}; };
    problem.conductivity = [](double x, double y) { return 2 + std::sin(3 * x + y * y); };
    problem.source = problem.reaction = f;
    problem.sides = {SideCondition{1, 0.5, f}, {1, 0, f}, {0, 1, f}, {1, 0, f}};
    problem.land = {2, 0.7, f};
    MappedBoundaryValues ending = problem;
    ending.sides[east] = problem.land;
    problem.is_part = [](int i, int) { return i < 10; };
    const auto with_land = assemble(grid, problem), expected = assemble(ends, ending);
    const GridBlock& b = grid.layout().block();
    const auto compare = [&](const Buffer<double>& a, const Buffer<double>& whole) {
        const auto here = grid.to_host(a), all = ends.to_host(whole);
        const std::size_t size = std::size_t(b.width) * b.height;
        for (std::size_t c = 0; c < here.size() / size; ++c)
            for (int j = 0; j < b.height; ++j)
                for (int i = 0; i < b.width; ++i)
                    ASSERT_NEAR(here[(c * b.height + j) * b.width + i],
                                b.x + i < 11 ? all[(c * 14 + b.y + j) * 11 + b.x + i] : 0, 1e-13)
                        << c << ": " << b.x + i << ", " << b.y + j;
    };
    compare(with_land.matrix.straight(), expected.matrix.straight());
    compare(with_land.matrix.diagonal(), expected.matrix.diagonal());
    compare(with_land.matrix.marker(), expected.matrix.marker());
    compare(with_land.right_hand_side, expected.right_hand_side);
    compare(with_land.given, expected.given);
}

TEST_P(StencilTest, SingularSystemsAndBadConditionsAreTold) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const GridExtents extents{12, 9};
    const Grid<float> grid(comm, *device, GridBlocks(extents, comm.size()));
    BoundaryValues problem;
    EXPECT_FALSE(assemble(grid, problem).is_singular);
    for (SideCondition& side : problem.sides) side = {0, 1, nullptr};
    EXPECT_TRUE(assemble(grid, problem).is_singular);
    problem.sides[east] = {0, 0, nullptr};
    EXPECT_THROW(assemble(grid, problem), InputError);
    problem.sides[east] = {1, -1, nullptr};
    EXPECT_THROW(assemble(grid, problem), InputError);
}

// A signal is heard after a row of nodes.
TEST_P(StencilTest, AssemblyIsBrokenOffWhereItIs) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const GridExtents extents{200, 150};
    const Grid<float> grid(comm, *device, GridBlocks(extents, comm.size()));
    for (const bool is_mapped : {false, true})
        for (const std::size_t at : {1, 5000}) {
            const std::size_t more = test::calls_after_stop(at, [&](const auto& evaluated) {
                const auto k = [&](double, double) {
                    evaluated();
                    return 2.0;
                };
                BoundaryValues plain;
                plain.conductivity = k;
                MappedBoundaryValues mapped;
                mapped.position = [](int i, int j) { return std::array{double(i), double(j)}; };
                mapped.conductivity = k;
                if (is_mapped)
                    assemble(grid, mapped);
                else
                    assemble(grid, plain);
            });
            EXPECT_LT(more, 2000u) << is_mapped << ' ' << at;
        }
}

// Walls of land cells make three parts: the columns of nodes from 0 to 8, where the west gives U,
// from 9 to 16 and from 17 to 25. The last is cut through along x, too, and connected across the
// periodic sides alone.
TEST_P(StencilTest, PartsThatNothingHoldsAreFound) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const GridExtents extents{26, 18, false, true};
    const Grid<float> grid(comm, *device, GridBlocks(extents, comm.size()));
    const GridBlock& b = grid.layout().block();
    MappedBoundaryValues problem;
    problem.position = [](int i, int j) { return std::array<double, 2>{double(i), double(j)}; };
    problem.sides.fill({0, 1, nullptr});
    problem.sides[west] = {1, 0, nullptr};
    problem.is_part = [](int i, int j) {
        return i != 8 && i != 16 && !(i > 16 && (j + 18) % 18 == 9);
    };
    // rows 9 and 10 of the last part have half an area: 9.5 rows with a source, 7.5 with a sink
    problem.source = [](double x, double y) { return x < 17 ? 3 : y < 9.5 ? 1 : -9.5 / 7.5; };
    const auto part_of = [](int i) { return i < 9 ? 0 : i < 17 ? 1 : 2; };
    const auto sums_of = [&](const std::vector<double>& values) {
        std::array<double, 3> sums{};
        std::size_t k = 0;
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i) sums[part_of(i)] += values[k++];
        comm.sum(std::span<double>(sums));
        return sums;
    };
    const auto check = [&](bool is_west_held, bool is_middle_held) {
        const auto system = assemble(grid, problem);
        const FloatingParts& floating = system.floating;
        std::vector<int> number{0, 1, 2};  // by part
        std::vector<FloatingPart> expected{{0, 0, 9 * 18, 3 * 8 * 18, 3 * 8 * 18},
                                           {9, 0, 8 * 18, 3 * 7 * 18, 3 * 7 * 18},
                                           {17, 0, 9 * 18, 0, 8 * 2 * 9.5}};
        if (is_middle_held) {
            expected.erase(expected.begin() + 1);
            number = {0, -1, 1};
        }
        if (is_west_held) {
            expected.erase(expected.begin());
            for (int& n : number) n = std::max(n - 1, -1);
        }
        EXPECT_EQ(system.is_singular, !is_west_held && !is_middle_held);
        ASSERT_EQ(floating.parts.size(), expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n) {
            const FloatingPart &part = floating.parts[n], &its = expected[n];
            EXPECT_EQ(part.i, its.i);
            EXPECT_EQ(part.j, its.j);
            EXPECT_EQ(part.nodes, its.nodes);
            EXPECT_NEAR(part.imbalance, its.imbalance, 1e-10);
            EXPECT_NEAR(part.load, its.load, 1e-10);
        }
        Buffer<float> u = grid.field_of([](int i, int j) { return i + 10 * j; });
        floating.remove_means(grid, u);
        const auto right = sums_of(grid.to_host(system.right_hand_side)),
                   rest = sums_of(grid.to_host(u));
        for (int part = 0; part < 3; ++part) {
            if (number[part] < 0) {
                EXPECT_GT(right[part], 1);
                EXPECT_GT(rest[part], 1);
            } else {
                EXPECT_NEAR(right[part], 0, 1e-3);
                EXPECT_NEAR(rest[part], 0, 1e-2);
            }
        }
        std::size_t k = 0;
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i)
                ASSERT_EQ(floating.of_node[k++], number[part_of(i)]) << i << ", " << j;
    };
    check(true, false);
    problem.reaction = [](double x, double) { return x > 8.5 && x < 16.5 ? 1 : 0; };
    check(true, true);
    problem.sides[west] = {0, 1, nullptr};
    check(false, true);
    problem.reaction = nullptr;
    check(false, false);
    // all in one part
    problem.is_part = [](int i, int j) { return i != 8 || (j + 18) % 18 == 5; };
    EXPECT_TRUE(assemble(grid, problem).is_singular);
    EXPECT_TRUE(assemble(grid, problem).floating.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, StencilTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::stencil_test

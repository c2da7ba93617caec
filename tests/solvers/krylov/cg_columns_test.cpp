// Conjugate gradients on one matrix with several right-hand sides, column by column against a solve
// of that column alone: on every device and on several ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "device/expression.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"

namespace solenoid::cg_columns_test {
namespace {

// M, or a multiple of it, as a preconditioner that is no diagonal.
template <class Real>
class Scaling final : public Preconditioner<Real> {
  public:
    Scaling(const Communicator& comm, const Range& range, Device& device, double factor)
        : comm_(comm), over_(device, range), factor_(factor) {}
    double apply(const Buffer<Real>& r, Buffer<Real>& z) override {
        over_[z] = factor_ * r;
        return over_.dot(comm_, r, z);
    }

  private:
    const Communicator& comm_;
    Over over_;
    double factor_;
};

enum class Kinds { jacobi, other, mixed, both };

// Over the cells of a box: differences with neighbours, and a shift, one of all columns or one of
// each; some rows are fixed.
template <class Real>
struct Cells {
    Cells(Device& device, int columns, bool has_own_shifts)
        : comm(Communicator::world()),
          device(device),
          mesh(distribute(comm, comm.is_root()
                                    ? std::optional(box_mesh({.dimension = 2, .cells = 900}))
                                    : std::nullopt)),
          ranges(mesh.range(Kind::cell)),
          columns(columns),
          has_own_shifts(has_own_shifts) {
        const Mesh& m = mesh.mesh;
        for (Index c = 0; c < ranges.owned; ++c) {
            for (int j = 0; j <= m.dimension; ++j) {
                const Index f = entity_of(m.cell_faces(c, j)), other = m.face_cells(f, 0) == c
                                                                           ? m.face_cells(f, 1)
                                                                           : m.face_cells(f, 0);
                if (other == none) continue;
                neighbours.index.push_back(other);
                weights.push_back(1.5 + test::random_value(test::key_of(m, Kind::face, f), 1));
            }
            neighbours.start.push_back(static_cast<Index>(neighbours.index.size()));
        }
    }
    GraphLaplacian<Real> matrix(int count) {
        return {comm, device, ranges, mesh.halo(Kind::cell), neighbours, weights, count};
    }
    Buffer<Real> vectors(const std::vector<double>& values, int count) {
        const std::vector<Real> rounded(values.begin(), values.end());
        return device.template buffer<Real>(std::span<const Real>(rounded), count);
    }
    double at(Index c, int seed) const {
        return test::random_value(test::key_of(mesh.mesh, Kind::cell, c), seed);
    }
    bool is_free(Index c) const { return mesh.mesh.cell_number[c] % 41 != 3; }
    std::vector<double> shift(int k) const {
        return std::vector<double>(ranges.owned, shifts[has_own_shifts ? k : 0]);
    }
    std::vector<double> inverse(int k) const {
        std::vector<double> result(ranges.all, 0.0);
        for (Index c = 0; c < ranges.owned; ++c) {
            double sum = shift(k)[c];
            for (Index j = neighbours.start[c]; j < neighbours.start[c + 1]; ++j) sum += weights[j];
            result[c] = is_free(c) ? 1 / sum : 0;
        }
        return result;
    }
    void set(GraphLaplacian<Real>& matrix, int first, int count) {
        std::vector<double> values, free;
        for (int k = first; k < first + (has_own_shifts ? count : 1); ++k)
            for (const double value : shift(k)) values.push_back(value);
        matrix.shift() = vectors(values, has_own_shifts ? count : 1);
        for (Index c = 0; c < ranges.owned; ++c) free.push_back(is_free(c));
        matrix.free().upload(std::vector<Real>(free.begin(), free.end()));
    }

    Communicator comm;
    Device& device;
    DistributedMesh mesh;
    EntityRanges ranges;
    int columns;
    bool has_own_shifts;
    Rows neighbours;
    std::vector<double> weights;
    std::array<double, 3> shifts{0.01, 0.3, 2};
};

template <class Real>
struct Solved {
    std::vector<SolveReport> reports;
    std::vector<std::vector<Real>> x;  // of each column, all entities
};

// b, x: of each column. The columns from `first` on, `count` of them in one solve.
template <class Real>
void solve(Cells<Real>& cells, Kinds kinds, const std::vector<std::vector<double>>& b,
           const std::vector<std::vector<double>>& guess, const CgSettings& settings, int first,
           int count, Solved<Real>& result) {
    GraphLaplacian<Real> matrix = cells.matrix(count);
    cells.set(matrix, first, count);
    ConjugateGradients<Real> cg(cells.comm, matrix);
    std::vector<Buffer<Real>> inverse;
    std::vector<std::unique_ptr<Preconditioner<Real>>> made;
    std::vector<Preconditioner<Real>*> preconditioners;
    std::vector<double> right, left;
    for (int k = first; k < first + count; ++k)
        inverse.push_back(cells.vectors(cells.inverse(k), 1));
    for (int k = first; k < first + count; ++k) {
        const double factor = 1 + 0.5 * k;
        if (kinds == Kinds::jacobi || (kinds == Kinds::both && k == 1))
            made.push_back(std::make_unique<DiagonalPreconditioner<Real>>(inverse[k - first]));
        else if (kinds == Kinds::mixed) {
            if constexpr (std::is_same_v<Real, double>)
                made.push_back(std::make_unique<SinglePreconditioner>(
                    cells.device, std::make_unique<Scaling<float>>(cells.comm, matrix.range(),
                                                                   cells.device, factor)));
        } else
            made.push_back(
                std::make_unique<Scaling<Real>>(cells.comm, matrix.range(), cells.device, factor));
        preconditioners.push_back(made.back().get());
        right.insert(right.end(), b[k].begin(), b[k].end());
        left.insert(left.end(), guess[k].begin(), guess[k].end());
    }
    const auto given = cells.vectors(right, count);
    auto x = cells.vectors(left, count);
    for (const SolveReport& report : cg.solve(preconditioners, given, x, settings))
        result.reports.push_back(report);
    const std::vector<Real> values = x.download();
    for (int k = 0; k < count; ++k)
        result.x.emplace_back(values.begin() + k * cells.ranges.all,
                              values.begin() + (k + 1) * cells.ranges.all);
}

// All columns at once are what each is alone: bit by bit on one rank.
template <class Real>
Solved<Real> expect_columns(Cells<Real>& cells, Kinds kinds,
                            const std::vector<std::vector<double>>& b,
                            const std::vector<std::vector<double>>& guess,
                            const CgSettings& settings) {
    Solved<Real> together, alone;
    solve(cells, kinds, b, guess, settings, 0, cells.columns, together);
    for (int k = 0; k < cells.columns; ++k) solve(cells, kinds, b, guess, settings, k, 1, alone);
    const double most = cells.comm.size() == 1 ? 0 : std::is_same_v<Real, double> ? 1e-12 : 1e-5;
    for (int k = 0; k < cells.columns; ++k) {
        EXPECT_EQ(together.reports[k].outcome, alone.reports[k].outcome) << k;
        EXPECT_EQ(together.reports[k].iterations, alone.reports[k].iterations) << k;
        EXPECT_NEAR(together.reports[k].residual, alone.reports[k].residual, most) << k;
        if (together.reports[k].outcome == SolveOutcome::broken_down) continue;
        double largest = 0, difference = 0;
        for (Index c = 0; c < cells.ranges.owned; ++c) {
            largest = std::max<double>(largest, std::abs(alone.x[k][c]));
            difference = std::max<double>(difference, std::abs(together.x[k][c] - alone.x[k][c]));
        }
        EXPECT_LE(difference, most * largest) << k;
    }
    return together;
}

// Zero on fixed rows, as what an operator gives.
template <class Real>
std::vector<std::vector<double>> right_hand_sides(const Cells<Real>& cells) {
    std::vector<std::vector<double>> b(cells.columns, std::vector<double>(cells.ranges.all, 0.0));
    for (int k = 0; k < cells.columns; ++k)
        for (Index c = 0; c < cells.ranges.owned; ++c)
            if (cells.is_free(c)) b[k][c] = std::pow(100, k) * cells.at(c, 7 + k);
    return b;
}
template <class Real>
std::vector<std::vector<double>> zeros(const Cells<Real>& cells) {
    return {std::size_t(cells.columns), std::vector<double>(cells.ranges.all, 0.0)};
}

class CgColumns : public testing::TestWithParam<std::string> {
  protected:
    const std::unique_ptr<Device> device_ = test::make_device(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Devices, CgColumns, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

TEST_P(CgColumns, AreSolvedAsIfAlone) {
    for (const int columns : {2, 3})
        for (const bool has_own_shifts : {false, true})
            for (const Kinds kinds : {Kinds::jacobi, Kinds::other, Kinds::mixed, Kinds::both}) {
                if (columns == 2 && kinds != Kinds::both) continue;
                // each of both with every device
                if (GetParam() != "cpu" && has_own_shifts != (int(kinds) % 2 == 1)) continue;
                Cells<double> cells(*device_, columns, has_own_shifts);
                SCOPED_TRACE(std::to_string(columns) + " columns, " +
                             (has_own_shifts ? "own shifts, " : "one shift, ") + "preconditioner " +
                             std::to_string(int(kinds)));
                const auto together = expect_columns(cells, kinds, right_hand_sides(cells),
                                                     zeros(cells), {1e-11, 2000});
                for (const SolveReport& report : together.reports) {
                    EXPECT_TRUE(report.converged()) << report.explanation();
                    EXPECT_GT(report.iterations, 8);
                }
                if (has_own_shifts) {
                    EXPECT_GT(together.reports[0].iterations, together.reports[1].iterations + 10);
                }
            }
    Cells<float> single(*device_, 2, false);
    for (const Kinds kinds : {Kinds::jacobi, Kinds::other})
        expect_columns(single, kinds, right_hand_sides(single), zeros(single), {1e-4, 2000});
}

TEST_P(CgColumns, StartFromZeroWhateverIsGiven) {
    for (const Kinds kinds : {Kinds::jacobi, Kinds::mixed}) {
        Cells<double> cells(*device_, 3, false);
        const auto b = right_hand_sides(cells);
        Solved<double> expected, found;
        solve(cells, kinds, b, zeros(cells), {1e-11, 2000}, 0, 3, expected);
        solve(cells, kinds, b, b, {.tolerance = 1e-11, .max_iterations = 2000, .from_zero = true},
              0, 3, found);
        for (int k = 0; k < 3; ++k) {
            EXPECT_TRUE(found.reports[k].converged());
            EXPECT_EQ(found.reports[k].iterations, expected.reports[k].iterations);
            for (Index c = 0; c < cells.ranges.owned; ++c)
                ASSERT_NEAR(found.x[k][c], expected.x[k][c], 1e-9 * std::pow(100, k)) << c;
        }
    }
}

// One column is zero, one starts from its answer to some digits, one needs every iteration.
TEST_P(CgColumns, EndWhenTheyHaveConverged) {
    Cells<double> cells(*device_, 3, false);
    auto b = right_hand_sides(cells);
    for (double& value : b[1]) value = 0;
    auto guess = zeros(cells);
    for (double& value : guess[1]) value = 5;
    Solved<double> before;
    solve(cells, Kinds::jacobi, b, guess, {1e-7, 2000}, 0, 3, before);
    for (Index c = 0; c < cells.ranges.all; ++c) guess[2][c] = before.x[2][c];
    for (const Kinds kinds : {Kinds::jacobi, Kinds::other, Kinds::mixed}) {
        const auto now = expect_columns(cells, kinds, b, guess, {1e-9, 2000});
        EXPECT_EQ(now.reports[1].iterations, 0);
        for (Index c = 0; c < cells.ranges.owned; ++c) ASSERT_EQ(now.x[1][c], 0);
        EXPECT_LT(now.reports[2].iterations, now.reports[0].iterations / 2);
        EXPECT_GT(now.reports[2].iterations, 0);
        for (const SolveReport& report : now.reports) EXPECT_LE(report.residual, 1e-9);
        const SolveReport whole = slowest(now.reports);
        EXPECT_TRUE(whole.converged());
        EXPECT_EQ(whole.iterations, now.reports[0].iterations);
        EXPECT_GE(whole.residual, now.reports[2].residual);
    }
}

// What breaks down or stops in one column leaves the others alone.
TEST_P(CgColumns, FailByThemselves) {
    Cells<double> cells(*device_, 3, true);
    auto b = right_hand_sides(cells);
    cells.shifts = {0.3, -9, 2};
    const auto indefinite = expect_columns(cells, Kinds::jacobi, b, zeros(cells), {1e-11, 2000});
    EXPECT_EQ(indefinite.reports[1].outcome, SolveOutcome::broken_down);
    EXPECT_TRUE(indefinite.reports[0].converged());
    EXPECT_TRUE(indefinite.reports[2].converged());
    EXPECT_EQ(slowest(indefinite.reports).outcome, SolveOutcome::broken_down);
    cells.shifts = {0.3, 0.3, 2};
    if (cells.comm.is_root()) b[2][7] = std::nan("");
    const auto infinite = expect_columns(cells, Kinds::jacobi, b, zeros(cells), {1e-11, 2000});
    EXPECT_TRUE(infinite.reports[0].converged());
    EXPECT_TRUE(infinite.reports[1].converged());
    EXPECT_EQ(infinite.reports[2].outcome, SolveOutcome::broken_down);
    EXPECT_EQ(infinite.reports[2].iterations, 0);
    b[2] = b[1];
    const auto few = expect_columns(cells, Kinds::other, b, zeros(cells), {1e-11, 20});
    EXPECT_EQ(few.reports[0].outcome, SolveOutcome::out_of_iterations);
    EXPECT_EQ(slowest(few.reports).iterations, 20);
    expect_columns(cells, Kinds::mixed, b, zeros(cells), {1e-24, 2000});
}

}  // namespace
}  // namespace solenoid::cg_columns_test

// Restarts from the true residual, of a recurrence that does what the test says.
#include "solvers/krylov/true_residual.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/choice/select_device.hpp"
#include "device/expression.hpp"

namespace solenoid::true_residual_test {
namespace {

// A descent: what becomes of the true residual, and what the recurrence takes it for.
struct Told {
    double factor;
    bool is_whole = true;
    double claims = 1;  // times the true one
};

// On the matrix A = 2.
class Scripted final : public Recurrence<double> {
  public:
    explicit Scripted(std::vector<Told> told)
        : told_(std::move(told)),
          device(make_cpu_device()),
          matrix(*device, {0, 8}, 8, 1,
                 [this](Buffer<double>& x, Buffer<double>& y) {
                     ++products;
                     all()[y] = 2 * x;
                 }),
          r_(matrix.vector()),
          sums_(comm_),
          solver_(sums_, matrix, *this) {}

    SolveReport solve(const std::vector<double>& b, std::vector<double>& x,
                      const CgSettings& settings) {
        auto right = device->buffer<double>(std::span<const double>(b)),
             left = device->buffer<double>(std::span<const double>(x));
        const auto reports = solver_.solve(right, left, settings);
        EXPECT_EQ(reports.size(), 1u);
        x = left.download();
        return reports.front();
    }

    int systems() const override { return 1; }
    Buffer<double>& residual() override { return r_; }
    ColumnSums norms(const Buffer<double>& v) override {
        return {std::sqrt(all().dot(ThisRank(), v, v))};
    }
    ColumnSums true_residual(const Buffer<double>& b, Buffer<double>& x,
                             Buffer<double>& r) override {
        return {std::sqrt(matrix.residual(ThisRank(), b, x, r)[0])};
    }
    void iterate(Buffer<double>& x, std::span<SystemSolve> systems, int,
                 const Inspection& inspect) override {
        ASSERT_LT(descents, int(told_.size()));
        const Told& now = told_[descents++];
        SystemSolve& s = systems[0];
        const double before = std::sqrt(all().dot(ThisRank(), r_, r_));
        EXPECT_NEAR(before, s.residual, 1e-14 * s.residual);
        all()[x] += 0.5 * (1 - now.factor) * r_;
        ++s.report.iterations;
        s.is_whole = now.is_whole;
        s.drift = {1, before, now.claims * now.factor * before, 0.5, true};
        inspected.push_back(inspect(systems));
    }
    bool changes(int, bool, bool is_slow) override { return is_slow && changes_left-- > 0; }

  private:
    const std::vector<Told> told_;
    Communicator comm_ = Communicator::self();

  public:
    std::unique_ptr<Device> device;
    FunctionOperator<double> matrix;
    int products = 0, descents = 0, changes_left = 0;
    std::vector<bool> inspected;

  private:
    Over all() const { return {*device, {0, 8}}; }
    Buffer<double> r_;
    AgreedSums sums_;
    TrueResidual<double> solver_;
};

const std::vector<double> b{1, -2, 3, 0.5, 4, -1, 2, 0.25};
std::vector<double> guess() { return std::vector<double>(8, 7.0); }

TEST(TrueResidual, RestartsUntilItMeetsTheTarget) {
    for (const bool from_zero : {false, true}) {
        Scripted s({{1e-3}, {1e-3}, {1e-3}, {1e-3}, {1e-3}});
        std::vector<double> x = guess();
        const auto report = s.solve(b, x, {.tolerance = 2e-9, .from_zero = from_zero});
        EXPECT_TRUE(report.converged());
        // the guess is far off
        EXPECT_EQ(s.descents, from_zero ? 3 : 4);
        EXPECT_EQ(report.iterations, s.descents);
        double square = 0, of_b = 0;
        for (int i = 0; i < 8; ++i) {
            square += std::pow(b[i] - 2 * x[i], 2);
            of_b += b[i] * b[i];
        }
        EXPECT_LE(std::sqrt(square / of_b), 2e-9);
        EXPECT_NEAR(report.residual, std::sqrt(square / of_b), 1e-15);
    }
}

TEST(TrueResidual, GivesUpAfterThreeSlowDescents) {
    for (const int changes : {0, 2}) {
        Scripted s({{1e-2}, {0.9}, {0.4}, {0.9}, {0.9}, {0.9}, {0.9}});
        s.changes_left = changes;
        std::vector<double> x(8, 0.0);
        const auto report = s.solve(b, x, {.tolerance = 1e-8});
        EXPECT_EQ(report.outcome, SolveOutcome::stagnated);
        EXPECT_EQ(s.descents, 5 + changes);
        EXPECT_NEAR(report.residual, 4e-3 * std::pow(0.9, 3 + changes), 1e-12);
    }
    Scripted broken({{0.9, false}, {0.9, false}, {0.9, false}});
    std::vector<double> x(8, 0.0);
    EXPECT_EQ(broken.solve(b, x, {.tolerance = 1e-8}).outcome, SolveOutcome::broken_down);
    Scripted few({{0.1}, {0.1}});
    x.assign(8, 0.0);
    const auto report = few.solve(b, x, {.tolerance = 1e-8, .max_iterations = 2});
    EXPECT_EQ(report.outcome, SolveOutcome::out_of_iterations);
    EXPECT_NEAR(report.residual, 1e-2, 1e-12);
    Scripted infinite(std::vector<Told>{{HUGE_VAL}});
    x.assign(8, 0.0);
    EXPECT_EQ(infinite.solve(b, x, {.tolerance = 1e-8}).outcome, SolveOutcome::broken_down);
}

// Rounding makes them differ by parts in 1e15 here; what meets the target is right all the same.
TEST(TrueResidual, EndsWhereTheRecurrenceHasAnotherResidual) {
    Scripted wrong({{0.1}, {0.1, true, 0.5}, {0.1}});
    std::vector<double> x(8, 0.0);
    const auto report = wrong.solve(b, x, {.tolerance = 1e-8});
    EXPECT_EQ(report.outcome, SolveOutcome::inconsistent);
    EXPECT_EQ(wrong.descents, 2);
    EXPECT_EQ(wrong.inspected, (std::vector<bool>{false, true}));
    EXPECT_NEAR(report.residual, 1e-2, 1e-12);
    EXPECT_NEAR(report.of_recurrence, 5e-3, 1e-12);
    EXPECT_LT(report.most_apart, 1e-13);
    Scripted met(std::vector<Told>{{1e-9, true, 0.5}});
    x.assign(8, 0.0);
    EXPECT_TRUE(met.solve(b, x, {.tolerance = 1e-8}).converged());
}

TEST(TrueResidual, AsksForNoLessThanRounding) {
    Scripted s(std::vector<Told>{{1e-3}});
    std::vector<double> x(8, 0.0);
    EXPECT_TRUE(s.solve(b, x, {.tolerance = 1e-12, .rounding = 1e-2}).converged());
    EXPECT_EQ(s.descents, 1);
    Scripted nothing({});
    x = guess();
    EXPECT_TRUE(nothing.solve(b, x, {.tolerance = 1e-12, .rounding = 1e2}).converged());
    EXPECT_EQ(nothing.products, 0);
    EXPECT_EQ(x, std::vector<double>(8, 0.0));
}

}  // namespace
}  // namespace solenoid::true_residual_test

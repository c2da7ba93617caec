// Solves whose products, messages or sums are made wrong on purpose end as such on every rank;
// solves that rounding alone troubles do not.
#include "solvers/krylov/residual_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/choice/select_device.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/lying_operator.hpp"
#include "solvers/krylov/single_preconditioner.hpp"

namespace solenoid::residual_check_test {
namespace {

using test::CellProblem;
using test::Lie;
using test::LyingOperator;
using test::Plan;

template <class Real>
Buffer<Real> vector_of(Device& device, const std::vector<double>& values) {
    const std::vector<Real> rounded(values.begin(), values.end());
    return device.buffer<Real>(std::span<const Real>(rounded));
}

// z = r, on rank 0 `factor` times that from the application `first` to `last`.
template <class Real>
class Unit final : public Preconditioner<Real> {
  public:
    Unit(const CellProblem& problem, Device& device, int first = 0, int last = -1,
         double factor = 1)
        : comm_(problem.comm),
          over_(device, problem.ranges().owned_range()),
          first_(first),
          last_(problem.comm.is_root() ? last : -1),
          factor_(factor) {}
    double apply(const Buffer<Real>& r, Buffer<Real>& z) override {
        over_[z] = (count_ >= first_ && count_ <= last_ ? factor_ : 1.0) * r;
        ++count_;
        return over_.dot(comm_, r, z);
    }

  private:
    const Communicator& comm_;
    Over over_;
    const int first_, last_;
    const double factor_;
    int count_ = 0;
};

// Every rank has the same report.
SolveReport agreed(const Communicator& comm, const SolveReport& report) {
    for (const double value : {double(report.outcome), double(report.iterations), report.residual,
                               report.of_recurrence}) {
        EXPECT_EQ(comm.min(value), value);
        EXPECT_EQ(comm.max(value), value);
    }
    return report;
}

enum class Precision { single, mixed, full };

template <class Real>
SolveReport solved(const CellProblem& problem, const Plan& plan, bool is_mixed,
                   const CgSettings& settings, const std::vector<double>& b,
                   const std::vector<double>& guess) {
    const auto device = make_cpu_device();
    LyingOperator<Real> matrix(problem, *device, plan);
    ConjugateGradients<Real> cg(problem.comm, matrix);
    const auto right = vector_of<Real>(*device, b);
    auto x = vector_of<Real>(*device, guess);
    if constexpr (std::is_same_v<Real, double>)
        if (is_mixed) {
            SinglePreconditioner mixed(*device, std::make_unique<Unit<float>>(problem, *device));
            return agreed(problem.comm, cg.solve(mixed, right, x, settings));
        }
    Unit<Real> unit(problem, *device);
    return agreed(problem.comm, cg.solve(unit, right, x, settings));
}

SolveReport solved(Precision precision, const CellProblem& problem, const Plan& plan,
                   const CgSettings& settings, const std::vector<double>& b,
                   const std::vector<double>& guess) {
    if (precision == Precision::single)
        return solved<float>(problem, plan, false, settings, b, guess);
    return solved<double>(problem, plan, precision == Precision::mixed, settings, b, guess);
}

void expect_fault(const SolveReport& report, SolveOutcome outcome) {
    EXPECT_EQ(report.outcome, outcome) << report.explanation("pressure");
    EXPECT_TRUE(report.is_fault());
    EXPECT_NE(report.explanation("pressure").find("--transport host"), std::string::npos);
}

// Once, in the middle of a descent, of whose end alone the true residual is computed.
TEST(ResidualCheck, FindsAProductThatIsWrongOnce) {
    const CellProblem problem(10, 0.1);
    const auto b = problem.random(1), zero = problem.random(1, 0);
    for (const Precision precision : {Precision::full, Precision::single, Precision::mixed}) {
        const CgSettings settings{precision == Precision::single ? 1e-4 : 1e-9, 5000};
        EXPECT_TRUE(solved(precision, problem, {}, settings, b, zero).converged());
        for (const Lie lie : {Lie::stale, Lie::off}) {
            // no more than single precision leaves
            if (lie == Lie::off && precision != Precision::full) continue;
            const SolveReport report = solved(precision, problem, {lie, 5, 5}, settings, b, zero);
            expect_fault(report, SolveOutcome::inconsistent);
            EXPECT_GT(std::abs(report.residual - report.of_recurrence), report.most_apart);
            EXPECT_NE(report.explanation().find("inconsistent after"), std::string::npos);
            EXPECT_LT(report.iterations, 420) << int(precision);
        }
    }
}

// Then the recurrence may never meet its target.
TEST(ResidualCheck, FindsProductsThatAreAlwaysWrong) {
    const CellProblem problem(10, 0.1);
    const auto b = problem.random(1), zero = problem.random(1, 0);
    for (const Precision precision : {Precision::full, Precision::single, Precision::mixed}) {
        const SolveReport report =
            solved(precision, problem, {Lie::stale, 3, std::numeric_limits<int>::max()},
                   {precision == Precision::single ? 1e-4 : 1e-9, 100000}, b, zero);
        expect_fault(report, SolveOutcome::inconsistent);
        EXPECT_LT(report.iterations, 420) << int(precision);
    }
}

TEST(ResidualCheck, FindsATrueResidualThatIsWrong) {
    const CellProblem problem(10, 0.1);
    const auto b = problem.random(1), guess = problem.random(2);
    for (const int when : {0, 1}) {  // that of the guess, that of the answer
        const SolveReport report =
            solved(Precision::full, problem, {Lie::off, when, when, true}, {1e-9, 5000}, b, guess);
        expect_fault(report, SolveOutcome::inconsistent);
    }
}

// A step along any direction keeps r = b - A x: that costs iterations, and is no fault of this
// kind. Where p . A p is not a number the true residual is taken anew.
TEST(ResidualCheck, LetsAWrongPreconditionerPass) {
    const CellProblem problem(10, 0.1);
    const auto device = make_cpu_device();
    const auto b = vector_of<double>(*device, problem.random(1));
    const double not_a_number = std::nan("");
    for (const auto& [factor, first, last] :
         {std::tuple(0.3, 5, 5), {40.0, 5, 5}, {not_a_number, 5, 5}, {not_a_number, 5, 1000000}}) {
        LyingOperator<double> matrix(problem, *device, {});
        ConjugateGradients<double> cg(problem.comm, matrix);
        auto x = vector_of<double>(*device, problem.random(1, 0));
        Unit<double> wrong(problem, *device, first, last, factor);
        const SolveReport report = agreed(problem.comm, cg.solve(wrong, b, x, {1e-9, 5000}));
        EXPECT_EQ(report.outcome, last > 5 ? SolveOutcome::broken_down : SolveOutcome::converged)
            << factor << ": " << report.explanation();
    }
}

// Whatever a matrix, its scale, a guess or a tolerance leave to rounding.
TEST(ResidualCheck, RefusesNoHealthySolve) {
    for (const double jump : {1.0, 1e6})
        for (const double shift : {1.0, 1e-7, 0.0})
            for (const double scale : {1e-30, 1.0, 1e30}) {
                const CellProblem problem(jump, shift, scale, 0, 120);
                if (problem.comm.size() > 2 && (scale != 1 || shift == 1)) continue;  // for time
                for (const Precision precision :
                     {Precision::full, Precision::single, Precision::mixed}) {
                    // beyond its range
                    if (precision == Precision::single && jump > 1 && scale > 1) continue;
                    for (const double tolerance : {1e-5, 1e-16})
                        for (const double size : {0.0, 1e3}) {  // of the guess
                            const CgSettings settings{.tolerance = tolerance,
                                                      .max_iterations = 1200 / problem.comm.size()};
                            const SolveReport report =
                                solved(precision, problem, {}, settings, problem.random(1, scale),
                                       problem.random(2, size));
                            EXPECT_FALSE(report.is_fault())
                                << jump << " " << shift << " " << scale << " " << int(precision)
                                << " " << tolerance << " " << size << ": " << report.explanation();
                        }
                }
            }
}

// ---- BiCGStab

SolveReport bicgstab_solved(const CellProblem& problem, const Plan& plan,
                            const CgSettings& settings) {
    const auto device = make_cpu_device();
    LyingOperator<double> matrix(problem, *device, plan);
    FunctionOperator<double> one(*device, matrix.range(), matrix.size(), 1,
                                 [&](Buffer<double>& r, Buffer<double>& z) { device->copy(r, z); });
    Bicgstab<double> bicgstab(problem.comm, matrix, one);
    auto x = matrix.vector();
    return agreed(problem.comm,
                  bicgstab.solve(vector_of<double>(*device, problem.random(1)), x, settings));
}

TEST(ResidualCheck, FindsWrongProductsOfBicgstab) {
    const CellProblem problem(10, 1, 1, 0.4);
    for (const Plan& plan :
         {Plan{Lie::stale, 5, 5}, Plan{Lie::off, 5, 5}, Plan{Lie::stale, 3, 1000000000}}) {
        const SolveReport report = bicgstab_solved(problem, plan, {1e-9, 100000});
        expect_fault(report, SolveOutcome::inconsistent);
        EXPECT_LT(report.iterations, 420);
    }
    for (const double skew : {0.4, 1.0})
        for (const double tolerance : {1e-9, 1e-17})
            EXPECT_FALSE(
                bicgstab_solved(CellProblem(1, 1, 1, skew), {}, {tolerance, 2000}).is_fault());
}

}  // namespace
}  // namespace solenoid::residual_check_test

#include "solvers/krylov/cg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// A right-hand side of such a norm, whose residuals' squares would underflow, is none.
constexpr double underflow = 1e-140;

}  // namespace

void SolveReport::set_inconsistent(const Drift& drift, double true_residual, double bound,
                                   double relative_to) {
    outcome = SolveOutcome::inconsistent;
    residual = true_residual / relative_to;
    of_recurrence = drift.residual / relative_to;
    most_apart = bound / relative_to;
}

std::string SolveReport::explanation(const std::string& solver) const {
    const std::string table = solver.empty() ? "" : "solver." + solver + ".",
                      tolerance = solver.empty() ? "the tolerance" : table + "tolerance";
    constexpr const char* remedy =
        "run with --transport host where messages went through the memory of GPUs, else report the "
        "hardware and its driver";
    switch (outcome) {
        case SolveOutcome::converged:
            return fmt::format("converged in {} iterations, residual {:.2e}", iterations, residual);
        case SolveOutcome::out_of_iterations:
            return fmt::format(
                "not converged in {} iterations, residual {:.2e}: raise {}max_iterations or {}",
                iterations, residual, table, tolerance);
        case SolveOutcome::stagnated:
            return fmt::format(
                "stagnated after {} iterations at the residual {:.2e}: rounding allows no smaller "
                "one; raise {}{}",
                iterations, residual, tolerance,
                in_double ? "" : ", or compute in double precision");
        case SolveOutcome::broken_down:
            return fmt::format(
                "broke down after {} iterations: a value is not finite or the matrix is not "
                "positive definite, as where data of the case (coefficients, speeds, lengths) are "
                "too large or too small for {} precision: take others, as by other units{}",
                iterations, in_double ? "double" : "single",
                in_double ? "" : ", or compute in double precision");
        case SolveOutcome::inconsistent:
            return fmt::format(
                "inconsistent after {} iterations: the residual of the solution is {:.2e}, that of "
                "the recurrence {:.2e}, and rounding makes them differ by at most "
                "{:.2e}: values of another rank, a product or a sum were wrong; {}",
                iterations, residual, of_recurrence, most_apart, remedy);
        case SolveOutcome::ranks_differ:
            return fmt::format(
                "after {} iterations the ranks' sums differ: each got another result of the same "
                "sum over the ranks; {}",
                iterations, remedy);
    }
    return "";
}

SolveReport slowest(std::span<const SolveReport> columns) {
    SolveReport result = columns.front();
    for (const SolveReport& column : columns) {
        if (!column.converged()) return column;
        result.iterations = std::max(result.iterations, column.iterations);
        result.residual = std::max(result.residual, column.residual);
    }
    return result;
}

template <class Real>
ConjugateGradients<Real>::ConjugateGradients(const Communicator& comm, Device& device,
                                             LinearOperator<Real>& matrix)
    : sums_(comm),
      device_(device),
      matrix_(matrix),
      check_(sums_, device, matrix.range(), matrix.size(), matrix.columns(),
             [&matrix](Buffer<Real>& x, Buffer<Real>& y) { matrix.apply_columns(x, y); }),
      recurrence_(sums_, device, matrix) {}

template <class Real>
void ConjugateGradients<Real>::prepare(Preconditioners<Real> preconditioners) {
    std::vector<Preconditioner<Real>*> exact;
    std::vector<Preconditioner<float>*> rounded;
    for (Preconditioner<Real>* one : preconditioners) {
        rounded.push_back(one->rounded());
        if (!rounded.back()) exact.push_back(one);
    }
    if (!exact.empty()) recurrence_.allocate(preconditioners);
    if (exact.size() == preconditioners.size()) return;
    LinearOperator<float>& matrix = matrix_.rounded();
    if (!rounded_) rounded_.emplace(sums_, device_, matrix);
    rounded_->allocate(rounded);
}

template <class Real>
void ConjugateGradients<Real>::prepare(Preconditioner<Real>& preconditioner) {
    Preconditioner<Real>* const one[] = {&preconditioner};
    prepare(Preconditioners<Real>(one));
}

// The columns with their targets, and the residuals of x = 0; that is x where nothing is left to
// solve.
template <class Real>
std::vector<typename ConjugateGradients<Real>::Column> ConjugateGradients<Real>::measured(
    const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings) {
    ColumnSums sums = column_squares(device_, matrix_.range(), b);
    sums_.sum(std::span(sums).first(matrix_.columns()));
    std::vector<Column> columns;
    for (int k = 0; k < matrix_.columns(); ++k) {
        Column& c = columns.emplace_back();
        c.report.in_double = std::is_same_v<Real, double>;
        const double norm = c.residual = std::sqrt(sums[k]);
        c.is_done = !std::isfinite(norm) || norm <= std::max(settings.rounding, underflow);
        if (!std::isfinite(norm))
            c.report.outcome = SolveOutcome::broken_down;
        else if (c.is_done)
            Over(device_, {0, matrix_.size()})[column(x, k)] = 0;
        c.target = std::max(settings.tolerance * norm, settings.rounding);
        c.size = c.target / settings.tolerance;
    }
    return columns;
}

// r = b - A x, and its norm.
template <class Real>
ColumnSums ConjugateGradients<Real>::residuals(const Buffer<Real>& b, Buffer<Real>& x,
                                               Buffer<Real>& r) {
    ColumnSums squares = matrix_.residual_columns(b, x, r);
    sums_.sum(std::span(squares).first(matrix_.columns()));
    for (double& value : squares) value = std::sqrt(value);
    return squares;
}

template <class Real>
void ConjugateGradients<Real>::set_residuals(const Buffer<Real>& b, Buffer<Real>& x,
                                             std::span<Column> columns) {
    const ColumnSums norms = residuals(b, x, recurrence_.residual());
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (!columns[k].is_done) columns[k].residual = norms[k];
}

template <class Real>
void ConjugateGradients<Real>::Column::take(const Descent& descent, int first_iteration) {
    drift = {descent.iterations - first_iteration, descent.scale * descent.largest,
             descent.scale * descent.residual, descent.scale * descent.longest,
             !rounded && std::is_same_v<Real, double>};
}

// Ends the columns whose last descent has left another residual than the true one. Collective.
template <class Real>
void ConjugateGradients<Real>::compare_residuals(const Buffer<Real>& x, std::span<Column> columns) {
    const auto is_apart = [&](const Column& c, double matrix_size) {
        return !c.is_done && c.residual > c.target &&
               c.drift.gap(c.residual) > c.drift.bound(matrix_size, check_.entries());
    };
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const Column& c) { return is_apart(c, 0); }))
        return;
    const ColumnSums sizes = check_.matrix_sizes(x);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        Column& c = columns[k];
        if (!is_apart(c, sizes[k])) continue;
        c.is_done = true;
        c.report.set_inconsistent(c.drift, c.residual, c.drift.bound(sizes[k], check_.entries()),
                                  c.size);
    }
}

// Of columns that have stagnated. Collective.
template <class Real>
void ConjugateGradients<Real>::take_rounding(const Buffer<Real>& x, std::span<Column> columns) {
    const auto has_stagnated = [](const Column& c) {
        return c.report.outcome == SolveOutcome::stagnated;
    };
    if (std::none_of(columns.begin(), columns.end(), has_stagnated)) return;
    constexpr double safety = 4;  // as in residual_check.cpp
    constexpr double most = 100;  // times the tolerance
    const ColumnSums sizes = check_.matrix_sizes(x);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const double rounding = safety * std::numeric_limits<Real>::epsilon() * sizes[k];
        if (has_stagnated(columns[k]) &&
            columns[k].residual <= std::min(rounding, most * columns[k].target))
            columns[k].report.outcome = SolveOutcome::converged;
    }
}

// While a descent goes on: whether it has gone wrong. Changes no vector of it.
template <class Real>
bool ConjugateGradients<Real>::inspect(const Buffer<Real>& b, Buffer<Real>& x,
                                       std::span<const Column> columns) {
    if (!inspected_) inspected_ = device_.buffer<Real>(matrix_.size(), matrix_.columns());
    const ColumnSums norms = residuals(b, x, inspected_);
    std::vector<Column> now(columns.begin(), columns.end());
    for (std::size_t k = 0; k < now.size(); ++k) now[k].residual = norms[k];
    compare_residuals(x, now);
    return std::any_of(now.begin(), now.end(), [](const Column& c) {
        return c.report.outcome == SolveOutcome::inconsistent;
    });
}

// Of the columns that iterate in single precision, or of those that do not. In single precision
// residuals are scaled to one, so that nothing under- or overflows.
template <class Real>
template <class Precision>
void ConjugateGradients<Real>::iterate(CgRecurrence<Precision>& recurrence,
                                       Preconditioners<Precision> preconditioners,
                                       const Buffer<Real>& b, Buffer<Real>& x,
                                       std::span<Column> columns, bool in_single, int most) {
    constexpr double drop = 1e-3;    // below, rounding is too large a part of the residual
    constexpr double margin = 0.98;  // for what the recurrence's residual is off at the end
    std::vector<Descent> descents(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const Column& c = columns[k];
        if (c.is_done || (c.rounded != nullptr) != in_single) continue;
        descents[k] = {.is_wanted = true,
                       .target = c.target,
                       .goes_on = c.goes_on,
                       .iterations = c.report.iterations,
                       .residual = c.residual};
        if (!in_single) continue;
        descents[k].target = std::max(drop, margin * c.target / c.residual);
        descents[k].scale = c.residual;
        descents[k].residual = 1;
        Over(device_, matrix_.range())[column(recurrence.residual(), int(k))] =
            1 / c.residual * column(recurrence_.residual(), int(k));
    }
    if (std::none_of(descents.begin(), descents.end(),
                     [](const Descent& d) { return d.is_wanted; }))
        return;
    const auto wrong = [&](std::span<const Descent> so_far) {
        std::vector<Column> now(columns.begin(), columns.end());
        for (std::size_t k = 0; k < now.size(); ++k) {
            now[k].is_done = !so_far[k].is_wanted;
            now[k].take(so_far[k], columns[k].report.iterations);
        }
        return inspect(b, x, now);
    };
    recurrence.iterate(preconditioners, x, descents, most, wrong);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (!descents[k].is_wanted) continue;
        columns[k].take(descents[k], columns[k].report.iterations);
        columns[k].report.iterations = descents[k].iterations;
        columns[k].is_whole = descents[k].is_whole;
    }
}

template <class Real>
void ConjugateGradients<Real>::iterate(Preconditioners<Real> preconditioners, const Buffer<Real>& b,
                                       Buffer<Real>& x, std::span<Column> columns, int most) {
    std::vector<Preconditioner<float>*> rounded;
    for (const Column& c : columns) rounded.push_back(c.rounded);
    if (rounded_) iterate<float>(*rounded_, rounded, b, x, columns, true, most);
    iterate<Real>(recurrence_, preconditioners, b, x, columns, false, most);
}

// Before a descent: whether there is to be none, as the report then says.
template <class Real>
bool ConjugateGradients<Real>::has_ended(Column& c, int max_iterations) {
    c.report.residual = c.residual / c.size;
    c.report.outcome = SolveOutcome::converged;
    if (c.residual <= c.target) return true;
    c.report.outcome = SolveOutcome::out_of_iterations;
    if (c.report.iterations >= max_iterations) return true;
    c.report.outcome = SolveOutcome::broken_down;
    return !std::isfinite(c.residual);
}

// After a descent from the residual `before`: whether another one may bring it down.
template <class Real>
bool ConjugateGradients<Real>::gets_on(Column& c, double before) {
    if (!std::isfinite(c.residual)) return false;
    if (c.is_whole) c.report.outcome = SolveOutcome::stagnated;
    const bool is_slow = c.residual > 0.5 * before;
    c.goes_on = c.rounded && c.is_whole && !is_slow;
    if (is_slow && c.rounded) {
        c.rounded = nullptr;
    } else if (is_slow && ++c.slow_restarts == 3 && c.residual > c.target) {
        c.report.residual = c.residual / c.size;
        return false;
    }
    return true;
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(Preconditioner<Real>& preconditioner,
                                            const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    Preconditioner<Real>* const one[] = {&preconditioner};
    return solve(Preconditioners<Real>(one), b, x, settings).front();
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(const Buffer<Real>& inverse_diagonal,
                                            const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    DiagonalPreconditioner<Real> jacobi(inverse_diagonal);
    return solve(jacobi, b, x, settings);
}

// The recurrence's residual drifts from the true one: each time it meets the target the true
// residual is computed, and the iteration starts again from it until that meets the target too, or
// no longer falls. So it does where p . A p is not positive: in a singular system that is what
// rounding has put into the null space, and a new start sheds it. In single precision the true
// residual replaces the recurrence's before rounding is a large part of it, and the directions go
// on (van der Vorst & Ye 2000; Clark et al. 2010); where that gets nowhere, double precision takes
// over.
template <class Real>
void ConjugateGradients<Real>::iterate_with_restarts(Preconditioners<Real> preconditioners,
                                                     const Buffer<Real>& b, Buffer<Real>& x,
                                                     const CgSettings& settings,
                                                     std::vector<Column>& columns) {
    columns = measured(b, x, settings);
    const auto any_is_left = [&] {
        return !std::all_of(columns.begin(), columns.end(),
                            [](const Column& c) { return c.is_done; });
    };
    if (any_is_left()) {
        prepare(preconditioners);
        if (settings.from_zero) {
            Over(device_, {0, matrix_.size()})[x] = 0;
            Over(device_, matrix_.range())[recurrence_.residual()] = b;
        } else {
            set_residuals(b, x, columns);
        }
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
        columns[k].rounded = preconditioners[k]->rounded();
    while (any_is_left()) {
        for (Column& c : columns)
            if (!c.is_done) c.is_done = has_ended(c, settings.max_iterations);
        if (!any_is_left()) break;
        std::vector<double> before;
        for (const Column& c : columns) before.push_back(c.residual);
        iterate(preconditioners, b, x, columns, settings.max_iterations);
        set_residuals(b, x, columns);
        compare_residuals(x, columns);
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (!columns[k].is_done) columns[k].is_done = !gets_on(columns[k], before[k]);
    }
    if (settings.takes_rounding) take_rounding(x, columns);
}

template <class Real>
std::vector<SolveReport> ConjugateGradients<Real>::solve(Preconditioners<Real> preconditioners,
                                                         const Buffer<Real>& b, Buffer<Real>& x,
                                                         const CgSettings& settings) {
    std::vector<Column> columns(matrix_.columns());
    try {
        iterate_with_restarts(preconditioners, b, x, settings, columns);
    } catch (const SumsDiffer&) {
        for (Column& c : columns) c.report.outcome = SolveOutcome::ranks_differ;
    }
    std::vector<SolveReport> reports;
    for (const Column& c : columns) reports.push_back(c.report);
    return reports;
}

template class ConjugateGradients<float>;
template class ConjugateGradients<double>;

}  // namespace solenoid

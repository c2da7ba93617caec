#include "solvers/krylov/true_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// A right-hand side of such a norm, whose residuals' squares would underflow, is none.
constexpr double underflow = 1e-140;

bool all_done(std::span<const SystemSolve> systems) {
    return std::all_of(systems.begin(), systems.end(),
                       [](const SystemSolve& s) { return s.is_done; });
}

// Before a descent: whether there is to be none, as the report then says.
bool has_ended(SystemSolve& s, int max_iterations) {
    s.report.residual = s.residual / s.size;
    s.report.outcome = SolveOutcome::converged;
    if (s.residual <= s.target) return true;
    s.report.outcome = SolveOutcome::out_of_iterations;
    if (s.report.iterations >= max_iterations) return true;
    s.report.outcome = SolveOutcome::broken_down;
    return !std::isfinite(s.residual);
}

}  // namespace

template <class Real>
std::vector<SolveReport> TrueResidual<Real>::solve(const Buffer<Real>& b, Buffer<Real>& x,
                                                   const CgSettings& settings) {
    std::vector<SystemSolve> systems(recurrence_.systems());
    try {
        restart(b, x, settings, systems);
    } catch (const SumsDiffer&) {
        for (SystemSolve& s : systems) s.report.outcome = SolveOutcome::ranks_differ;
    }
    std::vector<SolveReport> reports;
    for (const SystemSolve& s : systems) reports.push_back(s.report);
    return reports;
}

template <class Real>
void TrueResidual<Real>::restart(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings,
                                 Systems systems) {
    measure(b, x, settings, systems);
    if (all_done(systems)) return;
    recurrence_.prepare();
    if (settings.from_zero) {
        Over(matrix_.device(), {0, matrix_.size()})[x] = 0;
        Over(matrix_.device(), matrix_.range())[recurrence_.residual()] = b;
    } else {
        set_residuals(b, x, systems);
    }
    const auto inspect = [&](std::span<const SystemSolve> now) { return is_wrong(b, x, now); };
    for (;;) {
        for (SystemSolve& s : systems)
            if (!s.is_done) s.is_done = has_ended(s, settings.max_iterations);
        if (all_done(systems)) break;
        std::vector<double> before;
        for (const SystemSolve& s : systems) before.push_back(s.residual);
        recurrence_.iterate(x, systems, settings.max_iterations, inspect);
        set_residuals(b, x, systems);
        compare(x, systems);
        for (std::size_t k = 0; k < systems.size(); ++k)
            if (!systems[k].is_done) systems[k].is_done = !gets_on(int(k), systems[k], before[k]);
        if (all_done(systems)) break;
    }
    if (settings.takes_rounding) take_rounding(x, systems);
}

// The targets, and the residuals of x = 0; that is x where nothing is left to solve.
template <class Real>
void TrueResidual<Real>::measure(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings,
                                 Systems systems) {
    const Over all(matrix_.device(), {0, matrix_.size()});
    const ColumnSums norms = recurrence_.norms(b);
    for (std::size_t k = 0; k < systems.size(); ++k) {
        SystemSolve& s = systems[k];
        s.report.in_double = std::is_same_v<Real, double>;
        const double norm = s.residual = norms[k];
        s.is_done = !std::isfinite(norm) || norm <= std::max(settings.rounding, underflow);
        if (!std::isfinite(norm))
            s.report.outcome = SolveOutcome::broken_down;
        else if (s.is_done && systems.size() == 1)
            all[x] = 0;
        else if (s.is_done)
            all[column(x, int(k))] = 0;
        s.target = std::max(settings.tolerance * norm, settings.rounding);
        s.size = s.target / settings.tolerance;
    }
}

template <class Real>
void TrueResidual<Real>::set_residuals(const Buffer<Real>& b, Buffer<Real>& x, Systems systems) {
    const ColumnSums norms = recurrence_.true_residual(b, x, recurrence_.residual());
    for (std::size_t k = 0; k < systems.size(); ++k)
        if (!systems[k].is_done) systems[k].residual = norms[k];
}

// S of each system (residual_check.hpp). Collective.
template <class Real>
ColumnSums TrueResidual<Real>::matrix_sizes(const Buffer<Real>& x) {
    const ColumnSums sizes = check_.matrix_sizes(x);
    if (recurrence_.systems() > 1) return sizes;
    return {std::hypot(sizes[0], sizes[1], sizes[2])};
}

// Ends the systems whose last descent has left another residual than the true one. Collective.
template <class Real>
void TrueResidual<Real>::compare(const Buffer<Real>& x, Systems systems) {
    const auto is_apart = [&](const SystemSolve& s, double matrix_size) {
        return !s.is_done && s.residual > s.target &&
               s.drift.gap(s.residual) > s.drift.bound(matrix_size, check_.entries());
    };
    if (std::none_of(systems.begin(), systems.end(),
                     [&](const SystemSolve& s) { return is_apart(s, 0); }))
        return;
    const ColumnSums sizes = matrix_sizes(x);
    for (std::size_t k = 0; k < systems.size(); ++k) {
        SystemSolve& s = systems[k];
        if (!is_apart(s, sizes[k])) continue;
        s.is_done = true;
        s.report.set_inconsistent(s.drift, s.residual, s.drift.bound(sizes[k], check_.entries()),
                                  s.size);
    }
}

template <class Real>
bool TrueResidual<Real>::is_wrong(const Buffer<Real>& b, Buffer<Real>& x,
                                  std::span<const SystemSolve> systems) {
    if (!inspected_) inspected_ = matrix_.vector();
    const ColumnSums norms = recurrence_.true_residual(b, x, inspected_);
    std::vector<SystemSolve> now(systems.begin(), systems.end());
    for (std::size_t k = 0; k < now.size(); ++k) now[k].residual = norms[k];
    compare(x, now);
    return std::any_of(now.begin(), now.end(), [](const SystemSolve& s) {
        return s.report.outcome == SolveOutcome::inconsistent;
    });
}

// After a descent from the residual `before`: whether another one may bring it down.
template <class Real>
bool TrueResidual<Real>::gets_on(int k, SystemSolve& s, double before) {
    if (!std::isfinite(s.residual)) return false;
    if (s.is_whole) s.report.outcome = SolveOutcome::stagnated;
    const bool is_slow = s.residual > 0.5 * before;
    if (recurrence_.changes(k, s.is_whole, is_slow) || !is_slow) return true;
    if (++s.slow_restarts < 3 || s.residual <= s.target) return true;
    s.report.residual = s.residual / s.size;
    return false;
}

// Of systems that have stagnated. Collective.
template <class Real>
void TrueResidual<Real>::take_rounding(const Buffer<Real>& x, Systems systems) {
    const auto has_stagnated = [](const SystemSolve& s) {
        return s.report.outcome == SolveOutcome::stagnated;
    };
    if (std::none_of(systems.begin(), systems.end(), has_stagnated)) return;
    constexpr double safety = 4;  // as in residual_check.cpp
    constexpr double most = 100;  // times the tolerance
    const ColumnSums sizes = matrix_sizes(x);
    for (std::size_t k = 0; k < systems.size(); ++k) {
        const double rounding = safety * std::numeric_limits<Real>::epsilon() * sizes[k];
        if (has_stagnated(systems[k]) &&
            systems[k].residual <= std::min(rounding, most * systems[k].target))
            systems[k].report.outcome = SolveOutcome::converged;
    }
}

template class TrueResidual<float>;
template class TrueResidual<double>;

}  // namespace solenoid

#include "solvers/krylov/mixed_recurrence.hpp"

#include <algorithm>
#include <cmath>

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr double drop = 1e-3;    // of a residual; below, rounding is too large a part of it
constexpr double margin = 0.98;  // for what the recurrence's residual is off at the end

// What a descent has done since `iterations`.
Drift drift_of(const Descent& d, int iterations, bool in_double) {
    return {d.iterations - iterations, d.scale * d.largest, d.scale * d.residual,
            d.scale * d.longest, in_double};
}

}  // namespace

template <class Real>
MixedRecurrence<Real>::MixedRecurrence(AgreedSums& sums, LinearOperator<Real>& matrix)
    : sums_(sums), matrix_(matrix), recurrence_(sums, matrix) {}

template <class Real>
void MixedRecurrence<Real>::prepare() {
    in_single_.clear();
    for (Preconditioner<Real>* one : preconditioners_) in_single_.push_back(one->rounded());
    goes_on_.assign(in_single_.size(), false);
    const auto all_in_real = std::count(in_single_.begin(), in_single_.end(), nullptr);
    if (all_in_real > 0) recurrence_.allocate(preconditioners_);
    if (all_in_real == std::ssize(in_single_)) return;
    LinearOperator<float>& matrix = matrix_.rounded();
    if (!rounded_) rounded_.emplace(sums_, matrix);
    rounded_->allocate(in_single_);
}

template <class Real>
ColumnSums MixedRecurrence<Real>::roots(ColumnSums squares) {
    sums_.sum(std::span(squares).first(matrix_.columns()));
    for (double& value : squares) value = std::sqrt(value);
    return squares;
}

template <class Real>
ColumnSums MixedRecurrence<Real>::norms(const Buffer<Real>& v) {
    return roots(column_dots(sums_.communicator(), matrix_.device(), matrix_.range(), v, v));
}

template <class Real>
ColumnSums MixedRecurrence<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x,
                                                Buffer<Real>& r) {
    return roots(matrix_.residual(sums_.communicator(), b, x, r));
}

// Of the columns that iterate in single precision, or of those that do not. In single precision
// residuals are scaled to one, so that nothing under- or overflows.
template <class Real>
template <class Precision>
void MixedRecurrence<Real>::iterate(CgRecurrence<Precision>& recurrence,
                                    std::span<Preconditioner<Precision>* const> preconditioners,
                                    Buffer<Real>& x, std::span<SystemSolve> systems, bool in_single,
                                    int most, const Inspection& inspect) {
    std::vector<Descent> descents(systems.size());
    for (std::size_t k = 0; k < systems.size(); ++k) {
        const SystemSolve& s = systems[k];
        if (s.is_done || (in_single_[k] != nullptr) != in_single) continue;
        descents[k] = {.is_wanted = true,
                       .target = s.target,
                       .goes_on = goes_on_[k] != 0,
                       .iterations = s.report.iterations,
                       .residual = s.residual};
        if (!in_single) continue;
        descents[k].target = std::max(drop, margin * s.target / s.residual);
        descents[k].scale = s.residual;
        descents[k].residual = 1;
        Over(matrix_.device(), matrix_.range())[column(recurrence.residual(), int(k))] =
            1 / s.residual * column(recurrence_.residual(), int(k));
    }
    if (std::none_of(descents.begin(), descents.end(),
                     [](const Descent& d) { return d.is_wanted; }))
        return;
    const auto drift = [&](const Descent& d, const SystemSolve& s) {
        return drift_of(d, s.report.iterations, !in_single && std::is_same_v<Real, double>);
    };
    const auto wrong = [&](std::span<const Descent> so_far) {
        std::vector<SystemSolve> now(systems.begin(), systems.end());
        for (std::size_t k = 0; k < now.size(); ++k) {
            now[k].is_done = !so_far[k].is_wanted;
            now[k].drift = drift(so_far[k], systems[k]);
        }
        return inspect(now);
    };
    recurrence.iterate(preconditioners, x, descents, most, wrong);
    for (std::size_t k = 0; k < systems.size(); ++k) {
        if (!descents[k].is_wanted) continue;
        systems[k].drift = drift(descents[k], systems[k]);
        systems[k].report.iterations = descents[k].iterations;
        systems[k].is_whole = descents[k].is_whole;
    }
}

template <class Real>
void MixedRecurrence<Real>::iterate(Buffer<Real>& x, std::span<SystemSolve> systems, int most,
                                    const Inspection& inspect) {
    const std::vector<Preconditioner<float>*> in_single = in_single_;
    if (rounded_) iterate<float>(*rounded_, in_single, x, systems, true, most, inspect);
    iterate<Real>(recurrence_, preconditioners_, x, systems, false, most, inspect);
}

template <class Real>
bool MixedRecurrence<Real>::changes(int k, bool is_whole, bool is_slow) {
    goes_on_[k] = in_single_[k] && is_whole && !is_slow;
    return is_slow && std::exchange(in_single_[k], nullptr);
}

template class MixedRecurrence<float>;
template class MixedRecurrence<double>;

}  // namespace solenoid

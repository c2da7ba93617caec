#include "solvers/krylov/cg_recurrence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// Of a residual in an iteration, as far as that has to be sure. Were it to fall by more, an application of M would be in vain.
constexpr double largest_fall = 0.05;

}  // namespace

template <class Real>
CgRecurrence<Real>::CgRecurrence(const Communicator& comm, Device& device, LinearOperator<Real>& matrix)
    : comm_(comm),
      device_(device),
      matrix_(matrix),
      columns_(matrix.columns()),
      r_(device.buffer<Real>(matrix.size(), columns_)),
      z_(columns_),
      column_(columns_) {}

template <class Real>
void CgRecurrence<Real>::allocate(Preconditioners preconditioners) {
    const auto add = [&](Buffer<Real>& vector, int columns) {
        if (!vector) vector = device_.buffer<Real>(matrix_.size(), columns);
    };
    add(p_, columns_);
    add(q_, columns_);
    for (int k = 0; k < columns_; ++k) {
        if (!preconditioners[k] || preconditioners[k]->inverse_diagonal()) continue;
        add(z_[k], 1);
        if (columns_ > 1) add(r_of_one_, 1);
    }
}

// Adds up over the ranks what each has of the columns, in one message.
template <class Real>
void CgRecurrence<Real>::sum(std::initializer_list<ColumnSums*> all) const {
    std::array<double, 2 * std::tuple_size_v<ColumnSums::array>> packed;
    std::size_t count = 0;
    for (const ColumnSums* sums : all)
        for (int k = 0; k < columns_; ++k) packed[count++] = (*sums)[k];
    comm_.sum(std::span(packed).first(count));
    count = 0;
    for (ColumnSums* sums : all)
        for (int k = 0; k < columns_; ++k) (*sums)[k] = packed[count++];
}

// This rank's part of r . M^-1 r, with z = M^-1 r where M is no diagonal.
template <class Real>
double CgRecurrence<Real>::precondition(Preconditioner<Real>& preconditioner, int k) {
    const Over range(device_, matrix_.range());
    if (const auto* diagonal = preconditioner.inverse_diagonal()) return range.dot(*diagonal * column(r_, k), column(r_, k));
    if (columns_ == 1) return preconditioner.apply(r_, z_[k]);
    range[r_of_one_] = column(r_, k);
    return preconditioner.apply(r_of_one_, z_[k]);
}

// p = M^-1 r + beta p.
template <class Real>
void CgRecurrence<Real>::turn(Preconditioner<Real>& preconditioner, int k, double beta) {
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        kernels::CgDirection<Real>{.inverse_diagonal = *diagonal, .r = column(r_, k), .p = column(p_, k), .beta = static_cast<Real>(beta)}.run(device_, matrix_.range());
    else
        Over(device_, matrix_.range())[column(p_, k)] = z_[k] + beta * column(p_, k);
}

// The first direction of a descent that goes on, p . A p_last = 0; r . p with it. The recurrence's formula takes r for
// orthogonal to p_last, which a new residual is but nearly.
template <class Real>
void CgRecurrence<Real>::turn_from_last(Preconditioners preconditioners, std::span<const Descent> descents) {
    const Over range(device_, matrix_.range());
    ColumnSums zq{}, rp{};
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const auto r = column(r_, k);
        const auto* diagonal = preconditioners[k]->inverse_diagonal();
        zq[k] = diagonal ? range.dot(*diagonal * r, column(q_, k)) : range.dot(z_[k], column(q_, k));
        rp[k] = range.dot(r, column(p_, k));
        any = true;
    }
    if (!any) return;
    sum({&zq, &rp});
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const double beta = -zq[k] / column_[k].pq;
        turn(*preconditioners[k], k, beta);
        column_[k].rp += beta * rp[k];
    }
}

template <class Real>
void CgRecurrence<Real>::start(Preconditioners preconditioners, std::span<Descent> descents) {
    ColumnSums rz{};
    for (int k = 0; k < columns_; ++k)
        if (descents[k].is_wanted) rz[k] = precondition(*preconditioners[k], k);
    sum({&rz});
    for (int k = 0; k < columns_; ++k) {
        column_[k].is_active = descents[k].is_whole = descents[k].is_wanted;
        column_[k].residual = column_[k].before = 0;
        if (!descents[k].is_wanted) continue;
        column_[k].rp = rz[k];
        if (descents[k].goes_on) continue;
        Over(device_, matrix_.range())[column(p_, k)] = 0;
        turn(*preconditioners[k], k, 0);
    }
    turn_from_last(preconditioners, descents);
}

// q = A p of all columns, and p . q of those under way. False where none is left of them.
template <class Real>
bool CgRecurrence<Real>::multiply(std::span<Descent> descents) {
    ColumnSums pq = matrix_.apply_columns(p_, q_);
    sum({&pq});
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        Column& c = column_[k];
        if (!c.is_active) continue;
        c.pq = pq[k];
        c.is_active = descents[k].is_whole = pq[k] > 0 && std::isfinite(pq[k]);
        any |= c.is_active;
    }
    return any;
}

// Starts x += alpha p, r -= alpha q; what it returns waits for this rank's part of r . r, and of r . M^-1 r where that is had in
// the same pass.
template <class Real>
template <class Answer>
std::function<typename CgRecurrence<Real>::Step()> CgRecurrence<Real>::step(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, int k, double scale) {
    const double alpha = column_[k].rp / column_[k].pq;
    const auto p = column(p_, k), q = column(q_, k), r = column(r_, k);
    const auto* diagonal = preconditioner.inverse_diagonal();
    const auto with_rz = [&](const auto& update) {
        return [pending = update.start(device_, matrix_.range())]() mutable {
            const auto sums = pending.get();
            return Step{sums.rr, sums.rz};
        };
    };
    const auto without = [&](const auto& step) { return [pending = step.start(device_, matrix_.range())]() mutable { return Step{pending.get().rr}; }; };
    if constexpr (!std::is_same_v<Answer, Real>) {
        if (diagonal) return with_rz(kernels::RoundedUpdate<Answer>{.p = p, .q = q, .inverse_diagonal = *diagonal, .x = column(x, k), .r = r, .alpha = alpha, .scale = scale});
        return without(kernels::RoundedStep<Answer>{.p = p, .q = q, .x = column(x, k), .r = r, .alpha = alpha, .scale = scale});
    } else {
        const auto length = static_cast<Real>(alpha);
        if (diagonal) return with_rz(kernels::CgUpdate<Real>{.p = p, .q = q, .inverse_diagonal = *diagonal, .x = column(x, k), .r = r, .alpha = length});
        return without(kernels::CgStep<Real>{.p = p, .q = q, .x = column(x, k), .r = r, .alpha = length});
    }
}

// Whether no column under way is about to meet its target: the residual would have to fall by more than the square of the last
// factor, or twentyfold. M^-1 r is then had before r . r is known, and both sums are one message.
template <class Real>
bool CgRecurrence<Real>::goes_on_surely(Preconditioners preconditioners, std::span<const Descent> descents) const {
    if (columns_ > 2) return false;  // the device keeps four sums that are not collected, the preconditioner's two among them
    for (int k = 0; k < columns_; ++k) {
        const Column& c = column_[k];
        if (!c.is_active || preconditioners[k]->inverse_diagonal()) continue;
        if (c.before == 0) return false;
        const double factor = c.residual / c.before;
        if (!(c.residual * std::min(factor * factor, largest_fall) > descents[k].target)) return false;
    }
    return true;
}

// A step of the columns under way, and the next direction of those that have not met their targets.
template <class Real>
template <class Answer>
void CgRecurrence<Real>::advance(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents) {
    const auto has_rz = [&](int k) { return preconditioners[k]->inverse_diagonal() != nullptr; };
    const bool is_ahead = goes_on_surely(preconditioners, descents);
    ColumnSums rr{}, rz{}, later{};
    std::array<std::function<Step()>, std::tuple_size_v<ColumnSums::array>> steps;  // of all columns before one is waited for
    for (int k = 0; k < columns_; ++k)
        if (column_[k].is_active) steps[k] = step(*preconditioners[k], x, k, descents[k].scale);
    for (int k = 0; k < columns_ && is_ahead; ++k)
        if (column_[k].is_active && !has_rz(k)) rz[k] = precondition(*preconditioners[k], k);
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active) continue;
        const Step local = steps[k]();
        rr[k] = local.rr;
        if (has_rz(k)) rz[k] = local.rz;
    }
    sum({&rr, &rz});
    bool is_any_later = false;
    for (int k = 0; k < columns_; ++k) {
        Column& c = column_[k];
        if (!c.is_active) continue;
        ++descents[k].iterations;
        descents[k].is_whole = std::isfinite(rr[k]);
        c.before = std::exchange(c.residual, std::sqrt(rr[k]));
        c.is_active = descents[k].is_whole && c.residual > descents[k].target;
        if (!c.is_active || has_rz(k) || is_ahead) continue;
        later[k] = precondition(*preconditioners[k], k);
        is_any_later = true;
    }
    if (is_any_later) sum({&later});
    for (int k = 0; k < columns_; ++k) {
        Column& c = column_[k];
        if (!c.is_active) continue;
        const double next = has_rz(k) || is_ahead ? rz[k] : later[k];
        turn(*preconditioners[k], k, next / c.rp);
        c.rp = next;
    }
}

template <class Real>
template <class Answer>
void CgRecurrence<Real>::descend(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents, int most) {
    allocate(preconditioners);
    start(preconditioners, descents);
    for (;;) {
        bool any = false;
        for (int k = 0; k < columns_; ++k) any |= column_[k].is_active = column_[k].is_active && descents[k].iterations < most;
        if (!any || !multiply(descents)) return;
        advance(preconditioners, x, descents);
    }
}

template class CgRecurrence<float>;
template class CgRecurrence<double>;
template void CgRecurrence<float>::descend(Preconditioners, Buffer<float>&, std::span<Descent>, int);
template void CgRecurrence<float>::descend(Preconditioners, Buffer<double>&, std::span<Descent>, int);
template void CgRecurrence<double>::descend(Preconditioners, Buffer<double>&, std::span<Descent>, int);

}  // namespace solenoid

#include "solvers/krylov/cg_recurrence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace solenoid {
namespace {

// Of a residual in an iteration, as far as that has to be sure. Were it to fall by more, an
// application of M would be in vain. Of a diagonal M, which costs nothing, less is feared.
constexpr double largest_fall = 0.05, largest_fall_of_diagonal = 0.8;

constexpr int most_ahead = 16;  // iterations that the host does not wait for

}  // namespace

template <class Real>
CgRecurrence<Real>::CgRecurrence(AgreedSums& sums, LinearOperator<Real>& matrix)
    : sums_(sums),
      device_(matrix.device()),
      columns_(matrix.columns()),
      vectors_(sums.communicator(), matrix),
      column_(columns_) {}

template <class Real>
void CgRecurrence<Real>::allocate(Preconditioners preconditioners) {
    vectors_.allocate(preconditioners);
    if (!std::exchange(has_asked_, true)) ahead_ = CgAhead<Real>::make(sums_, device_, columns_);
}

// Algorithm 9.1. Of several columns all have a line done before one has the next.
template <class Real>
template <class Answer>
void CgRecurrence<Real>::iterate(Preconditioners preconditioners, Buffer<Answer>& x,
                                 std::span<Descent> descents, int most, const Inspection& inspect) {
    allocate(preconditioners);
    start(preconditioners, descents);  // z = M^-1 r, p = z
    while (any_active(descents, most)) {
        if (ends_by_inspection(descents, inspect)) return;
        if (const int ahead = certain_iterations(preconditioners, descents, most)) {
            ahead_->iterate(ahead, vectors_, preconditioners, x, column_, descents);
            continue;
        }
        if (!multiply(descents)) return;     // q = A p
        step(preconditioners, x, descents);  // alpha = r . z / p . q, x += alpha p, r -= alpha q
        precondition(preconditioners);       // z = M^-1 r
        update_directions(preconditioners);  // beta = r . z / (r . z before), p = z + beta p
    }
}

// ---- the lines

template <class Real>
void CgRecurrence<Real>::start(Preconditioners preconditioners, std::span<Descent> descents) {
    ColumnSums rz{};
    for (int k = 0; k < columns_; ++k)
        if (descents[k].is_wanted) rz[k] = vectors_.precondition(*preconditioners[k], k);
    sum({&rz});
    for (int k = 0; k < columns_; ++k) {
        column_[k].is_active = descents[k].is_whole = descents[k].is_wanted;
        column_[k].residual = column_[k].before = 0;
        if (!descents[k].is_wanted) continue;
        descents[k].start();
        column_[k].rp = rz[k];
        if (!descents[k].goes_on) vectors_.set_direction(*preconditioners[k], k);
    }
    conjugate_to_previous(preconditioners, descents);
}

// The first direction of a descent that goes on, p . A p_last = 0; r . p with it. The recurrence's
// formula takes r for orthogonal to p_last, which a new residual is but nearly.
template <class Real>
void CgRecurrence<Real>::conjugate_to_previous(Preconditioners preconditioners,
                                               std::span<const Descent> descents) {
    ColumnSums zq{}, rp{};
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const auto local = vectors_.conjugacy(*preconditioners[k], k);
        zq[k] = local.zq;
        rp[k] = local.rp;
        any = true;
    }
    if (!any) return;
    sum({&zq, &rp});
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const double beta = -zq[k] / column_[k].pq;
        vectors_.update_direction(*preconditioners[k], k, beta);
        column_[k].rp += beta * rp[k];
    }
}

// q = A p of all columns, and p . q of those under way. False where none is left of them.
template <class Real>
bool CgRecurrence<Real>::multiply(std::span<Descent> descents) {
    ColumnSums pq = vectors_.multiply();
    sum({&pq});
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        CgColumn& c = column_[k];
        if (!c.is_active) continue;
        c.pq = pq[k];
        c.is_active = descents[k].is_whole = pq[k] > 0 && std::isfinite(pq[k]);
        any |= c.is_active;
    }
    return any;
}

// A step of the columns under way, which leaves those that have not met their targets. r . z comes
// with r . r, in one message, of a diagonal and where M^-1 r is had before r . r is known.
template <class Real>
template <class Answer>
void CgRecurrence<Real>::step(Preconditioners preconditioners, Buffer<Answer>& x,
                              std::span<Descent> descents) {
    const bool is_ahead = certain_to_continue(preconditioners, descents);
    ColumnSums rr{}, rz{};
    // of all columns before one is waited for
    std::array<std::function<typename CgVectors<Real>::Step()>,
               std::tuple_size_v<ColumnSums::array>>
        steps;
    for (int k = 0; k < columns_; ++k)
        if (column_[k].is_active)
            steps[k] = vectors_.step(*preconditioners[k], x, k, descents[k].scale,
                                     column_[k].rp / column_[k].pq);
    for (int k = 0; k < columns_; ++k) {
        const bool is_diagonal = preconditioners[k] && preconditioners[k]->inverse_diagonal();
        column_[k].has_rz = is_diagonal || is_ahead;
        if (column_[k].is_active && is_ahead && !is_diagonal)
            rz[k] = vectors_.precondition(*preconditioners[k], k);
    }
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active) continue;
        const auto local = steps[k]();
        rr[k] = local.rr;
        if (preconditioners[k]->inverse_diagonal()) rz[k] = local.rz;
    }
    sum({&rr, &rz});
    for (int k = 0; k < columns_; ++k) {
        CgColumn& c = column_[k];
        if (!c.is_active) continue;
        ++descents[k].iterations;
        descents[k].is_whole = std::isfinite(rr[k]);
        c.rz = rz[k];
        c.before = std::exchange(c.residual, std::sqrt(rr[k]));
        descents[k].record(c.residual, c.rp / c.pq);
        c.is_active = descents[k].is_whole && c.residual > descents[k].target;
    }
}

// z = M^-1 r where step() has not made it.
template <class Real>
void CgRecurrence<Real>::precondition(Preconditioners preconditioners) {
    ColumnSums rz{};
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active || column_[k].has_rz) continue;
        rz[k] = vectors_.precondition(*preconditioners[k], k);
        any = true;
    }
    if (any) sum({&rz});
    for (int k = 0; k < columns_; ++k)
        if (!column_[k].has_rz) column_[k].rz = rz[k];
}

template <class Real>
void CgRecurrence<Real>::update_directions(Preconditioners preconditioners) {
    for (int k = 0; k < columns_; ++k) {
        CgColumn& c = column_[k];
        if (!c.is_active) continue;
        vectors_.update_direction(*preconditioners[k], k, c.rz / c.rp);
        c.rp = c.rz;
    }
}

// Adds up over the ranks what each has of the columns, in one message.
template <class Real>
void CgRecurrence<Real>::sum(std::initializer_list<ColumnSums*> all) {
    std::array<double, 2 * std::tuple_size_v<ColumnSums::array>> packed;
    std::size_t count = 0;
    for (const ColumnSums* sums : all)
        for (int k = 0; k < columns_; ++k) packed[count++] = (*sums)[k];
    sums_.sum(std::span(packed).first(count));
    count = 0;
    for (ColumnSums* sums : all)
        for (int k = 0; k < columns_; ++k) (*sums)[k] = packed[count++];
}

// ---- when to end, and what is certain before it

template <class Real>
bool CgRecurrence<Real>::any_active(std::span<const Descent> descents, int most) {
    bool any = false;
    for (int k = 0; k < columns_; ++k)
        any |= column_[k].is_active = column_[k].is_active && descents[k].iterations < most;
    return any;
}

template <class Real>
bool CgRecurrence<Real>::ends_by_inspection(std::span<Descent> descents,
                                            const Inspection& inspect) const {
    bool is_due = false;
    for (int k = 0; k < columns_; ++k)
        is_due |= column_[k].is_active && descents[k].is_inspection_due();
    if (!is_due) return false;
    if (inspect(descents)) return true;
    for (Descent& d : descents) d.set_inspected();
    return false;
}

// Iterations that surely come before a column meets its target: for CgAhead.
template <class Real>
int CgRecurrence<Real>::certain_iterations(Preconditioners preconditioners,
                                           std::span<const Descent> descents, int most) const {
    int certain = ahead_ ? most_ahead : 0;
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active) continue;
        const double fall =
            preconditioners[k]->inverse_diagonal() ? largest_fall_of_diagonal : largest_fall;
        certain = std::min({certain, most - descents[k].iterations,
                            column_[k].certain_iterations(descents[k].target, certain, fall)});
    }
    return certain;
}

// Whether no column under way is about to meet its target.
template <class Real>
bool CgRecurrence<Real>::certain_to_continue(Preconditioners preconditioners,
                                             std::span<const Descent> descents) const {
    // the device keeps four sums that are not collected, the preconditioner's two among them
    if (columns_ > 2) return false;
    for (int k = 0; k < columns_; ++k)
        if (column_[k].is_active && !preconditioners[k]->inverse_diagonal() &&
            !column_[k].certain_iterations(descents[k].target, 1, largest_fall))
            return false;
    return true;
}

template class CgRecurrence<float>;
template class CgRecurrence<double>;
template void CgRecurrence<float>::iterate(Preconditioners, Buffer<float>&, std::span<Descent>, int,
                                           const Inspection&);
template void CgRecurrence<float>::iterate(Preconditioners, Buffer<double>&, std::span<Descent>,
                                           int, const Inspection&);
template void CgRecurrence<double>::iterate(Preconditioners, Buffer<double>&, std::span<Descent>,
                                            int, const Inspection&);

}  // namespace solenoid

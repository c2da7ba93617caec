#include "solvers/krylov/cg_recurrence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// Of a residual in an iteration, as far as that has to be sure. Were it to fall by more, an
// application of M would be in vain. Of a diagonal M, which costs nothing, less is feared.
constexpr double largest_fall = 0.05, largest_fall_of_diagonal = 0.8;

}  // namespace

template <class Real>
CgRecurrence<Real>::CgRecurrence(AgreedSums& sums, Device& device, LinearOperator<Real>& matrix)
    : sums_(sums),
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
    if (!std::exchange(has_asked_, true)) kept_ = made_kept();
    for (int k = 0; k < columns_; ++k) {
        if (!preconditioners[k] || preconditioners[k]->inverse_diagonal()) continue;
        add(z_[k], 1);
        if (columns_ > 1) add(r_of_one_, 1);
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

// This rank's part of r . M^-1 r, with z = M^-1 r where M is no diagonal.
template <class Real>
double CgRecurrence<Real>::precondition(Preconditioner<Real>& preconditioner, int k) {
    const Over range(device_, matrix_.range());
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        return range.dot(*diagonal * column(r_, k), column(r_, k));
    if (columns_ == 1) return preconditioner.apply(r_, z_[k]);
    range[r_of_one_] = column(r_, k);
    return preconditioner.apply(r_of_one_, z_[k]);
}

// p = M^-1 r + beta p.
template <class Real>
void CgRecurrence<Real>::update_direction(Preconditioner<Real>& preconditioner, int k,
                                          const Uniform<double>& beta) {
    const Uniform<Real> rounded(beta);
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        kernels::CgDirection<Real>{
            .inverse_diagonal = *diagonal, .r = column(r_, k), .p = column(p_, k), .beta = rounded}
            .run(device_, matrix_.range());
    else
        kernels::CgTurn<Real>{.z = z_[k], .p = column(p_, k), .beta = rounded}.run(device_,
                                                                                   matrix_.range());
}

// The first direction of a descent that goes on, p . A p_last = 0; r . p with it. The recurrence's
// formula takes r for orthogonal to p_last, which a new residual is but nearly.
template <class Real>
void CgRecurrence<Real>::conjugate_to_previous(Preconditioners preconditioners,
                                               std::span<const Descent> descents) {
    const Over range(device_, matrix_.range());
    ColumnSums zq{}, rp{};
    bool any = false;
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const auto r = column(r_, k);
        const auto* diagonal = preconditioners[k]->inverse_diagonal();
        zq[k] =
            diagonal ? range.dot(*diagonal * r, column(q_, k)) : range.dot(z_[k], column(q_, k));
        rp[k] = range.dot(r, column(p_, k));
        any = true;
    }
    if (!any) return;
    sum({&zq, &rp});
    for (int k = 0; k < columns_; ++k) {
        if (!descents[k].is_wanted || !descents[k].goes_on) continue;
        const double beta = -zq[k] / column_[k].pq;
        update_direction(*preconditioners[k], k, beta);
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
        descents[k].start();
        column_[k].rp = rz[k];
        if (descents[k].goes_on) continue;
        Over(device_, matrix_.range())[column(p_, k)] = 0;
        update_direction(*preconditioners[k], k, 0.0);
    }
    conjugate_to_previous(preconditioners, descents);
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

// Starts x += alpha p, r -= alpha q; what it returns waits for this rank's part of r . r, and of r
// . M^-1 r where that is had in the same pass.
template <class Real>
template <class Answer>
std::function<typename CgRecurrence<Real>::Step()> CgRecurrence<Real>::step(
    Preconditioner<Real>& preconditioner, Buffer<Answer>& x, int k, double scale,
    const Uniform<double>& alpha) {
    const auto p = column(p_, k), q = column(q_, k), r = column(r_, k);
    const auto* diagonal = preconditioner.inverse_diagonal();
    const auto with_rz = [&](const auto& update) {
        return [pending = update.start(device_, matrix_.range())]() mutable {
            const auto sums = pending.get();
            return Step{sums.rr, sums.rz};
        };
    };
    const auto without = [&](const auto& step) {
        return [pending = step.start(device_, matrix_.range())]() mutable {
            return Step{pending.get().rr};
        };
    };
    if constexpr (!std::is_same_v<Answer, Real>) {
        if (diagonal)
            return with_rz(kernels::RoundedUpdate<Answer>{.p = p,
                                                          .q = q,
                                                          .inverse_diagonal = *diagonal,
                                                          .x = column(x, k),
                                                          .r = r,
                                                          .alpha = alpha,
                                                          .scale = scale});
        return without(kernels::RoundedStep<Answer>{
            .p = p, .q = q, .x = column(x, k), .r = r, .alpha = alpha, .scale = scale});
    } else {
        const Uniform<Real> length(alpha);
        if (diagonal)
            return with_rz(kernels::CgUpdate<Real>{.p = p,
                                                   .q = q,
                                                   .inverse_diagonal = *diagonal,
                                                   .x = column(x, k),
                                                   .r = r,
                                                   .alpha = length});
        return without(
            kernels::CgStep<Real>{.p = p, .q = q, .x = column(x, k), .r = r, .alpha = length});
    }
}

// How many iterations, at most, come before the one that may bring the column to its target: the
// residual would have to fall each time by more than the square of its last factor, and by
// largest_fall.
template <class Real>
int CgRecurrence<Real>::Column::certain_iterations(double target, int most,
                                                   double largest_fall) const {
    if (before == 0) return 0;
    const double factor = residual / before, least = std::min(factor * factor, largest_fall);
    int count = 0;
    for (double r = residual * least; count < most && r > target; r *= least) ++count;
    return count;
}

// Whether no column under way is about to meet its target: M^-1 r is then had before r . r is
// known, and both sums are one message.
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

// A step of the columns under way, and the next direction of those that have not met their targets.
template <class Real>
template <class Answer>
void CgRecurrence<Real>::advance(Preconditioners preconditioners, Buffer<Answer>& x,
                                 std::span<Descent> descents) {
    const auto has_rz = [&](int k) { return preconditioners[k]->inverse_diagonal() != nullptr; };
    const bool is_ahead = certain_to_continue(preconditioners, descents);
    ColumnSums rr{}, rz{}, later{};
    // of all columns before one is waited for
    std::array<std::function<Step()>, std::tuple_size_v<ColumnSums::array>> steps;
    for (int k = 0; k < columns_; ++k)
        if (column_[k].is_active)
            steps[k] =
                step(*preconditioners[k], x, k, descents[k].scale, column_[k].rp / column_[k].pq);
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
        descents[k].record(c.residual, c.rp / c.pq);
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
        update_direction(*preconditioners[k], k, next / c.rp);
        c.rp = next;
    }
}

// ---- iterations that the host does not wait for

template <class Real>
std::unique_ptr<typename CgRecurrence<Real>::Kept> CgRecurrence<Real>::made_kept() const {
    auto ranks = DeviceAllreduce::make(sums_.communicator(), device_);
    if (!ranks) return nullptr;
    auto kept = std::make_unique<Kept>(Kept{std::move(ranks), device_.device_sums(), {}, {}});
    for (int k = 0; k < columns_; ++k) {
        kept->step.push_back(device_.device_sums());
        kept->rz.push_back(device_.device_sums());
    }
    return kept;
}

// What the launches of `work` sum up stays on the device, and is added up over the ranks there.
template <class Real>
template <class Work>
void CgRecurrence<Real>::keep(DeviceSums& sums, const Work& work) {
    {
        const Keeping keeping(device_, sums);
        work();
    }
    kept_->ranks->add(sums);
}

// Where r . M^-1 r is kept.
template <class Real>
DeviceNumber CgRecurrence<Real>::kept_product(const Preconditioner<Real>& preconditioner, int k,
                                              bool is_before) const {
    return preconditioner.inverse_diagonal() ? DeviceNumber{kept_->step[k].get(), 1, is_before}
                                             : DeviceNumber{kept_->rz[k].get(), 0, is_before};
}

// Iterations of the columns under way, launched one behind the other; the last one without its new
// direction. Of a preconditioner's launches that of r . M^-1 r alone may reduce, of a product's
// that of p . A p: what they keep is all that they reduce.
template <class Real>
template <class Answer>
void CgRecurrence<Real>::iterate_asynchronously(int iterations, Preconditioners preconditioners,
                                                Buffer<Answer>& x, std::span<Descent> descents) {
    const auto each_active = [&](const auto& visit) {
        for (int k = 0; k < columns_; ++k)
            if (column_[k].is_active) visit(k, *preconditioners[k]);
    };
    const auto conjugate = [&](int k, Preconditioner<Real>& m) {
        update_direction(m, k, RatioOfSums{kept_product(m, k), kept_product(m, k, true)});
    };
    each_active([&](int k, Preconditioner<Real>& m) {
        if (m.inverse_diagonal())
            kept_->step[k]->set({0, column_[k].rp});
        else
            kept_->rz[k]->set({column_[k].rp});
    });
    for (int n = 0; n < iterations; ++n) {
        if (n > 0) each_active(conjugate);
        keep(*kept_->pq, [&] { matrix_.apply_columns(p_, q_); });
        each_active([&](int k, Preconditioner<Real>& m) {
            keep(*kept_->step[k], [&] {
                step(m, x, k, descents[k].scale,
                     RatioOfSums{kept_product(m, k), {kept_->pq.get(), k}});
            });
            if (!m.inverse_diagonal()) keep(*kept_->rz[k], [&] { precondition(m, k); });
        });
    }
    read_back(preconditioners, descents, iterations);
    each_active(conjugate);
}

// After so many iterations: what their last one has left of each column, compared before ranks
// decide by it: the GPU of one that went on would wait for another.
template <class Real>
void CgRecurrence<Real>::read_back(Preconditioners preconditioners, std::span<Descent> descents,
                                   int iterations) {
    std::vector<DeviceSums*> sums{kept_->pq.get()};
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active) continue;
        sums.push_back(kept_->step[k].get());
        if (!preconditioners[k]->inverse_diagonal()) sums.push_back(kept_->rz[k].get());
    }
    const auto values = device_.read_back(sums);
    for (const auto& value : values) sums_.note(value);
    sums_.compare();
    std::size_t next = 1;
    for (int k = 0; k < columns_; ++k) {
        Column& c = column_[k];
        if (!c.is_active) continue;
        const auto& of_step = values[next++];
        c.pq = values[0][k];
        c.rp = preconditioners[k]->inverse_diagonal() ? of_step[1] : values[next++][0];
        descents[k].iterations += iterations;
        descents[k].is_whole = c.pq > 0 && std::isfinite(c.pq) && std::isfinite(of_step[0]);
        const double first = std::exchange(c.residual, std::sqrt(of_step[0]));
        descents[k].record(c.residual, c.rp / c.pq);
        c.before = c.residual * std::pow(first / c.residual, 1.0 / iterations);
        c.is_active = descents[k].is_whole && c.residual > descents[k].target;
    }
}

template <class Real>
int CgRecurrence<Real>::certain_iterations(Preconditioners preconditioners,
                                           std::span<const Descent> descents, int most) const {
    int sure = kept_ ? 16 : 0;
    for (int k = 0; k < columns_; ++k) {
        if (!column_[k].is_active) continue;
        const double fall =
            preconditioners[k]->inverse_diagonal() ? largest_fall_of_diagonal : largest_fall;
        sure = std::min({sure, most - descents[k].iterations,
                         column_[k].certain_iterations(descents[k].target, sure, fall)});
    }
    return sure;
}

template <class Real>
template <class Answer>
void CgRecurrence<Real>::iterate(Preconditioners preconditioners, Buffer<Answer>& x,
                                 std::span<Descent> descents, int most, const Inspection& inspect) {
    allocate(preconditioners);
    start(preconditioners, descents);
    for (;;) {
        bool any = false, is_due = false;
        for (int k = 0; k < columns_; ++k) {
            any |= column_[k].is_active = column_[k].is_active && descents[k].iterations < most;
            is_due |= column_[k].is_active && descents[k].is_inspection_due();
        }
        if (!any) return;
        if (is_due && inspect(descents)) return;
        if (is_due)
            std::for_each(descents.begin(), descents.end(), [](Descent& d) { d.set_inspected(); });
        if (const int sure = certain_iterations(preconditioners, descents, most)) {
            iterate_asynchronously(sure, preconditioners, x, descents);
        } else {
            if (!multiply(descents)) return;
            advance(preconditioners, x, descents);
        }
    }
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

#include "solvers/krylov/cg_recurrence.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
CgRecurrence<Real>::CgRecurrence(const Communicator& comm, Device& device, LinearOperator<Real>& matrix)
    : comm_(comm),
      device_(device),
      matrix_(matrix),
      r_(device.buffer<Real>(matrix.size())) {}

template <class Real>
void CgRecurrence<Real>::allocate(Preconditioner<Real>& preconditioner) {
    const auto add = [&](Buffer<Real>& vector) {
        if (!vector) vector = device_.buffer<Real>(matrix_.size());
    };
    add(p_);
    add(q_);
    if (!preconditioner.inverse_diagonal()) add(z_);
}

// r . M^-1 r, with z = M^-1 r where M is no diagonal.
template <class Real>
double CgRecurrence<Real>::precondition(Preconditioner<Real>& preconditioner) {
    const Over range(device_, matrix_.range());
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        return comm_.sum(range.dot(*diagonal * r_, r_));
    return comm_.sum(preconditioner.apply(r_, z_));
}

// p = M^-1 r + beta p.
template <class Real>
void CgRecurrence<Real>::turn(Preconditioner<Real>& preconditioner, double beta) {
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        kernels::CgDirection<Real>{*diagonal, r_, p_, static_cast<Real>(beta)}.run(device_, matrix_.range());
    else
        Over(device_, matrix_.range())[p_] = z_ + beta * p_;
}

// The first direction of a descent that goes on, p . A p_last = 0; returns r . p. The recurrence's formula takes r for
// orthogonal to p_last, which a new residual is but nearly.
template <class Real>
double CgRecurrence<Real>::turn_from_last(Preconditioner<Real>& preconditioner, double rz) {
    const Over range(device_, matrix_.range());
    const auto* diagonal = preconditioner.inverse_diagonal();
    std::array<double, 2> sums{diagonal ? range.dot(*diagonal * r_, q_) : range.dot(z_, q_), range.dot(r_, p_)};
    comm_.sum(sums);
    const double beta = -sums[0] / pq_;
    turn(preconditioner, beta);
    return rz + beta * sums[1];
}

// x += alpha p, r -= alpha q; returns r . r and, unless that meets the target, r . M^-1 r.
template <class Real>
template <class Answer>
typename CgRecurrence<Real>::Step CgRecurrence<Real>::advance(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, double alpha,
                                                              const Descent& descent) {
    if constexpr (!std::is_same_v<Answer, Real>) {
        const double rr = comm_.sum(kernels::RoundedStep<Answer>{p_, q_, x, r_, alpha, descent.scale}.run(device_, matrix_.range()).rr);
        return {rr, std::sqrt(rr) > descent.target ? precondition(preconditioner) : 0};
    } else {
        const auto step = static_cast<Real>(alpha);
        if (const auto* diagonal = preconditioner.inverse_diagonal()) {
            const auto local = kernels::CgUpdate<Real>{p_, q_, *diagonal, x, r_, step}.run(device_, matrix_.range());
            std::array<double, 2> sums{local.rr, local.rz};
            comm_.sum(sums);
            return {sums[0], sums[1]};
        }
        const double rr = comm_.sum(kernels::CgStep<Real>{p_, q_, x, r_, step}.run(device_, matrix_.range()).rr);
        return {rr, std::sqrt(rr) > descent.target ? precondition(preconditioner) : 0};
    }
}

template <class Real>
template <class Answer>
bool CgRecurrence<Real>::descend(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, const Descent& descent, int& iterations) {
    allocate(preconditioner);
    double rp = precondition(preconditioner);
    if (descent.goes_on) {
        rp = turn_from_last(preconditioner, rp);
    } else {
        Over(device_, matrix_.range())[p_] = 0;
        turn(preconditioner, 0);
    }
    while (iterations < descent.most) {
        pq_ = comm_.sum(matrix_.apply(p_, q_));
        if (!(pq_ > 0) || !std::isfinite(pq_)) return false;
        const Step step = advance(preconditioner, x, rp / pq_, descent);
        ++iterations;
        if (!std::isfinite(step.rr)) return false;
        if (std::sqrt(step.rr) <= descent.target) return true;
        turn(preconditioner, step.rz / rp);
        rp = step.rz;
    }
    return true;
}

template class CgRecurrence<float>;
template class CgRecurrence<double>;
template bool CgRecurrence<float>::descend(Preconditioner<float>&, Buffer<float>&, const Descent&, int&);
template bool CgRecurrence<float>::descend(Preconditioner<float>&, Buffer<double>&, const Descent&, int&);
template bool CgRecurrence<double>::descend(Preconditioner<double>&, Buffer<double>&, const Descent&, int&);

}  // namespace solenoid

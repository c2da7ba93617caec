#include "solvers/krylov/cg_vectors.hpp"

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
CgVectors<Real>::CgVectors(const SummingRanks& ranks, LinearOperator<Real>& matrix)
    : ranks_(ranks),
      device_(matrix.device()),
      matrix_(matrix),
      columns_(matrix.columns()),
      r_(matrix.vector()),
      z_(columns_) {}

template <class Real>
void CgVectors<Real>::allocate(Preconditioners preconditioners) {
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

template <class Real>
double CgVectors<Real>::precondition(Preconditioner<Real>& preconditioner, int k) {
    const Over range(device_, matrix_.range());
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        return range.dot(ranks_, *diagonal * column(r_, k), column(r_, k));
    if (columns_ == 1) return preconditioner.apply(r_, z_[k]);
    range[r_of_one_] = column(r_, k);
    return preconditioner.apply(r_of_one_, z_[k]);
}

template <class Real>
void CgVectors<Real>::update_direction(Preconditioner<Real>& preconditioner, int k,
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

template <class Real>
void CgVectors<Real>::set_direction(Preconditioner<Real>& preconditioner, int k) {
    Over(device_, matrix_.range())[column(p_, k)] = 0;
    update_direction(preconditioner, k, 0.0);
}

template <class Real>
typename CgVectors<Real>::Conjugacy CgVectors<Real>::conjugacy(Preconditioner<Real>& preconditioner,
                                                               int k) const {
    const Over range(device_, matrix_.range());
    const auto r = column(r_, k);
    const auto* diagonal = preconditioner.inverse_diagonal();
    const double zq = diagonal ? range.dot(ranks_, *diagonal * r, column(q_, k))
                               : range.dot(ranks_, z_[k], column(q_, k));
    return {zq, range.dot(ranks_, r, column(p_, k))};
}

template <class Real>
template <class Answer>
std::function<typename CgVectors<Real>::Step()> CgVectors<Real>::step(
    Preconditioner<Real>& preconditioner, Buffer<Answer>& x, int k, double scale,
    const Uniform<double>& alpha) {
    const auto p = column(p_, k), q = column(q_, k), r = column(r_, k);
    const auto* diagonal = preconditioner.inverse_diagonal();
    const auto with_rz = [&](const auto& update) {
        return [pending = update.start(ranks_, device_, matrix_.range())]() mutable {
            const auto sums = pending.get();
            return Step{sums.rr, sums.rz};
        };
    };
    const auto without = [&](const auto& step) {
        return [pending = step.start(ranks_, device_, matrix_.range())]() mutable {
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

template class CgVectors<float>;
template class CgVectors<double>;
template std::function<CgVectors<float>::Step()> CgVectors<float>::step(Preconditioner<float>&,
                                                                        Buffer<float>&, int, double,
                                                                        const Uniform<double>&);
template std::function<CgVectors<float>::Step()> CgVectors<float>::step(Preconditioner<float>&,
                                                                        Buffer<double>&, int,
                                                                        double,
                                                                        const Uniform<double>&);
template std::function<CgVectors<double>::Step()> CgVectors<double>::step(Preconditioner<double>&,
                                                                          Buffer<double>&, int,
                                                                          double,
                                                                          const Uniform<double>&);

}  // namespace solenoid

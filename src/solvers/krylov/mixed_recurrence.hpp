// Conjugate gradients in two precisions. Columns whose preconditioner has a copy in single
// precision iterate in single precision, on the residual scaled to one, and add up x in double: the
// true residual replaces the recurrence's before rounding is a large part of it, and the directions
// go on (van der Vorst & Ye 2000; Clark et al. 2010). Where that gets nowhere, double precision
// takes over.
#pragma once

#include <optional>

#include "solvers/krylov/cg_recurrence.hpp"
#include "solvers/krylov/true_residual.hpp"

namespace solenoid {

// The columns are systems of their own.
template <class Real>
class MixedRecurrence final : public Recurrence<Real> {
  public:
    using Preconditioners = std::span<Preconditioner<Real>* const>;  // one a column
    using Inspection = typename Recurrence<Real>::Inspection;

    // Both references must outlive this.
    MixedRecurrence(AgreedSums& sums, LinearOperator<Real>& matrix);

    // Of the next solve, which they must outlive.
    void set_preconditioners(Preconditioners preconditioners) {
        preconditioners_ = preconditioners;
    }
    // Allocates the vectors of the precisions that it takes, and rounds the matrix. Collective.
    void prepare() override;

    int systems() const override { return matrix_.columns(); }
    Buffer<Real>& residual() override { return recurrence_.residual(); }
    ColumnSums norms(const Buffer<Real>& v) override;
    ColumnSums true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) override;
    void iterate(Buffer<Real>& x, std::span<SystemSolve> systems, int most,
                 const Inspection& inspect) override;
    bool changes(int k, bool is_whole, bool is_slow) override;

  private:
    ColumnSums roots(ColumnSums squares);
    template <class Precision>
    void iterate(CgRecurrence<Precision>& recurrence,
                 std::span<Preconditioner<Precision>* const> preconditioners, Buffer<Real>& x,
                 std::span<SystemSolve> systems, bool in_single, int most,
                 const Inspection& inspect);

    AgreedSums& sums_;
    LinearOperator<Real>& matrix_;
    Preconditioners preconditioners_;
    CgRecurrence<Real> recurrence_;
    std::optional<CgRecurrence<float>> rounded_;
    // Of each column: null while it iterates in Real; whether its first direction is to be
    // conjugate to the last one of the descent before.
    std::vector<Preconditioner<float>*> in_single_;
    std::vector<char> goes_on_;
};

}  // namespace solenoid

// The recurrence of preconditioned conjugate gradients (Hestenes & Stiefel 1952; Saad, Iterative
// Methods, algorithm 9.1): from a residual to a smaller one. mixed_recurrence.hpp says in which
// precision, true_residual.hpp from where and how far. Of several columns each has a recurrence of
// its own; products with the matrix, messages and sums over the ranks are those of all.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>

#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/cg_ahead.hpp"
#include "solvers/krylov/cg_vectors.hpp"
#include "solvers/krylov/descent.hpp"

namespace solenoid {

template <class Real>
class CgRecurrence {
  public:
    using Preconditioners = std::span<Preconditioner<Real>* const>;  // one a column

    CgRecurrence(AgreedSums& sums, LinearOperator<Real>& matrix);

    // its vectors, if that is not done: else at the first descent
    void allocate(Preconditioners preconditioners);
    Buffer<Real>& residual() { return vectors_.r(); }  // b - A x, to be set before a descent

    // Whether to end the descents as they stand: asked where Descent::is_inspection_due.
    // Collective.
    using Inspection = std::function<bool(std::span<const Descent> descents)>;

    // Changes the columns of x until their targets are met or their iterations reach most. Answer:
    // Real, or double where Real is single precision.
    template <class Answer>
    void iterate(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents,
                 int most, const Inspection& inspect);

  private:
    void sum(std::initializer_list<ColumnSums*> all);
    void start(Preconditioners preconditioners, std::span<Descent> descents);
    void conjugate_to_previous(Preconditioners preconditioners, std::span<const Descent> descents);
    bool any_active(std::span<const Descent> descents, int most);
    bool ends_by_inspection(std::span<Descent> descents, const Inspection& inspect) const;
    int certain_iterations(Preconditioners preconditioners, std::span<const Descent> descents,
                           int most) const;
    bool certain_to_continue(Preconditioners preconditioners,
                             std::span<const Descent> descents) const;
    bool multiply(std::span<Descent> descents);
    template <class Answer>
    void step(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents);
    void precondition(Preconditioners preconditioners);
    void update_directions(Preconditioners preconditioners);

    AgreedSums& sums_;
    Device& device_;
    const int columns_;
    CgVectors<Real> vectors_;
    std::vector<CgColumn> column_;
    std::unique_ptr<CgAhead<Real>> ahead_;  // null: the host waits for every sum
    bool has_asked_ = false;                // whether it can go ahead
};

}  // namespace solenoid

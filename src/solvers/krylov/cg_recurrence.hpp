// The recurrence of preconditioned conjugate gradients (Hestenes & Stiefel 1952; Saad, Iterative
// Methods, algorithm 9.1): from a residual to a smaller one. ConjugateGradients says from where and
// how far. Of several columns each has a recurrence of its own; products with the matrix, messages
// and sums over the ranks are those of all.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>

#include "parallel/agreed_sums.hpp"
#include "parallel/device_allreduce.hpp"
#include "solvers/krylov/descent.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

template <class Real>
class CgRecurrence {
  public:
    using Preconditioners = std::span<Preconditioner<Real>* const>;  // one a column

    CgRecurrence(AgreedSums& sums, Device& device, LinearOperator<Real>& matrix);

    // its vectors, if that is not done: else at the first descent
    void allocate(Preconditioners preconditioners);
    Buffer<Real>& residual() { return r_; }  // b - A x, to be set before a descent

    // Whether to end the descents as they stand: asked where Descent::is_inspection_due.
    // Collective.
    using Inspection = std::function<bool(std::span<const Descent> descents)>;

    // Changes the columns of x until their targets are met or their iterations reach most. Answer:
    // Real, or double where Real is single precision.
    template <class Answer>
    void iterate(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents,
                 int most, const Inspection& inspect);

  private:
    // One column under way.
    struct Column {
        bool is_active = false;
        double rp = 0, pq = 0;  // r . p and p . A p
        // ||r|| of the last iteration and of the one before; 0: none yet
        double residual = 0, before = 0;
        int certain_iterations(double target, int most, double largest_fall) const;
    };
    struct Step {
        double rr = 0, rz = 0;
    };
    void sum(std::initializer_list<ColumnSums*> all);
    double precondition(Preconditioner<Real>& preconditioner, int k);
    void start(Preconditioners preconditioners, std::span<Descent> descents);
    void conjugate_to_previous(Preconditioners preconditioners, std::span<const Descent> descents);
    void update_direction(Preconditioner<Real>& preconditioner, int k, const Uniform<double>& beta);
    bool multiply(std::span<Descent> descents);
    template <class Answer>
    void advance(Preconditioners preconditioners, Buffer<Answer>& x, std::span<Descent> descents);
    bool certain_to_continue(Preconditioners preconditioners,
                             std::span<const Descent> descents) const;
    template <class Answer>
    std::function<Step()> step(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, int k,
                               double scale, const Uniform<double>& alpha);
    int certain_iterations(Preconditioners preconditioners, std::span<const Descent> descents,
                           int most) const;
    template <class Answer>
    void iterate_asynchronously(int iterations, Preconditioners preconditioners, Buffer<Answer>& x,
                                std::span<Descent> descents);
    template <class Work>
    void keep(DeviceSums& sums, const Work& work);
    DeviceNumber kept_product(const Preconditioner<Real>& preconditioner, int k,
                              bool is_before = false) const;
    void read_back(Preconditioners preconditioners, std::span<Descent> descents, int iterations);

    // Sums of iterations that the host does not wait for.
    struct Kept {
        std::unique_ptr<DeviceAllreduce> ranks;
        std::unique_ptr<DeviceSums> pq;  // p . A p of each column
        // of each column: r . r, and r . M^-1 r where M is a diagonal; r . M^-1 r elsewhere
        std::vector<std::unique_ptr<DeviceSums>> step, rz;
    };
    std::unique_ptr<Kept> made_kept() const;

    AgreedSums& sums_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    const int columns_;
    Buffer<Real> r_, p_, q_;
    std::vector<Buffer<Real>> z_;  // M^-1 r of each column where M is no diagonal
    Buffer<Real> r_of_one_;        // r of one of several columns, for such an M
    std::vector<Column> column_;
    std::unique_ptr<Kept> kept_;  // null: the host waits for every sum
    bool has_asked_ = false;      // whether there are any
};

}  // namespace solenoid

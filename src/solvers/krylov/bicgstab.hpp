// BiCGStab (van der Vorst 1992; Saad, Iterative Methods, algorithm 7.7), preconditioned from the
// right: nonsymmetric systems over fields of numbers or vectors, to a true residual.
#pragma once

#include <array>

#include "device/expression.hpp"
#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/cg.hpp"

namespace solenoid {

// What it sees of a system: products of fields of 1, 2 or 3 columns.
template <class Real>
class FieldOperator {
  public:
    virtual ~FieldOperator() = default;
    // marked entities: what fields are updated and summed over
    virtual Range range() const = 0;
    virtual Buffer<Real> field() const = 0;  // a new one, as long and wide as products take it
    // y = A x. Fills the ghosts of x first. Collective.
    virtual void apply(Buffer<Real>& x, Buffer<Real>& y) = 0;
    // z = M^-1 r with a fixed M near A. Collective.
    virtual void precondition(const Buffer<Real>& r, Buffer<Real>& z) = 0;
};

// Keeps the work fields.
template <class Real>
class Bicgstab {
  public:
    // All references must outlive this.
    Bicgstab(const Communicator& comm, Device& device, FieldOperator<Real>& system);

    // From x = 0: with a guess, b is its residual and x what is to be added. Of the settings those
    // of the stopping rule count. An iteration takes two products and three Allreduces. Collective.
    SolveReport solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings);

  private:
    struct Products {
        double xy, xx;
    };
    Over over() const { return {device_, system_.range()}; }
    Products products(const Buffer<Real>& x, const Buffer<Real>& y);
    Products step(double alpha, double omega, Buffer<Real>& x);
    double half_step(double alpha);
    double true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& left);
    bool is_apart(const Drift& drift, double residual, double target, double size,
                  const Buffer<Real>& x, SolveReport& report);
    using Inspection = std::function<bool()>;  // every 200 iterations, t free: whether to end
    bool iterate(Buffer<Real>& x, double target, int most, int& iterations, Drift& drift,
                 const Inspection& inspect);
    void iterate_with_restarts(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings,
                               SolveReport& report);

    AgreedSums sums_;
    Device& device_;
    FieldOperator<Real>& system_;
    Buffer<Real> r_;
    const int columns_;
    ResidualCheck<Real> check_;
    Buffer<Real> shadow_, p_, v_, t_, y_, z_;
};

}  // namespace solenoid

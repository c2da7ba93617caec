// What a Krylov method sees of a preconditioner: z = M^-1 r with M symmetric positive
// (semi-)definite.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "device/device.hpp"

namespace solenoid {

// A level of a multigrid hierarchy.
struct LevelSummary {
    std::int64_t rows = 0, nonzeros = 0;  // of all ranks
    int ranks = 1;
    std::size_t bytes = 0;  // on the devices of all ranks
};

struct PreconditionerSummary {
    double setup_seconds = 0;
    std::vector<LevelSummary> levels = {};  // the finest first; none: no multigrid
};

template <class Real>
class Preconditioner {
  public:
    virtual ~Preconditioner() = default;
    // z = M^-1 r on the operator's marked entities, and this rank's part of r . z; reads r there
    // only. Not where M is a diagonal. Collective.
    virtual double apply(const Buffer<Real>& r, Buffer<Real>& z) = 0;
    // M^-1 where M is a diagonal, null elsewhere: the Krylov method then does both in one pass.
    virtual const Buffer<Real>* inverse_diagonal() const { return nullptr; }
    // M in single precision where the iteration is to be in single precision too, null elsewhere.
    virtual Preconditioner<float>* rounded() { return nullptr; }
    virtual PreconditionerSummary summary() const { return {}; }
};

// Jacobi's, or none at all where the values are ones. Refers to the buffer.
template <class Real>
class DiagonalPreconditioner final : public Preconditioner<Real> {
  public:
    explicit DiagonalPreconditioner(const Buffer<Real>& inverse) : inverse_(inverse) {}
    double apply(const Buffer<Real>&, Buffer<Real>&) override {
        throw std::logic_error("a diagonal is applied by the Krylov method");
    }
    const Buffer<Real>* inverse_diagonal() const override { return &inverse_; }

  private:
    const Buffer<Real>& inverse_;
};

}  // namespace solenoid

// For a solve in double, a preconditioner in single precision: half the memory and traffic. It need not be exact, so the
// answer and the iterations stay as they are.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>

#include "solvers/preconditioner.hpp"

namespace solenoid {

class SinglePreconditioner final : public Preconditioner<double> {
  public:
    // range, size: the operator's.
    SinglePreconditioner(Device& device, Range range, Index size, std::unique_ptr<Preconditioner<float>> rounded);

    double apply(const Buffer<double>& r, Buffer<double>& z) override;
    PreconditionerSummary summary() const override { return rounded_->summary(); }

  private:
    Device& device_;
    Range range_;
    std::unique_ptr<Preconditioner<float>> rounded_;
    Buffer<float> r_, z_;
};

// What `make`, a template of a precision, returns: in that of the solve, or in single precision for a mixed one.
template <class Real, class Make>
std::unique_ptr<Preconditioner<Real>> make_preconditioner(bool is_mixed, Device& device, Range range, Index size, const Make& make) {
    if constexpr (std::same_as<Real, double>)
        if (is_mixed) return std::make_unique<SinglePreconditioner>(device, range, size, make.template operator()<float>());
    return make.template operator()<Real>();
}

}  // namespace solenoid

// For a solve in double, a preconditioner in single precision: half the memory and traffic. It need not be exact, so the
// answer and the iterations stay as they are.
#pragma once

#include <memory>
#include <type_traits>

#include "solvers/preconditioner.hpp"

namespace solenoid {

// Rounded: Multigrid<float> or AuxiliarySpace<float>, which read r and write z in double on the way.
template <class Rounded>
class SinglePreconditioner final : public Preconditioner<double> {
  public:
    explicit SinglePreconditioner(std::unique_ptr<Rounded> rounded) : rounded_(std::move(rounded)) {}

    double apply(const Buffer<double>& r, Buffer<double>& z) override { return rounded_->precondition(r, z); }
    PreconditionerSummary summary() const override { return rounded_->summary(); }

  private:
    std::unique_ptr<Rounded> rounded_;
};

// What `make`, a template of a precision, returns: in that of the solve, or in single precision for a mixed one.
template <class Real, class Make>
std::unique_ptr<Preconditioner<Real>> make_preconditioner(bool is_mixed, const Make& make) {
    if constexpr (std::is_same_v<Real, double>)
        if (is_mixed) {
            auto rounded = make.template operator()<float>();
            return std::make_unique<SinglePreconditioner<typename decltype(rounded)::element_type>>(std::move(rounded));
        }
    return make.template operator()<Real>();
}

}  // namespace solenoid

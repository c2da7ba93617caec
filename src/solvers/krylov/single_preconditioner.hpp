// For a solve in double, a preconditioner in single precision: conjugate gradients then iterate in
// single precision too, and compute the residuals and add up the answer in double.
#pragma once

#include <memory>
#include <type_traits>

#include "device/expression.hpp"
#include "device/rounded_copy.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

class SinglePreconditioner final : public Preconditioner<double> {
  public:
    SinglePreconditioner(Device& device, std::unique_ptr<Preconditioner<float>> rounded)
        : device_(device), rounded_(std::move(rounded)) {}

    double apply(const Buffer<double>& r, Buffer<double>& z) override {
        for (auto* vector : {&r_, &z_})
            if (!*vector) *vector = device_.buffer<float>(r.size());
        const Over all(device_, {0, r.size()});
        all[r_] = r;
        const double rz = rounded_->apply(r_, z_);
        all[z] = z_;
        return rz;
    }
    Preconditioner<float>* rounded() override { return rounded_.get(); }
    PreconditionerSummary summary() const override { return rounded_->summary(); }

  private:
    Device& device_;
    std::unique_ptr<Preconditioner<float>> rounded_;
    Buffer<float> r_, z_;
};

// A diagonal in double and rounded, for iterations in either precision. Refers to the buffer;
// round() where its values have changed.
class RoundedDiagonal final : public Preconditioner<double> {
  public:
    RoundedDiagonal(Device& device, const Buffer<double>& inverse)
        : device_(device),
          inverse_(inverse),
          rounded_(rounded_copy(device, inverse)),
          of_rounded_(rounded_) {}

    void round() { round_to(inverse_, rounded_, device_); }

    double apply(const Buffer<double>&, Buffer<double>&) override {
        throw std::logic_error("a diagonal is applied by the Krylov method");
    }
    const Buffer<double>* inverse_diagonal() const override { return &inverse_; }
    Preconditioner<float>* rounded() override { return &of_rounded_; }

  private:
    Device& device_;
    const Buffer<double>& inverse_;
    Buffer<float> rounded_;
    DiagonalPreconditioner<float> of_rounded_;
};

// M^-1 a diagonal: of a mixed solve with its rounded copy.
template <class Real>
std::unique_ptr<Preconditioner<Real>> make_diagonal(Device& device, bool is_mixed,
                                                    const Buffer<Real>& inverse) {
    if constexpr (std::is_same_v<Real, double>)
        if (is_mixed) return std::make_unique<RoundedDiagonal>(device, inverse);
    return std::make_unique<DiagonalPreconditioner<Real>>(inverse);
}

// What `make`, a template of a precision, returns: in that of the solve, or in single precision for
// a mixed one.
template <class Real, class Make>
std::unique_ptr<Preconditioner<Real>> make_preconditioner(Device& device, bool is_mixed,
                                                          const Make& make) {
    if constexpr (std::is_same_v<Real, double>)
        if (is_mixed)
            return std::make_unique<SinglePreconditioner>(device,
                                                          make.template operator()<float>());
    return make.template operator()<Real>();
}

}  // namespace solenoid

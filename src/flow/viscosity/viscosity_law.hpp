// The viscosity of a generalised Newtonian fluid as a function of its shear rate. Each law is one
// file of this folder and one line of viscosity_laws.cpp.
#pragma once

#include "case/condition_kinds.hpp"
#include "device/expression.hpp"

namespace solenoid {

class ViscosityLaw {
  public:
    struct Limits {
        double least, largest;  // of the kinematic viscosity [m^2/s]
    };
    explicit ViscosityLaw(const Limits& limits) : limits_(limits) {}
    virtual ~ViscosityLaw() = default;

    // nu [m^2/s] for shear rates sqrt(2 S : S) [1/s] with the strain rate S.
    virtual void evaluate(const Over& over, const Buffer<float>& rate, Buffer<float>& nu) const = 0;
    virtual void evaluate(const Over& over, const Buffer<double>& rate,
                          Buffer<double>& nu) const = 0;
    // The largest d ln(stress) / d ln(rate).
    virtual double steepness() const = 0;
    const Limits& limits() const { return limits_; }

  private:
    const Limits limits_;
};

// Base of a law `Law` with `template <class Real> auto at(const Buffer<Real>& rate) const`, an
// expression of nu for positive rates.
template <class Law>
class ViscosityLawOf : public ViscosityLaw {
  public:
    using ViscosityLaw::ViscosityLaw;
    void evaluate(const Over& over, const Buffer<float>& rate, Buffer<float>& nu) const override {
        limit(over, rate, nu);
    }
    void evaluate(const Over& over, const Buffer<double>& rate, Buffer<double>& nu) const override {
        limit(over, rate, nu);
    }

  private:
    template <class Real>
    void limit(const Over& over, const Buffer<Real>& rate, Buffer<Real>& nu) const {
        constexpr double least_rate = 1e-30;
        over[nu] = max(rate, least_rate);
        over[nu] =
            min(max(static_cast<const Law&>(*this).at(nu), limits().least), limits().largest);
    }
};

// Context: the limits of every law.
using ViscosityLawKind = ConditionKind<ViscosityLaw, ViscosityLaw::Limits>;
const std::vector<ViscosityLawKind>& viscosity_law_kinds();  // in the order of the docs

}  // namespace solenoid

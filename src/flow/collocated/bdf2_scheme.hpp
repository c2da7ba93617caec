// BDF2 of variable step: transport extrapolated, diffusion implicit. docs/numerics.md, "Collocated
// momentum".
#pragma once

#include <array>

#include "flow/collocated/collocated_system.hpp"
#include "flow/collocated/pressure_iteration.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/solver/bdf2.hpp"

namespace solenoid {

template <class Real>
class Bdf2Scheme final : public TimeScheme<Real> {
  public:
    Bdf2Scheme(CollocatedSystem<Real>& system, const CgSettings&);

    void step(double dt, double w) override;
    double courant_limit(bool) const override { return 1; }
    void keep_in(Snapshot<Real>& snapshot) override {
        TimeScheme<Real>::keep_in(snapshot);
        iteration_.keep_in(snapshot);
    }
    std::vector<Field<Real>*> history() override { return {&n_before_, &n_earlier_}; }
    SolveTotals solves() const override { return system_.momentum.solves(); }
    Bdf2 explain(Field<Real>& transport, Field<Real>& projected) const override;

  private:
    void predict(const Bdf2& bdf2);
    void settle();
    void remake(const Bdf2& bdf2, const Field<Real>& gradient);
    void transport();
    std::array<double, 3> extrapolation(const Bdf2& bdf2) const;

    CollocatedSystem<Real>& system_;
    PressureIteration<Real> iteration_;
    // faces: A dp/dn that momentum has seen in the step as it was first made, and last
    Field<Real> seen_, last_seen_;
    // cell vectors: what was carried of the last three states [m^4/s^2], in 2D [m^3/s^2]
    Field<Real> n_now_, n_before_, n_earlier_, rhs_;
    // explicitly, of the star under way, where the viscosity follows the flow; else empty
    Field<Real> diffused_;
    // Of the last step; remade: with another pressure gradient.
    Bdf2 last_{0, 0};
    std::array<double, 3> weights_{};
    bool is_remade_ = false;
};

}  // namespace solenoid

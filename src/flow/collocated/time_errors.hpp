// Estimates the local errors of a flow's steps from divided differences of its last states:
//   error = c(dt, dt_before) |u[t, t_1, t_2, t_3]|    (root mean square over the volume)
// with c of TimeScheme::error_of_third(). docs/numerics.md, "The length of a flow's steps".
#pragma once

#include <array>
#include <optional>

#include "flow/collocated/collocated_system.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/solver/flow_solver.hpp"

namespace solenoid {

template <class Real>
class TimeErrors {
  public:
    // Estimates errors of velocity and scalars. The system must outlive this. Collective, as all
    // below.
    explicit TimeErrors(CollocatedSystem<Real>& system);

    // Stores the state at the start of a step. anew: earlier states are dropped. States later than
    // the present time, of steps that were taken back, are dropped as well.
    void begin(bool anew);
    // Errors of the step since begin(): by third differences of four states; with three states by
    // second differences, as for an Euler step; nothing with two.
    std::optional<StepErrors> of_step(const TimeScheme<Real>& scheme) const;

  private:
    // Earlier states that a difference uses; earlier states stored.
    static constexpr int observations = 3, most = observations + 1;
    struct Followed {
        std::array<Buffer<Real>, most> before;  // newest first
    };
    void pop();
    void push(Followed& followed, const Buffer<Real>& now);
    double difference(const Followed& followed, const Buffer<Real>& now, int order) const;

    CollocatedSystem<Real>& system_;
    double volume_;
    Followed velocity_;
    std::vector<Followed> scalars_;
    std::array<double, most> time_{};
    int count_ = 0;
};

}  // namespace solenoid

// Estimates the local errors of a flow's steps from divided differences of its last states:
//   error = c(dt, dt_before) |u[t, t_1, t_2, t_3]|    (root mean square over the volume)
// with c of CollocatedStep::error_of_third(). docs/numerics.md, "The length of a flow's steps".
#pragma once

#include <array>
#include <optional>

#include "flow/collocated/flow_sources.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/solver/flow_solver.hpp"

namespace solenoid {

template <class Real>
class TimeErrors {
  public:
    // Estimates errors of velocity and scalars. volume: of cells [m^3, in 2D m^2]. All references
    // must outlive this. Collective, as all below.
    TimeErrors(const Domain& domain, const CollocatedState<Real>& state,
               const FlowSources<Real>& sources, const Buffer<Real>& volume);

    // Stores the state at the start of a step. anew: earlier states are dropped. States later than
    // the present time, of steps that were taken back, are dropped as well.
    void begin(bool anew);
    // Errors of the step since begin(): by third differences of four states; with three states by
    // second differences, as for an Euler step; nothing with two.
    std::optional<StepErrors> of_step(const CollocatedStep<Real>& step) const;
    void register_state(const State<Real>& state);

  private:
    // Earlier states that a difference uses; earlier states stored.
    static constexpr int observations = 3, most = observations + 1;
    struct Followed {
        std::array<Buffer<Real>, most> before;  // newest first
    };
    void register_states(const State<Real>& state, Followed& followed, const Buffer<Real>& now);
    void pop();
    void push(Followed& followed, const Buffer<Real>& now);
    double difference(const Followed& followed, const Buffer<Real>& now, int order) const;

    const Domain& domain_;
    const CollocatedState<Real>& state_;
    const FlowSources<Real>& sources_;
    const Buffer<Real>& cell_volume_;
    double volume_;  // their sum
    Followed velocity_;
    std::vector<Followed> scalars_;
    std::array<double, most> time_{};
    int count_ = 0;
};

}  // namespace solenoid

// The local errors of a flow's steps, from divided differences of its last states.
// docs/numerics.md, "The length of a flow's steps".
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
    // Of velocity and scalars. The system must outlive this. Collective, as all below.
    explicit TimeErrors(CollocatedSystem<Real>& system);

    // A step begins: the state is one to look back to. anew: those before are none. A step that is
    // made again begins as before, also where another one behind it has been taken back, too.
    void begin(bool anew);
    // Of the step that the system has made since: by third differences, of a step with one state or
    // two before it by second ones, as of Euler's; none: there is one state before it alone.
    std::optional<StepErrors> of_step(const TimeScheme<Real>& scheme) const;

  private:
    static constexpr int observations = 3, most = observations + 1;  // states looked back to; kept
    struct Followed {
        std::array<Buffer<Real>, most> before;  // the last first
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

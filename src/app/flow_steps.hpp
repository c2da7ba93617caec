// The length of a flow's next time step: fixed, or from the Courant number.
#pragma once

#include "case/settings.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class FlowSteps {
  public:
    FlowSteps(const Communicator& comm, const DistributedMesh& mesh, const CaseSettings& settings);

    // The step from `time`, that ends at `target` at the latest and leaves no sliver before it. courant_rate:
    // the Courant number of a step of one second; limit: no step of its own choice is longer. Throws
    // ComputationError where the step vanishes. Collective.
    double next(double time, double target, double courant_rate, double limit);

  private:
    double first(double time, double courant_rate) const;
    double boundary_rate(const Geometry& geometry, double time) const;
    double pressure_speed(const Geometry& geometry, double time) const;
    double acceleration_rate(const Geometry& geometry, double time) const;

    const Communicator& comm_;
    const DistributedMesh& mesh_;
    const CaseSettings& settings_;
    double step_ = 0;  // the last one asked for, before it was fitted; 0: none yet
};

}  // namespace solenoid

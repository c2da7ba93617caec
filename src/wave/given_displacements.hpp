// The boundary condition y = g of waves on one rank: the nodes where it holds, and g.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

class GivenDisplacements {
  public:
    // Throws InputError where the mesh lacks a boundary. Collective.
    GivenDisplacements(const Communicator& comm, const DistributedMesh& mesh,
                       const std::vector<WaveBoundary>& boundaries);

    const std::vector<Index>& nodes() const { return nodes_; }  // owned ones, ascending
    bool depends_on_time() const;                               // on all ranks alike
    // g at t [s] of nodes() [m], the mean of the boundaries that meet there. Throws InputError
    // where a value is not finite.
    std::vector<double> values(double t) const;
    // dg/dt at t [m/s], of second order in `span` [s]: the one-sided difference of g at t,
    // t - span / 2 and t - span; where t < span at t, t + span / 2 and t + span. Throws as
    // values().
    std::vector<double> rates(double t, double span) const;

  private:
    std::vector<WaveBoundary> boundaries_;  // those that give a displacement
    std::vector<Index> nodes_;
    std::vector<Vec3> points_;             // of nodes_ [m]
    std::vector<std::vector<int>> given_;  // of each node: places among boundaries_
};

}  // namespace solenoid

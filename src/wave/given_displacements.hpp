// Where on one rank the displacement is given, and what it is.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {

class GivenDisplacements {
  public:
    // Throws InputError where the mesh lacks a boundary. Collective.
    GivenDisplacements(const Communicator& comm, const DistributedMesh& mesh,
                       const std::vector<WaveBoundary>& boundaries);

    const std::vector<Index>& nodes() const { return nodes_; }  // marked ones, ascending
    bool depends_on_time() const;                               // on any rank alike
    // At time t, one a node [m]: the mean where boundaries meet. Throws InputError where a value is
    // not finite.
    std::vector<double> values(double t) const;
    // The rate at t [m/s], second order in `span`, of values at times from t - span to t, at the
    // start from 0 to span.
    std::vector<double> rates(double t, double span) const;

  private:
    std::vector<WaveBoundary> boundaries_;  // those that give a displacement
    std::vector<Index> nodes_;
    std::vector<Vec3> points_;             // of the nodes
    std::vector<std::vector<int>> given_;  // by which of the boundaries, for each node
};

}  // namespace solenoid

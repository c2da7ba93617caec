// The boundary conditions of a flow on one rank: values at boundary faces and nodes, fluxes through prescribed faces.
#pragma once

#include "case/settings.hpp"
#include "flow/flow_discretization.hpp"
#include "parallel/subset.hpp"

namespace solenoid {

class FlowBoundaries {
  public:
    // Throws InputError where a group of the domain's boundary is unknown. Collective.
    FlowBoundaries(const Communicator& comm, const DistributedMesh& mesh, const Geometry& geometry,
                   const std::vector<FlowBoundarySettings>& settings);

    const BoundaryFaces& faces() const { return faces_; }
    const std::vector<FlowBoundarySettings>& settings() const { return settings_; }
    // Of a face held; null inside the domain.
    const FlowBoundarySettings* condition(Index face) const { return condition_[face] < 0 ? nullptr : &settings_[condition_[face]]; }
    const std::vector<bool>& prescribed() const { return prescribed_; }  // a face held: its flux is given
    bool depends_on_time() const;

    const std::vector<Index>& nodes() const { return nodes_; }  // with a given velocity, among [0, shared)
    // Velocities at time t, column by column: at faces() and at nodes() (the slowest where groups meet:
    // a corner of a moving lid rests).
    std::vector<double> face_velocity(double t) const;
    std::vector<double> node_velocity(double t) const;
    // Flux through the prescribed faces at time t, along their normals; their sum made exactly zero.
    // Throws InputError where more flows in than out. Collective.
    const Subset& prescribed_faces() const { return prescribed_faces_; }
    std::vector<double> flux(double t) const;

  private:
    Vec3 velocity(int condition, const Vec3& x, double t) const;
    double flux_through(Index face, double t) const;

    const Communicator& comm_;
    const Mesh& mesh_;
    const Geometry& geometry_;
    std::vector<FlowBoundarySettings> settings_;
    BoundaryFaces faces_;
    std::vector<bool> prescribed_;
    Subset prescribed_faces_;
    std::vector<int> condition_;  // of every face held, -1 inside
    std::vector<Index> nodes_;
    Rows node_conditions_;        // of each of nodes_
};

}  // namespace solenoid

// The mesh of a run whose physics computes on triangles or tets: read, edited, slit and cut, one
// way for all of them.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "operators/domain.hpp"
#include "parallel/simplex_topology.hpp"
#include "run/run.hpp"

namespace solenoid {

class Simplices final : public RunMesh {
  public:
    Simplices() = default;
    explicit Simplices(DistributedMesh distributed) : mesh(std::move(distributed)) {}

    DistributedMesh mesh;
    CoupledNodes coupled;                  // of baffles whose sides read each other's values
    std::unique_ptr<const Domain> domain;  // the mesh on the device

    const Topology& topology() const override { return topology_; }
    MeshNames names(const Communicator& comm) const override;
    void check(const Communicator& comm) const override;  // every face has a name

  private:
    const SimplexTopology topology_{mesh};
};

// Reads the mesh of the case, in slices where possible, and cuts it over the ranks. For
// Physics::make_mesh. Throws Error, the same on every rank. Collective.
std::unique_ptr<RunMesh> make_simplices(Run& run);

// The mesh of a run whose physics has made simplices; another is an error of the program.
const Simplices& simplices_of(const Run& run);

}  // namespace solenoid

// Makes a flux free of divergence to round-off by changing it on the faces where it is not prescribed:
// F - D^T p with D D^T p = D F, solved in double on the host and refined.
#pragma once

#include "flow/topology/flux_topology.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

class FluxBalance {
  public:
    // prescribed: one flag a face held. All must outlive this. Collective.
    FluxBalance(const Communicator& comm, const DistributedMesh& mesh, const FluxTopology& topology, const std::vector<bool>& prescribed);

    // flux: on all faces held, right on [0, shared); ghosts are filled. The prescribed flux through a region without
    // other boundary faces must add up to nothing. Throws ComputationError where the solve fails. Collective.
    void balance(std::vector<double>& flux);

  private:
    HostMatrix assemble(const std::vector<bool>& prescribed) const;
    double net(const std::vector<double>& flux, std::vector<double>& out) const;  // D flux, to be solved for; its largest
    void take_means(std::vector<double>& net) const;

    const Communicator& comm_;
    const DistributedMesh& mesh_;
    const std::vector<bool>& prescribed_;
    std::vector<Index> closed_region_;  // of every cell held
    Index closed_regions_;
    std::unique_ptr<Device> device_;
    RowMatrix<double> matrix_;
    ConjugateGradients<double> cg_;
    Halo<double> faces_;
    Buffer<double> net_, p_, flux_;
};

}  // namespace solenoid

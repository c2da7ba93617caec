// Makes a flux free of divergence to round-off by changing it on the faces where it is not prescribed:
// F - D^T p with D D^T p = D F, solved in double on the host and refined.
#pragma once

#include "solvers/cg.hpp"
#include "solvers/row_matrix.hpp"

namespace solenoid {

class FluxBalance {
  public:
    // prescribed: one flag a face held. Mesh and communicator must outlive this. Collective.
    FluxBalance(const Communicator& comm, const DistributedMesh& mesh, const std::vector<bool>& prescribed);

    // flux: on all faces held, right on [0, shared); ghosts are filled. The prescribed flux through a region without
    // other boundary faces must add up to nothing. Throws ComputationError where the solve fails. Collective.
    void balance(std::vector<double>& flux);

  private:
    HostMatrix assemble(const std::vector<bool>& prescribed) const;
    double net(const std::vector<double>& flux, std::vector<double>& out) const;  // D flux; its largest

    const Communicator& comm_;
    const DistributedMesh& mesh_;
    std::vector<bool> prescribed_;
    std::unique_ptr<Device> device_;
    RowMatrix<double> matrix_;
    ConjugateGradients<double> cg_;
    Halo<double> faces_;
    Buffer<double> net_, p_, flux_;
};

}  // namespace solenoid

// The stream function on the boundary: values s with C s = the prescribed flux through every face where one is
// prescribed, walls included. Any flux C s is free of divergence, so through-flow needs no lifting of its own.
//
// s = C_b^T phi with C_b C_b^T phi = flux, C_b the curl from the boundary's ridges to its faces: of all such s the one
// of least norm. Solved in double on the host by conjugate gradients.
#pragma once

#include "parallel/subset.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

class BoundaryTrace {
  public:
    // prescribed: one flag a face held. The mesh must outlive this. Collective.
    BoundaryTrace(const Communicator& comm, const DistributedMesh& mesh, const std::vector<bool>& prescribed);

    // The marked ridges of prescribed faces: where s is fixed.
    const std::vector<Index>& ridges() const { return ridges_; }

    // flux: through each prescribed face, in the order of faces(), along the face's normal [m^3/s, in 2D m^2/s].
    // whole: what it was formed from by taking other fluxes away, whose rounding it holds. Returns s at ridges(). Throws
    // InputError with the boundaries where the fluxes through a closed part of the boundary do not cancel. Collective.
    std::vector<double> solve(const std::vector<double>& flux, const std::vector<double>& whole);
    const std::vector<Index>& faces() const { return faces_.members; }  // marked ones first, ghosts last
    const EntityRanges& face_ranges() const { return faces_.ranges; }

  private:
    HostMatrix assemble() const;
    double norm(const std::vector<double>& flux) const;
    [[noreturn]] void refuse();

    const Communicator& comm_;
    const Mesh& mesh_;
    Subset faces_;
    Rows ridge_faces_;             // of every ridge: oriented prescribed faces, as places among faces_
    std::vector<Index> ridges_;
    std::unique_ptr<Device> device_;
    RowMatrix<double> matrix_;
    ConjugateGradients<double> cg_;
    Buffer<double> flux_, phi_, left_;
};

}  // namespace solenoid

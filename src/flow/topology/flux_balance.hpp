// Makes a flux free of divergence to round-off by changing it on the faces where it is not
// prescribed: F - D^T p with D D^T p = D F, solved in double by multigrid on the device (on the
// host, where that has no double) and refined.
#pragma once

#include "flow/topology/cohomology.hpp"
#include "operators/domain.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

class FluxBalance {
  public:
    // prescribed: one flag a face held. All must outlive this. Collective.
    FluxBalance(const Domain& domain, const Cohomology& topology,
                const std::vector<bool>& prescribed);

    // flux: on all faces held, right on [0, shared); ghosts are filled. The prescribed flux through
    // a region without other boundary faces must add up to nothing. Throws ComputationError where
    // the solve fails. Collective.
    void balance(std::vector<double>& flux) { balance(flux, 6, 0); }
    // Of each cell to about 1e-10 of the flux' largest.
    void roughly_balance(std::vector<double>& flux) { balance(flux, 1, 1e-10); }

  private:
    // What a solve needs: made for the first.
    struct System {
        System(const Domain& domain, Device& device, const HostMatrix& entries);
        RowMatrix<double> matrix;
        Multigrid<double> multigrid;
        ConjugateGradients<double> cg;
        Buffer<double> net, p;
    };
    void balance(std::vector<double>& flux, int rounds, double left_over);
    HostMatrix assemble() const;
    std::vector<double> potential(const std::vector<double>& net, double tolerance,
                                  bool must_converge);
    // D flux, to be solved for; its largest
    double net(const std::vector<double>& flux, std::vector<double>& out) const;
    void take_means(std::vector<double>& net) const;

    const Domain& domain_;
    const std::vector<bool>& prescribed_;
    std::vector<Index> closed_region_;  // of every cell held
    Index closed_regions_;
    std::unique_ptr<System> system_;
};

}  // namespace solenoid

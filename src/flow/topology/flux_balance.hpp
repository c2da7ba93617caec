// Makes a flux divergence-free to round-off by changing it on faces where it is not prescribed: F -
// D^T p with D D^T p = D F. Solved in double precision with multigrid on the device, or on the host
// if the device has no doubles, with iterative refinement.
#pragma once

#include "flow/topology/cohomology.hpp"
#include "operators/domain.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

class FluxBalance {
  public:
    // prescribed: one flag for each face held. All references must outlive this. Collective, as all
    // below.
    FluxBalance(const Domain& domain, const Cohomology& topology,
                const std::vector<bool>& prescribed);

    // flux: on all faces held, valid on [0, shared); ghosts are filled. The prescribed flux through
    // a region without other boundary faces must add up to zero. Throws ComputationError where the
    // solve fails.
    void balance(std::vector<double>& flux) { balance(flux, 6, 0); }
    // Balances each cell to about 1e-10 of the largest flux.
    void roughly_balance(std::vector<double>& flux) { balance(flux, 1, 1e-10); }

  private:
    // The solver, made at the first solve.
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
    // out = D flux, the right-hand side. Returns its largest magnitude.
    double net(const std::vector<double>& flux, std::vector<double>& out) const;
    void take_means(std::vector<double>& net) const;

    const Domain& domain_;
    const std::vector<bool>& prescribed_;
    std::vector<Index> closed_region_;  // of every cell held
    Index closed_regions_;
    std::unique_ptr<System> system_;
};

}  // namespace solenoid

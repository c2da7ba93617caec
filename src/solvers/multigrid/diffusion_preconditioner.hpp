// The preconditioner of diffusion plus a diagonal that changes from solve to solve, as in time: multigrid where diffusion
// rules, Jacobi's where the diagonal does.
#pragma once

#include <optional>
#include <string>

#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

template <class Real>
class DiffusionPreconditioner {
  public:
    // weights: w_ij of the neighbours, as in DifferenceMatrix; fixed: marked entities that are no unknowns. Of
    // the settings the preconditioner counts; "automatic": multigrid from a mean diffusion number of 100 on.
    DiffusionPreconditioner(const Communicator& comm, Device& device, const EntityRanges& ranges, const HaloPlan& halo, Rows neighbours,
                            std::vector<double> weights, std::vector<Index> fixed, const CgSettings& settings);

    // For the matrix with this diagonal added, one value a marked entity; inverse: the whole diagonal's inverse, which
    // must outlive the result. A hierarchy is kept while the added diagonal changes by less than a factor of two.
    Preconditioner<Real>& prepare(const std::vector<double>& shift, const Buffer<Real>& inverse);

    // Other weights: a hierarchy is made anew.
    void replace(std::vector<double> weights);

    PreconditionerSummary summary() const;  // the time is that of all hierarchies so far

  private:
    double diffusion_number(const std::vector<double>& shift) const;
    Preconditioner<Real>& jacobi(const Buffer<Real>& inverse);

    const Communicator& comm_;
    Device& device_;
    EntityRanges ranges_;
    HaloPlan halo_;
    Rows neighbours_;
    std::vector<double> weights_, diagonal_;
    std::vector<Index> fixed_;
    CgSettings settings_;
    std::optional<DiagonalPreconditioner<Real>> jacobi_;
    std::unique_ptr<RoundedDiagonal> mixed_jacobi_;
    std::unique_ptr<Preconditioner<Real>> multigrid_;
    double shift_of_multigrid_ = 0, setup_seconds_ = 0;
};

}  // namespace solenoid

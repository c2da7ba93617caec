#include "flow/projection/codim2_preconditioner.hpp"

#include "flow/projection/edge_preconditioner.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

template <class Real>
std::unique_ptr<Preconditioner<Real>> codim2_preconditioner(const Domain& domain, Device& device,
                                                            const HostMatrix& matrix,
                                                            const std::vector<Index>& fixed,
                                                            int max_levels) {
    const MultigridSettings settings{.max_levels = max_levels};
    if (domain.dimension == 3)
        return edge_preconditioner<Real>(domain.comm, device, domain.mesh, matrix, fixed, settings);
    return std::make_unique<Multigrid<Real>>(domain.comm, device, domain.codim2_entities,
                                             domain.mesh.halo(Kind::node), matrix, fixed, settings);
}

template std::unique_ptr<Preconditioner<float>> codim2_preconditioner(const Domain&, Device&,
                                                                      const HostMatrix&,
                                                                      const std::vector<Index>&,
                                                                      int);
template std::unique_ptr<Preconditioner<double>> codim2_preconditioner(const Domain&, Device&,
                                                                       const HostMatrix&,
                                                                       const std::vector<Index>&,
                                                                       int);

}  // namespace solenoid

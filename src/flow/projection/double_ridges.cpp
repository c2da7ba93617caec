#include "flow/projection/double_ridges.hpp"

#include "flow/projection/ridge_preconditioner.hpp"

namespace solenoid {

DoubleRidges::DoubleRidges(const Domain& domain, const HostMatrix& matrix, const std::vector<Index>& fixed, int max_levels)
    : host_(domain.device.info().has_fp64 ? nullptr : make_cpu_device()),
      device_(host_ ? *host_ : domain.device),
      matrix_(domain.comm, device_, domain.ridges, domain.mesh.halo(domain.ridge_kind), matrix),
      preconditioner_(ridge_preconditioner<double>(domain, device_, matrix, fixed, max_levels)),
      cg_(domain.comm, device_, matrix_) {
    matrix_.fix(fixed);
}

}  // namespace solenoid

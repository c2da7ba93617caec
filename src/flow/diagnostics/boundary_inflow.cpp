#include "flow/diagnostics/boundary_inflow.hpp"

#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
BoundaryInflow<Real>::BoundaryInflow(const Domain& domain)
    : domain_(domain), mesh_(domain.mesh.mesh) {
    std::vector<Index> faces;
    for (const Side& side : mesh_.sides) {
        const bool enters = mesh_.face_cells(side.face, 0) == none,
                   leaves = mesh_.face_cells(side.face, 1) == none;
        if (side.face >= domain.faces.owned || enters == leaves) continue;
        faces.push_back(leaves ? side.face | reversed : side.face);
        group_.push_back(side.boundary);
    }
    face_ = uploaded(domain.device, faces);
    value_ = domain.device.buffer<Real>(face_.size());
}

template <class Real>
std::vector<double> BoundaryInflow<Real>::measure(const Field<Real>& flux) {
    std::vector<RankSum> sums(mesh_.boundaries.size());
    kernels::OrientedValues<Real>{.entity = face_, .x = flux, .value = value_}.run(
        domain_.device, {0, face_.size()});
    if (face_.size()) {
        const auto values = value_.download();
        for (std::size_t k = 0; k < values.size(); ++k) sums[group_[k]] += values[k];
    }
    return totals(domain_.comm, std::move(sums));
}

template class BoundaryInflow<float>;
template class BoundaryInflow<double>;

}  // namespace solenoid

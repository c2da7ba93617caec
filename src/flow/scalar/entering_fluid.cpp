#include "flow/scalar/entering_fluid.hpp"

namespace solenoid {
namespace {

std::vector<Index> owned(const EntitySubset& faces) {
    return {faces.members.begin(), faces.members.begin() + faces.ranges.owned};
}

}  // namespace

template <class Real>
EnteringFluid<Real>::EnteringFluid(const Domain& domain, ScalarBoundaries& boundaries)
    : domain_(domain),
      boundaries_(boundaries),
      flux_(domain.device, owned(boundaries.inflow_faces())),
      halo_(domain.comm, domain.device, boundaries.inflow_faces().halo),
      enters_(domain.device.buffer<Real>(boundaries.inflow_faces().ranges.all)) {
    for (const Index f : owned(boundaries.inflow_faces()))
        outward_.push_back(domain.mesh.mesh.face_cells(f, 1) == none ? 1 : -1);
}

template <class Real>
bool EnteringFluid<Real>::update(const Field<Real>& flux) {
    const std::vector<double> through = flux_.read(flux);
    std::vector<double>& enters = boundaries_.enters();
    std::vector<Real> found(enters.begin(), enters.end());
    bool changes = false;
    for (std::size_t i = 0; i < through.size(); ++i) {
        found[i] = outward_[i] * through[i] < 0 ? 1 : 0;
        changes = changes || found[i] != enters[i];
    }
    if (!domain_.comm.any(changes)) return false;
    // nodes of this rank's cells may touch faces of other ranks
    enters_.upload(found);
    halo_.exchange(enters_);
    const std::vector<Real> all = enters_.download();
    enters.assign(all.begin(), all.end());
    return true;
}

template class EnteringFluid<float>;
template class EnteringFluid<double>;

}  // namespace solenoid

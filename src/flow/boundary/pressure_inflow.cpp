#include "flow/boundary/pressure_inflow.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
PressureInflow<Real>::PressureInflow(const Domain& domain, const FlowBoundaries& boundaries)
    : domain_(domain), d_(domain.dimension), conditions_(boundaries.settings().size()) {
    const BoundaryFaces& b = boundaries.faces();
    const std::vector<Index>& free = boundaries.free_faces().entities;
    std::vector<Index> oriented;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const Index k = free[i], face = b.faces[k];
        if (!boundaries.condition(k).drives()) continue;
        place_.push_back(i);
        boundary_place_.push_back(k);
        condition_.push_back(boundaries.boundary(face) - boundaries.settings().data());
        is_marked_.push_back(face < domain.faces.owned);
        normal_.push_back(boundaries.area(face) / glm::dot(boundaries.area(face), boundaries.area(face)));
        is_inward_.push_back(b.outward[k] < 0);
        oriented.push_back(b.outward[k] > 0 ? face | reversed : face);
    }
    face_ = uploaded(domain.device, oriented);
    inflow_ = domain.device.buffer<Real>(face_.size());
    entering_ = domain.device.buffer<Real>(static_cast<Index>(free.size()), d_);
    is_present_ = domain.comm.any(!place_.empty());
    if (is_present_) duct_ = std::make_unique<OutsideDuct>(domain, boundaries, boundary_place_);
}

// Of each face: how much more enters through its boundary than leaves, of all that enters.
template <class Real>
std::vector<double> PressureInflow<Real>::net_shares(const std::vector<double>& inflow) const {
    std::vector<double> sums(2 * conditions_, 0.0);  // net, entering
    for (std::size_t i = 0; i < inflow.size(); ++i) {
        if (!is_marked_[i]) continue;
        sums[2 * condition_[i]] += inflow[i];
        sums[2 * condition_[i] + 1] += std::max(inflow[i], 0.0);
    }
    domain_.comm.sum(std::span<double>(sums));
    std::vector<double> shares;
    for (const std::size_t c : condition_) shares.push_back(sums[2 * c] > 0 ? sums[2 * c] / sums[2 * c + 1] : 0);
    return shares;
}

template <class Real>
std::vector<double> PressureInflow<Real>::inflow(const Buffer<Real>& flux) {
    if (!face_.size()) return {};
    kernels::OrientedValues<Real>{.entity = face_, .x = flux, .value = inflow_}.run(domain_.device, {0, face_.size()});
    const std::vector<Real> values = inflow_.download();
    return {values.begin(), values.end()};
}

template <class Real>
const Buffer<Real>& PressureInflow<Real>::entering(const Buffer<Real>& flux) {
    if (!is_present_) return entering_;
    const std::vector<double> in = inflow(flux), net = net_shares(in), outside = duct_->speeds(reach_);
    std::vector<Real> values(std::size_t(entering_.size()) * d_, Real(0));
    for (std::size_t i = 0; i < place_.size(); ++i) {
        const double own = in[i] * glm::length(normal_[i]);
        if (!(own > std::numeric_limits<Real>::min())) continue;
        const double share = net[i] * outside[i] / own + (1 - net[i]) / 2;
        for (int k = 0; k < d_; ++k) values[k * std::size_t(entering_.size()) + place_[i]] = static_cast<Real>(share * normal_[i][k]);
    }
    if (entering_.size()) entering_.upload(values);
    return entering_;
}

template <class Real>
std::vector<EndVelocity> PressureInflow<Real>::ends(const Buffer<Real>& flux, bool of_difference) {
    std::vector<EndVelocity> ends;
    if (!is_present_) return ends;
    const std::vector<double> in = inflow(flux), net = net_shares(in), outside = duct_->speeds(reach_);
    const std::vector<std::array<double, 3>> at_nodes = duct_->node_speeds(reach_);
    for (std::size_t i = 0; i < place_.size(); ++i) {
        if (!is_marked_[i]) continue;
        const double size = glm::length(normal_[i]), own = in[i] * size;
        const Vec3 inward = (is_inward_[i] ? 1.0 : -1.0) / size * normal_[i];
        EndVelocity end{(of_difference ? 0.0 : net[i] * outside[i] + (1 - net[i]) / 2 * own) * inward, inward, {}, (1 - net[i]) / 2};
        for (int j = 0; j < d_ && !of_difference; ++j) end.given[j] = net[i] * at_nodes[i][j];
        ends.push_back(end);
    }
    return ends;
}

template <class Real>
void PressureInflow<Real>::start(const VectorFormula& initial, const Buffer<Real>& flux) {
    if (is_present_) duct_->start(initial, inflow(flux));
}

template <class Real>
void PressureInflow<Real>::advance(const Buffer<Real>& flux, const std::vector<double>& viscosity, double step, double time) {
    if (!is_present_) return;
    std::vector<double> here;
    for (const Index k : boundary_place_) here.push_back(viscosity[k]);
    duct_->advance(inflow(flux), here, step, time);
}

template <class Real>
void PressureInflow<Real>::keep_in(Snapshot<Real>& snapshot) {
    if (duct_) duct_->keep_in(snapshot);
}

template class PressureInflow<float>;
template class PressureInflow<double>;

}  // namespace solenoid

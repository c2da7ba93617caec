#include "flow/boundary/pressure_inflow.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

// Of the mean speed at which a boundary lets fluid in: what a fully developed flow has nowhere (2 in a pipe, 2.1 in a square duct).
constexpr double fastest_entering = 3;

}  // namespace

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
        condition_.push_back(boundaries.boundary(face) - boundaries.settings().data());
        is_marked_.push_back(face < domain.faces.owned);
        normal_.push_back(boundaries.area(face) / glm::dot(boundaries.area(face), boundaries.area(face)));
        oriented.push_back(b.outward[k] > 0 ? face | reversed : face);
    }
    face_ = uploaded(domain.device, oriented);
    inflow_ = domain.device.buffer<Real>(face_.size());
    entering_ = domain.device.buffer<Real>(static_cast<Index>(free.size()), d_);
    area_.assign(conditions_, 0.0);
    for (std::size_t i = 0; i < normal_.size(); ++i)
        if (is_marked_[i]) area_[condition_[i]] += 1 / glm::length(normal_[i]);
    domain.comm.sum(std::span<double>(area_));
    is_present_ = domain.comm.any(!place_.empty());
}

// Of each face: how much of what enters through its boundary brings the flux's velocity with it, and half of the rest. A face that is faster
// than a channel's flow brings no more than that: a jet that fed on its own energy would grow without bound.
template <class Real>
std::vector<double> PressureInflow<Real>::shares(const std::vector<Real>& inflow) const {
    std::vector<double> sums(2 * conditions_, 0.0);  // net, entering
    for (std::size_t i = 0; i < inflow.size(); ++i) {
        if (!is_marked_[i]) continue;
        sums[2 * condition_[i]] += inflow[i];
        sums[2 * condition_[i] + 1] += std::max<double>(inflow[i], 0);
    }
    domain_.comm.sum(std::span<double>(sums));
    std::vector<double> shares(inflow.size(), 0.5);
    for (std::size_t i = 0; i < inflow.size(); ++i) {
        const std::size_t c = condition_[i];
        const double net = sums[2 * c], speed = inflow[i] * glm::length(normal_[i]);
        if (net <= 0) continue;
        const double share = 0.5 + 0.5 * net / sums[2 * c + 1], fastest = fastest_entering * net / area_[c];
        shares[i] = std::max(0.5, speed > fastest ? share * fastest / speed : share);
    }
    return shares;
}

template <class Real>
const Buffer<Real>& PressureInflow<Real>::entering(const Buffer<Real>& flux) {
    if (!is_present_) return entering_;
    if (face_.size()) kernels::OrientedValues<Real>{.entity = face_, .x = flux, .value = inflow_}.run(domain_.device, {0, face_.size()});
    const std::vector<double> share = shares(inflow_.download());
    std::vector<Real> values(std::size_t(entering_.size()) * d_, Real(0));
    for (std::size_t i = 0; i < place_.size(); ++i)
        for (int k = 0; k < d_; ++k) values[k * std::size_t(entering_.size()) + place_[i]] = static_cast<Real>(share[i] * normal_[i][k]);
    if (entering_.size()) entering_.upload(values);
    return entering_;
}

template class PressureInflow<float>;
template class PressureInflow<double>;

}  // namespace solenoid

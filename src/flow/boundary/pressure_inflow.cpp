#include "flow/boundary/pressure_inflow.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "core/joined_words.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
PressureInflow<Real>::PressureInflow(const Domain& domain, const FlowBoundaries& boundaries)
    : domain_(domain),
      boundaries_(boundaries),
      d_(domain.dimension),
      conditions_(boundaries.settings().size()) {
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
        normal_.push_back(boundaries.area(face) /
                          glm::dot(boundaries.area(face), boundaries.area(face)));
        is_inward_.push_back(b.outward[k] < 0);
        oriented.push_back(b.outward[k] > 0 ? face | reversed : face);
    }
    face_ = uploaded(domain.device, oriented);
    inflow_ = domain.device.buffer<Real>(face_.size());
    entering_ = domain.device.buffer<Real>(static_cast<Index>(free.size()), d_);
    is_present_ = domain.comm.any(!place_.empty());
    if (!is_present_) return;
    std::vector<Index> with_duct, of_room;
    for (std::size_t i = 0; i < place_.size(); ++i) {
        const bool is_total = boundaries.condition(boundary_place_[i]).is_total();
        (is_total ? inlet_places_ : duct_places_).push_back(i);
        (is_total ? of_room : with_duct).push_back(boundary_place_[i]);
    }
    duct_ = std::make_unique<OutsideDuct>(domain, boundaries, with_duct);
    inlets_ = std::make_unique<InletMean>(domain, boundaries, of_room);
}

// For each face the net inflow of its boundary divided by all inflow of the boundary.
template <class Real>
std::vector<double> PressureInflow<Real>::net_shares(const std::vector<double>& inflow) const {
    std::vector<RankSum> parts(2 * conditions_);  // net inflow, inflow
    for (std::size_t i = 0; i < inflow.size(); ++i) {
        if (!is_marked_[i]) continue;
        parts[2 * condition_[i]] += inflow[i];
        parts[2 * condition_[i] + 1] += std::max(inflow[i], 0.0);
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    std::vector<double> shares;
    for (const std::size_t c : condition_)
        shares.push_back(sums[2 * c] > 0 ? sums[2 * c] / sums[2 * c + 1] : 0);
    for (const std::size_t i : inlet_places_) shares[i] = 1;
    return shares;
}

template <class Real>
std::vector<double> PressureInflow<Real>::inflow(const Field<Real>& flux) {
    kernels::OrientedValues<Real>{.entity = face_, .x = flux, .value = inflow_}.run(
        domain_.device, {0, face_.size()});
    if (!face_.size()) return {};
    const std::vector<Real> values = inflow_.download();
    return {values.begin(), values.end()};
}

template <class Real>
typename PressureInflow<Real>::Outside PressureInflow<Real>::outside() const {
    Outside all{std::vector<double>(place_.size(), 0.0),
                std::vector<std::array<double, 3>>(place_.size())};
    const std::vector<double> of_ducts = duct_->speeds(reach_);
    const auto at_nodes = duct_->node_speeds(reach_), of_inlets = inlets_->node_speeds();
    for (std::size_t i = 0; i < duct_places_.size(); ++i) {
        all.speed[duct_places_[i]] = of_ducts[i];
        all.at_nodes[duct_places_[i]] = at_nodes[i];
    }
    for (std::size_t i = 0; i < inlet_places_.size(); ++i) {
        all.at_nodes[inlet_places_[i]] = of_inlets[i];
        for (int j = 0; j < d_; ++j) all.speed[inlet_places_[i]] += of_inlets[i][j] / d_;
    }
    return all;
}

template <class Real>
void PressureInflow<Real>::look_ahead(double reach) {
    reach_ = reach;
    if (inlets_) inlets_->look_ahead(reach);
}

template <class Real>
const Buffer<Real>& PressureInflow<Real>::entering(const Field<Real>& flux) {
    if (!is_present_) return entering_;
    const std::vector<double> in = inflow(flux), net = net_shares(in);
    const Outside outside = this->outside();
    std::vector<Real> values(std::size_t(entering_.size()) * d_, Real(0));
    for (std::size_t i = 0; i < place_.size(); ++i) {
        const double own = in[i] * glm::length(normal_[i]);
        if (!(own > std::numeric_limits<Real>::min())) continue;
        const double share = net[i] * outside.speed[i] / own + (1 - net[i]) / 2;
        for (int k = 0; k < d_; ++k)
            values[k * std::size_t(entering_.size()) + place_[i]] =
                static_cast<Real>(share * normal_[i][k]);
    }
    if (entering_.size()) entering_.upload(values);
    return entering_;
}

template <class Real>
std::vector<EndVelocity> PressureInflow<Real>::ends(const Field<Real>& flux, bool of_difference) {
    std::vector<EndVelocity> ends;
    if (!is_present_) return ends;
    const std::vector<double> in = inflow(flux), net = net_shares(in);
    const Outside outside = this->outside();
    for (std::size_t i = 0; i < place_.size(); ++i) {
        if (!is_marked_[i]) continue;
        const double size = glm::length(normal_[i]), own = in[i] * size;
        const Vec3 inward = (is_inward_[i] ? 1.0 : -1.0) / size * normal_[i];
        EndVelocity end{
            (of_difference ? 0.0 : net[i] * outside.speed[i] + (1 - net[i]) / 2 * own) * inward,
            inward,
            {},
            (1 - net[i]) / 2};
        for (int j = 0; j < d_ && !of_difference; ++j)
            end.given[j] = net[i] * outside.at_nodes[i][j];
        ends.push_back(end);
    }
    return ends;
}

template <class Real>
void PressureInflow<Real>::start(const VectorFormula& initial, const Field<Real>& flux) {
    if (!is_present_) return;
    const std::vector<double> in = inflow(flux);
    const auto of = [&](const std::vector<std::size_t>& positions) {
        std::vector<double> values;
        for (const std::size_t i : positions) values.push_back(in[i]);
        return values;
    };
    duct_->start(initial, of(duct_places_));
    inlets_->start(of(inlet_places_));
}

template <class Real>
void PressureInflow<Real>::advance(const Field<Real>& flux, const std::vector<double>& viscosity,
                                   double step, double time) {
    if (!is_present_) return;
    const std::vector<double> in = inflow(flux);
    std::vector<double> of_ducts, here, of_inlets;
    for (const std::size_t i : duct_places_) {
        of_ducts.push_back(in[i]);
        here.push_back(viscosity[boundary_place_[i]]);
    }
    for (const std::size_t i : inlet_places_) of_inlets.push_back(in[i]);
    duct_->advance(of_ducts, here, step, time);
    inlets_->advance(of_inlets);
}

template <class Real>
void PressureInflow<Real>::register_state(const StateValues& state) {
    if (!is_present_) return;
    // by the boundaries' names: the lists of others may be as long
    const auto of = [&](bool is_total) {
        std::vector<std::string> names;
        for (const FlowBoundary& one : boundaries_.settings())
            if (one.condition->drives() && one.condition->is_total() == is_total)
                names.push_back(one.name);
        std::ranges::sort(names);
        return names.empty()
                   ? state
                   : state.owned_by(is_total ? "the total pressure at" : "the pressure at",
                                    joined_words(names, "\", \""));
    };
    duct_->register_state(of(false).part("ducts"));
    inlets_->register_state(of(true).part("inlets"));
}

template class PressureInflow<float>;
template class PressureInflow<double>;

}  // namespace solenoid

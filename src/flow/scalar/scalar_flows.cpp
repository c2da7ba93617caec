#include "flow/scalar/scalar_flows.hpp"

#include <algorithm>

namespace solenoid {

template <class Real>
ScalarFlows<Real>::ScalarFlows(const Domain& domain, const FlowBoundaries& flow,
                               const ScalarBoundaries& boundaries)
    : domain_(domain),
      flow_(flow),
      boundaries_(boundaries),
      probe_(domain.device, flow.faces().faces) {
    for (auto* list : {&convected_, &rate_, &monotone_, &all_convected_, &all_carried_})
        list->assign(flow.faces().faces.size(), 0.0);
    for (auto* list : {&gained_, &all_gained_}) list->assign(no_gains().size(), 0.0);
}

template <class Real>
auto ScalarFlows<Real>::no_gains() const -> Gains {
    return Gains(1 + domain_.mesh.mesh.boundaries.size());
}

template <class Real>
void ScalarFlows<Real>::add_diffused(const std::vector<double>& diffused, double weight,
                                     Gains& gains) const {
    std::vector<double> at_face(domain_.faces.shared, 0.0);
    for (std::size_t i = 0; i < diffused.size(); ++i)
        at_face[flow_.faces().faces[boundaries_.open()[i]]] = diffused[i];
    for (const Side& side : domain_.mesh.mesh.sides)
        if (side.face < domain_.faces.owned)
            gains[1 + side.boundary] += weight * at_face[side.face];
}

template <class Real>
void ScalarFlows<Real>::begin() {
    for (auto* all : {&all_convected_, &all_carried_, &all_gained_}) std::ranges::fill(*all, 0.0);
}

template <class Real>
void ScalarFlows<Real>::take_transport(const Field<Real>& transport, const Field<Real>& flux,
                                       const std::vector<double>& given, const Bdf2& bdf2) {
    // nothing diffuses through open faces by their transport
    std::vector<double> rate = probe_.read(transport);
    const std::vector<double> through = probe_.read(flux);
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Index k = boundaries_.given()[i];
        rate[k] = through[k] * given[i];
    }
    const double s = bdf2.reach(), c = bdf2.kept(), w = bdf2.w;
    for (std::size_t k = 0; k < rate.size(); ++k)
        convected_[k] = c * convected_[k] + s * ((1 + w) * rate[k] - w * rate_[k]);
    rate_ = std::move(rate);
}

template <class Real>
void ScalarFlows<Real>::take_monotone(const Field<Real>& carried) {
    monotone_ = probe_.read(carried);
}

// Convection and diffusion of a face are cut alike.
template <class Real>
void ScalarFlows<Real>::cut(const Field<Real>& excess, const Field<Real>& cut) {
    const std::vector<double> whole = probe_.read(excess), off = probe_.read(cut);
    for (std::size_t k = 0; k < whole.size(); ++k)
        if (off[k] != 0) convected_[k] -= off[k] / whole[k] * (convected_[k] - monotone_[k]);
}

template <class Real>
void ScalarFlows<Real>::take_gains(Gains rates, double c, double s) {
    domain_.comm.sum(std::span<RankSum>(rates));
    for (std::size_t i = 0; i < rates.size(); ++i) {
        gained_[i] = c * gained_[i] + s * rates[i];
        all_gained_[i] += gained_[i];
    }
}

template <class Real>
void ScalarFlows<Real>::take_carried(const Field<Real>& carried) {
    const std::vector<double> now = probe_.read(carried);
    for (std::size_t k = 0; k < now.size(); ++k) {
        all_carried_[k] += now[k];
        all_convected_[k] += convected_[k];
    }
}

template <class Real>
ScalarBalance ScalarFlows<Real>::balance(double length) {
    const Mesh& m = domain_.mesh.mesh;
    const BoundaryFaces& faces = flow_.faces();
    const std::size_t count = m.boundaries.size();
    std::vector<Index> place(domain_.faces.shared, none);
    for (Index k = 0; k < faces.faces.size(); ++k) place[faces.faces[k]] = k;
    std::vector<RankSum> sums(2 * count);
    for (const Side& side : m.sides) {
        if (side.face >= domain_.faces.owned || place[side.face] == none) continue;
        const Index k = place[side.face];
        sums[side.boundary] -= faces.outward[k] * all_convected_[k];
        sums[count + side.boundary] -= faces.outward[k] * (all_carried_[k] - all_convected_[k]);
    }
    domain_.comm.sum(std::span<RankSum>(sums));
    ScalarBalance balance;
    for (std::size_t b = 0; b < count; ++b) {
        balance.convected_in.push_back(sums[b] / length);
        balance.diffused_in.push_back((sums[count + b] + all_gained_[1 + b]) / length);
    }
    balance.source = all_gained_[0] / length;
    return balance;
}

template <class Real>
void ScalarFlows<Real>::register_state(const State<Real>& state) {
    state.add("convected", convected_, Kind::face, flow_.faces().faces);
    state.add("rate", rate_, Kind::face, flow_.faces().faces);
    state.add("gained", gained_);
    for (auto* all : {&all_convected_, &all_carried_, &all_gained_}) state.stack(*all);
}

template class ScalarFlows<float>;
template class ScalarFlows<double>;

}  // namespace solenoid

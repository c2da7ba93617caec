#include "heat/heat_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/upload.hpp"
#include "parallel/bytes.hpp"
#include "partition/components.hpp"

namespace solenoid {
namespace {

std::vector<Index> loaded_nodes(const HeatBoundaries& boundaries) {
    std::vector<Index> nodes;
    for (const BoundaryPart& part : boundaries.parts())
        if (part.condition().flux() || part.condition().exchange())
            nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<Index>& where) {
    std::vector<double> result(where.size());
    for (std::size_t k = 0; k < where.size(); ++k) result[k] = values[where[k]];
    return result;
}

}  // namespace

template <class Real>
HeatSystem<Real>::HeatSystem(const Domain& domain, const std::vector<MaterialSettings>& regions,
                             const std::vector<HeatBoundary>& boundaries,
                             const SolverSettings& settings, const CoupledNodes& coupled)
    : domain_(domain),
      settings_(settings),
      boundaries_(domain.comm, domain.mesh, boundaries, coupled),
      sources_vary_(std::any_of(
          regions.begin(), regions.end(),
          [](const MaterialSettings& region) { return region.source.depends_on_time(); })),
      heat_(discretized(regions)),
      matrix_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
              heat_.neighbours, heat_.weights),
      diffusion_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
                 std::move(heat_.neighbours), std::move(heat_.weights), boundaries_.fixed_nodes(),
                 {.kind = &preconditioner_kind(settings.preconditioner),
                  .is_mixed = settings.is_mixed,
                  .max_levels = settings.levels}),
      cg_(domain.comm, matrix_),
      loaded_(loaded_nodes(boundaries_)),
      watched_(domain.device, boundaries_.watched_nodes()),
      fixed_(domain.device, boundaries_.fixed_nodes()),
      fixed_write_(domain.device, boundaries_.fixed_nodes()),
      load_write_(domain.device, loaded_),
      exchange_write_(domain.device, loaded_),
      mass_(uploaded<Real>(domain.device, heat_.mass)) {
    for (auto* part : {&load_, &exchange_, &inverse_})
        *part = domain.device.buffer<Real>(domain.nodes.owned);
    std::vector<double> free(domain.nodes.owned, 1.0);
    for (const Index node : boundaries_.fixed_nodes()) free[node] = 0;
    matrix_.free().upload(std::vector<Real>(free.begin(), free.end()));
    find_parts();
    total_mass_ = domain.comm.sum(std::accumulate(heat_.mass.begin(), heat_.mass.end(), 0.0));
}

template <class Real>
HeatDiscretization HeatSystem<Real>::discretized(
    const std::vector<MaterialSettings>& regions) const {
    HeatDiscretization result;
    domain_.comm.agree([&] {
        result = discretize_heat(domain_.mesh, domain_.geometry, regions);
        add_pairs(boundaries_.pairs(), result.neighbours, result.weights);
    });
    return result;
}

// The mesh's components, of which contacts make fewer.
template <class Real>
void HeatSystem<Real>::find_parts() {
    part_ = domain_.mesh.node_component;
    parts_ = domain_.mesh.components;
    std::vector<std::array<Index, 2>> links;
    for (const ContactPair& pair : boundaries_.pairs())
        if (part_[pair.node] != part_[pair.partner])
            links.push_back({part_[pair.node], part_[pair.partner]});
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    links = gathered(domain_.comm, links);
    if (links.empty()) return;
    std::vector<Index> ends;  // as if components were nodes, and links cells of two
    for (const auto& link : links) ends.insert(ends.end(), link.begin(), link.end());
    const Components joined = connected_components(ends, 1, parts_);
    parts_ = joined.count;
    for (Index& part : part_) part = joined.of_node[part];
}

template <class Real>
Field<Real> HeatSystem<Real>::temperature(const Formula& initial) const {
    std::vector<Real> values(domain_.nodes.all, Real(0));
    domain_.comm.agree([&] {
        for (Index i = 0; i < domain_.nodes.owned; ++i)
            values[i] = static_cast<Real>(initial.finite_value(domain_.mesh.mesh.points[i]));
    });
    auto t = domain_.field<Real>(Kind::node);
    t.upload(values);
    return t;
}

template <class Real>
void HeatSystem<Real>::set_lack(const std::vector<TimePoint>& points,
                                const std::vector<TimePoint>& stages) {
    lack_ = {std::vector<double>(domain_.nodes.owned, 0.0),
             std::vector<double>(boundaries_.parts().size(), 0.0), 0};
    domain_.comm.agree([&] {
        const auto add = [&](const TimePoint& at, double sign) {
            for (const SourcePart& part : heat_.sources)
                for (std::size_t k = 0; k < part.nodes.size(); ++k) {
                    const double made =
                        sign * at.weight * part.volume[k] *
                        part.source.finite_value(domain_.mesh.mesh.points[part.nodes[k]], at.t);
                    lack_.at_nodes[part.nodes[k]] += made;
                    lack_.source += made;
                }
            boundaries_.add_integrable(at.t, sign * at.weight, lack_.at_nodes, lack_.flow);
        };
        for (const TimePoint& point : points) add(point, 1);
        for (const TimePoint& stage : stages) add(stage, -1);
    });
    lack_values_ = uploaded<Real>(domain_.device, lack_.at_nodes);
}

template <class Real>
void HeatSystem<Real>::update_boundary(double when) {
    const bool first = !has_seen_;
    if (!first && !sources_vary_ && !boundaries_.depends_on_time()) return;
    domain_.comm.agree([&] {
        host_load_.assign(domain_.nodes.owned, 0.0);
        host_exchange_.assign(domain_.nodes.owned, 0.0);
        source_total_ = 0;
        for (const SourcePart& part : heat_.sources)
            for (std::size_t k = 0; k < part.nodes.size(); ++k) {
                const double made =
                    part.volume[k] *
                    part.source.finite_value(domain_.mesh.mesh.points[part.nodes[k]], when);
                host_load_[part.nodes[k]] += made;
                source_total_ += made;
            }
        boundaries_.add_loads(when, host_load_, host_exchange_);
        for (std::size_t i = 0; i < lack_.at_nodes.size(); ++i) host_load_[i] += lack_.at_nodes[i];
    });
    has_seen_ = true;
    if (first || sources_vary_) {
        load_ = uploaded<Real>(domain_.device, host_load_);
        exchange_ = uploaded<Real>(domain_.device, host_exchange_);
    } else {
        load_write_.write(picked(host_load_, loaded_), load_);
        exchange_write_.write(picked(host_exchange_, loaded_), exchange_);
    }
}

template <class Real>
void HeatSystem<Real>::impose_fixed_values(double when, Field<Real>& t) {
    std::vector<double> values;
    domain_.comm.agree([&] { values = boundaries_.fixed_values(when); });
    fixed_write_.write(values, t);
}

template <class Real>
void HeatSystem<Real>::prepare(double s) {
    const Over own = this->own();
    own[matrix_.shift()] = s * mass_ + exchange_;
    const auto diagonal = matrix_.shift() + matrix_.diagonal();
    own[inverse_] = where(diagonal > 0, matrix_.free() / diagonal, 0);
    std::vector<double> shift(host_exchange_);
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] += s * heat_.mass[i];
    preconditioner_ = &diffusion_.prepare(
        shift, preconditioner_kind(settings_.preconditioner).scales_by_diagonal ? inverse_
                                                                                : matrix_.free());
    solves_.preconditioner = diffusion_.summary();
}

template <class Real>
CgSettings HeatSystem<Real>::cg_settings() const {
    CgSettings settings{settings_.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                        settings_.max_iterations};
    // long steps of what conducts well: a change that is nearly uniform, of which differences alone
    // count
    settings.takes_rounding = !settings_.tolerance;
    return settings;
}

template <class Real>
void HeatSystem<Real>::solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& how,
                             double when) {
    const SolveReport report = cg_.solve(*preconditioner_, b, x, how);
    solves_.add(report);
    if (report.converged()) return;
    domain_.comm.agree([&] {
        throw ComputationError(fmt::format("temperature at t = {:.6g} s: {}", when,
                                           report.explanation("temperature")));
    });
}

template <class Real>
auto HeatSystem<Real>::watch(double when, const Field<Real>& t, const Buffer<Real>& f) -> Watch {
    Watch seen;
    seen.temperature = watched_.read(boundaries_.has_contacts() ? t.with_ghosts() : t.values());
    const std::vector<double> net = fixed_.read(f);
    domain_.comm.agree([&] { seen.flow = boundaries_.flows(when, seen.temperature, net); });
    seen.source = source_total_;
    return seen;
}

template <class Real>
std::array<double, 2> HeatSystem<Real>::extrema(const Field<Real>& t) const {
    const auto [low, high] = own().reduce(least(t), greatest(t));
    return {domain_.comm.min(low), domain_.comm.max(high)};
}

template <class Real>
double HeatSystem<Real>::temperature_range(const Field<Real>& t, double time) {
    const auto [low, high] = extrema(t);
    seen_low_ = std::min(seen_low_, low);
    seen_high_ = std::max(seen_high_, high);
    for (const BoundaryPart& part : boundaries_.parts()) {
        if (!part.condition().exchange()) continue;
        for (const Index node : part.nodes) {
            const double ambient =
                part.condition().exchange()->ambient(domain_.mesh.mesh.points[node], time);
            seen_low_ = std::min(seen_low_, ambient);
            seen_high_ = std::max(seen_high_, ambient);
        }
    }
    seen_low_ = domain_.comm.min(seen_low_);
    seen_high_ = domain_.comm.max(seen_high_);
    return std::max(seen_high_ - seen_low_,
                    1e-12 * std::max(std::abs(seen_high_), std::abs(seen_low_)));
}

template <class Real>
void HeatSystem<Real>::anchor_components(const Field<Real>& t) {
    const std::vector<Index>& component = part_;
    const std::size_t n = parts_;
    std::vector<double> anchor(n, 0), net(n, 0), gross(n, 0), weight(n, 0), mean(n, 0);
    const std::vector<Real> values = t.download();
    for (const Index node : boundaries_.fixed_nodes()) anchor[component[node]] = 1;
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        const Index c = component[i];
        if (host_exchange_[i] > 0) anchor[c] = 1;
        net[c] += host_load_[i];
        gross[c] += std::abs(host_load_[i]);
        weight[c] += heat_.mass[i];
        mean[c] += heat_.mass[i] * values[i];
    }
    domain_.comm.max(anchor);
    for (auto* sums : {&net, &gross, &weight, &mean}) domain_.comm.sum(*sums);
    anchored_.assign(anchor.begin(), anchor.end());
    free_mean_.assign(n, 0);
    for (std::size_t c = 0; c < n; ++c) {
        if (anchored_[c]) continue;
        domain_.comm.agree([&] {
            if (std::abs(net[c]) <= 1e-6 * gross[c]) return;
            throw InputError(
                fmt::format("the steady heat problem has no solution: a net {:.6g} W flows into {} "
                            "where no temperature is fixed or exchanged; give a boundary the "
                            "type \"temperature\" or \"convection\", or add [time]",
                            net[c], n == 1 ? "the body" : "a connected part of it"));
        });
        free_mean_[c] = mean[c] / weight[c];
        for (Index i = 0; i < domain_.nodes.owned; ++i)
            if (component[i] == c) host_load_[i] -= net[c] * heat_.mass[i] / weight[c];
    }
    load_ = uploaded<Real>(domain_.device, host_load_);
}

template <class Real>
void HeatSystem<Real>::restore_means(Field<Real>& t) const {
    if (std::find(anchored_.begin(), anchored_.end(), false) == anchored_.end()) return;
    const std::vector<Index>& component = part_;
    const std::size_t n = parts_;
    std::vector<double> weight(n, 0), mean(n, 0);
    std::vector<Real> values = t.download();
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        weight[component[i]] += heat_.mass[i];
        mean[component[i]] += heat_.mass[i] * values[i];
    }
    domain_.comm.sum(weight);
    domain_.comm.sum(mean);
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        const Index c = component[i];
        if (!anchored_[c]) values[i] += static_cast<Real>(free_mean_[c] - mean[c] / weight[c]);
    }
    t.upload(values);
}

template class HeatSystem<float>;
template class HeatSystem<double>;

}  // namespace solenoid

#include "heat/heat_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/expression.hpp"
#include "device/upload.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// The nodes of boundary parts with a flux or an exchange, ascending.
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
      floating_(domain, boundaries_.pairs()),
      matrix_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
              heat_.neighbours, heat_.weights),
      diffusion_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
                 std::move(heat_.neighbours), std::move(heat_.weights), boundaries_.fixed_nodes(),
                 {.kind = &preconditioner_kind(settings.preconditioner),
                  .is_mixed = settings.is_mixed,
                  .max_levels = settings.levels}),
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
    total_mass_ = sum_over_ranks(domain.comm, heat_.mass.size(),
                                 [&](std::size_t i) { return heat_.mass[i]; });
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
void HeatSystem<Real>::begin_load_correction(const std::vector<TimePoint>& points,
                                             const std::vector<TimePoint>& stages) {
    correction_ = {std::vector<double>(domain_.nodes.owned, 0.0), {}, 0};
    std::vector<RankSum> flow(boundaries_.parts().size());
    RankSum source;
    domain_.comm.agree([&] {
        const auto add = [&](const TimePoint& at, double sign) {
            for (const SourcePart& part : heat_.sources)
                for (std::size_t k = 0; k < part.nodes.size(); ++k) {
                    const double made =
                        sign * at.weight * part.volume[k] *
                        part.source.finite_value(domain_.mesh.mesh.points[part.nodes[k]], at.t);
                    correction_.at_nodes[part.nodes[k]] += made;
                    source += made;
                }
            boundaries_.add_integrable(at.t, sign * at.weight, correction_.at_nodes, flow);
        };
        for (const TimePoint& point : points) add(point, 1);
        for (const TimePoint& stage : stages) add(stage, -1);
    });
    correction_.flow = shares(domain_.comm, std::move(flow));
    correction_.source = shares(domain_.comm, {source})[0];
    correction_at_nodes_ = uploaded<Real>(domain_.device, correction_.at_nodes);
}

template <class Real>
void HeatSystem<Real>::update_boundary(double when) {
    const bool first = !is_updated_;
    if (!first && !sources_vary_ && !boundaries_.depends_on_time()) return;
    RankSum made_here;
    domain_.comm.agree([&] {
        host_load_.assign(domain_.nodes.owned, 0.0);
        host_exchange_.assign(domain_.nodes.owned, 0.0);
        for (const SourcePart& part : heat_.sources)
            for (std::size_t k = 0; k < part.nodes.size(); ++k) {
                const double made =
                    part.volume[k] *
                    part.source.finite_value(domain_.mesh.mesh.points[part.nodes[k]], when);
                host_load_[part.nodes[k]] += made;
                made_here += made;
            }
        boundaries_.add_loads(when, host_load_, host_exchange_);
        for (std::size_t i = 0; i < correction_.at_nodes.size(); ++i)
            host_load_[i] += correction_.at_nodes[i];
    });
    source_total_ = shares(domain_.comm, {made_here})[0];
    is_updated_ = true;
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
    boundaries_.remark_meetings(domain_.comm, when);
    fixed_write_.write(values, t);
}

template <class Real>
Preconditioner<Real>& HeatSystem<Real>::prepare(double s) {
    const Over own = this->own();
    own[matrix_.shift()] = s * mass_ + exchange_;
    const auto diagonal = matrix_.shift() + matrix_.diagonal();
    own[inverse_] = where(diagonal > 0, matrix_.free() / diagonal, 0);
    std::vector<double> shift(host_exchange_);
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] += s * heat_.mass[i];
    return diffusion_.prepare(
        shift, preconditioner_kind(settings_.preconditioner).scales_by_diagonal ? inverse_
                                                                                : matrix_.free());
}

template <class Real>
auto HeatSystem<Real>::watch(double when, const Field<Real>& t, const Buffer<Real>& f) -> Watch {
    Watch seen;
    seen.temperature = watched_.read(boundaries_.has_contacts() ? t.with_ghosts() : t.values());
    const std::vector<double> net = fixed_.read(f);
    std::vector<RankSum> flow;
    domain_.comm.agree([&] { flow = boundaries_.flows(when, seen.temperature, net); });
    seen.flow = shares(domain_.comm, std::move(flow));
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
    least_seen_ = std::min(least_seen_, low);
    greatest_seen_ = std::max(greatest_seen_, high);
    for (const BoundaryPart& part : boundaries_.parts()) {
        if (!part.condition().exchange()) continue;
        for (const Index node : part.nodes) {
            const double ambient =
                part.condition().exchange()->ambient(domain_.mesh.mesh.points[node], time);
            least_seen_ = std::min(least_seen_, ambient);
            greatest_seen_ = std::max(greatest_seen_, ambient);
        }
    }
    least_seen_ = domain_.comm.min(least_seen_);
    greatest_seen_ = domain_.comm.max(greatest_seen_);
    return std::max(greatest_seen_ - least_seen_,
                    1e-12 * std::max(std::abs(greatest_seen_), std::abs(least_seen_)));
}

template <class Real>
void HeatSystem<Real>::find_floating_parts(const Field<Real>& t) {
    const std::vector<Real> values = t.download();
    const std::vector<double> temperature(values.begin(), values.end());
    floating_.find({boundaries_.fixed_nodes(), host_exchange_, heat_.mass, temperature},
                   host_load_);
    load_ = uploaded<Real>(domain_.device, host_load_);
}

template <class Real>
void HeatSystem<Real>::restore_means(Field<Real>& t) const {
    if (!floating_.exist()) return;
    std::vector<Real> values = t.download();
    const std::vector<double> corrections =
        floating_.corrections(heat_.mass, {values.begin(), values.end()});
    for (std::size_t i = 0; i < corrections.size(); ++i)
        values[i] += static_cast<Real>(corrections[i]);
    t.upload(values);
}

template <class Real>
void HeatSystem<Real>::register_state(const State<Real>& state) {
    state.off_stack().add("least_seen", least_seen_);
    state.off_stack().add("greatest_seen", greatest_seen_);
    diffusion_.register_state(state.off_stack().part("preconditioner"), Kind::node);
}

template <class Real>
HeatSystem<Real>::~HeatSystem() = default;

template class HeatSystem<float>;
template class HeatSystem<double>;

}  // namespace solenoid

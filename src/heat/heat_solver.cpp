#include "heat/heat_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "solvers/diffusion_preconditioner.hpp"

namespace solenoid {
namespace {

// TR-BDF2 in the form of Hosea & Shampine: stages at t, t + gamma dt, t + dt; weights w, w, d.
const double d = 1 - 1 / std::sqrt(2.0);
const double gamma = 2 * d;
const double w = std::sqrt(2.0) / 4;
// Weights of the embedded third-order formula.
const std::array<double, 3> embedded{(1 - w) / 3, (3 * w + 1) / 3, d / 3};

// Values of a field at chosen entities, brought to the host through a small staging buffer.
template <class Real>
class Probe {
  public:
    Probe(Device& device, const std::vector<Index>& where)
        : device_(device),
          where_(device.buffer<std::uint32_t>(std::span<const std::uint32_t>(where))),
          staging_(device.staging(std::max<std::size_t>(where.size(), 1) * sizeof(Real))) {}

    std::vector<double> read(const Buffer<Real>& field) {
        if (!where_.size()) return {};
        device_.gather(field.storage(), where_.storage(), *staging_);
        staging_->wait();
        const Real* values = reinterpret_cast<const Real*>(staging_->data());
        return {values, values + where_.size()};
    }

  private:
    Device& device_;
    Buffer<std::uint32_t> where_;
    std::unique_ptr<Staging> staging_;
};

// A field's values at chosen nodes, written from the host by the boundary write.
template <class Real>
class BoundaryWrite {
  public:
    BoundaryWrite(Device& device, const std::vector<Index>& where)
        : device_(device),
          where_(device.buffer<std::uint32_t>(std::span<const std::uint32_t>(where))),
          value_(device.buffer<Real>(where_.size())) {}

    void write(const std::vector<double>& values, Buffer<Real>& field) {
        if (!where_.size()) return;
        const std::vector<Real> rounded(values.begin(), values.end());
        value_.upload(rounded);
        device_.scatter(value_, where_, field);
    }

  private:
    Device& device_;
    Buffer<std::uint32_t> where_;
    Buffer<Real> value_;
};

template <class Real>
Buffer<Real> uploaded(Device& device, const std::vector<double>& values) {
    const std::vector<Real> rounded(values.begin(), values.end());
    return device.buffer<Real>(std::span<const Real>(rounded));
}

std::vector<double> sum_of(double a, const std::vector<double>& x, double b, const std::vector<double>& y) {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = a * x[i] + b * y[i];
    return result;
}

// The nodes where boundary parts load the body or exchange heat with it.
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

double HeatBalance::imbalance() const {
    double sum = source - storage;
    for (double flow : boundary) sum += flow;
    return sum;
}

// What the body sees at one time: loads and exchange coefficients, here and on the device.
template <class Real>
struct HeatSolver<Real>::State {
    State(const Communicator& comm, Device& device, const DistributedMesh& mesh,
          const std::vector<MaterialSettings>& regions,
          const std::vector<HeatBoundary>& boundary_settings, const Formula& initial,
          const SolverSettings& settings)
        : comm(comm),
          device(device),
          mesh(mesh),
          ranges(mesh.range(Kind::node)),
          marked(device, ranges.marked()),
          whole(device, ranges.whole()),
          settings(settings),
          boundaries(comm, mesh, boundary_settings),
          heat(agreed_discretization(regions)),
          matrix(comm, device, ranges, mesh.halo(Kind::node), heat.neighbours, heat.weights),
          diffusion(comm, device, ranges, mesh.halo(Kind::node), std::move(heat.neighbours), std::move(heat.weights), boundaries.fixed_nodes(),
                    {.preconditioner = settings.preconditioner, .is_mixed = settings.is_mixed, .max_levels = settings.levels}),
          cg(comm, device, matrix),
          loaded(loaded_nodes(boundaries)),
          watch(device, boundaries.watched_nodes()),
          watch_fixed(device, boundaries.fixed_nodes()),
          fixed_write(device, boundaries.fixed_nodes()),
          load_write(device, loaded),
          exchange_write(device, loaded),
          mass(uploaded<Real>(device, heat.mass)) {
        for (auto* field : {&t, &t_old, &change}) *field = device.buffer<Real>(ranges.all);
        for (auto* field : {&load, &exchange, &inverse, &rhs, &rate[0], &rate[1], &rate[2], &guess_rate})
            *field = device.buffer<Real>(ranges.owned);
        prescribe_fixed_rows();
        total_mass = comm.sum(std::accumulate(heat.mass.begin(), heat.mass.end(), 0.0));
        set_initial(initial);
        see(0);
    }

    HeatDiscretization agreed_discretization(const std::vector<MaterialSettings>& regions) const {
        HeatDiscretization result;
        comm.agree([&] { result = discretize_heat(mesh, regions); });
        return result;
    }

    void prescribe_fixed_rows() {
        std::vector<double> free(ranges.owned, 1.0);
        for (Index node : boundaries.fixed_nodes()) free[node] = 0;
        const std::vector<Real> rounded(free.begin(), free.end());
        matrix.free().upload(rounded);
    }

    void set_initial(const Formula& initial) {
        std::vector<Real> values(ranges.all, Real(0));
        comm.agree([&] {
            for (Index i = 0; i < ranges.owned; ++i)
                values[i] = static_cast<Real>(initial.finite_value(mesh.mesh.points[i]));
        });
        t.upload(values);
    }

    // Loads and exchange at time `when`; values change by boundary writes, whole fields only where sources
    // vary in time.
    void see(double when) {
        const bool first = host_load.empty();
        const bool sources_vary =
            std::any_of(heat.sources.begin(), heat.sources.end(),
                        [](const SourcePart& part) { return part.source.depends_on_time(); });
        if (!first && !sources_vary && !boundaries.depends_on_time()) return;
        comm.agree([&] {
            host_load.assign(ranges.owned, 0.0);
            host_exchange.assign(ranges.owned, 0.0);
            source_total = 0;
            for (const SourcePart& part : heat.sources)
                for (std::size_t k = 0; k < part.nodes.size(); ++k) {
                    const double made =
                        part.volume[k] * part.source.finite_value(mesh.mesh.points[part.nodes[k]], when);
                    host_load[part.nodes[k]] += made;
                    source_total += made;
                }
            boundaries.add_loads(when, host_load, host_exchange);
        });
        if (first || sources_vary) {
            load = uploaded<Real>(device, host_load);
            exchange = uploaded<Real>(device, host_exchange);
        } else {
            load_write.write(picked(host_load, loaded), load);
            exchange_write.write(picked(host_exchange, loaded), exchange);
        }
    }

    void hold_fixed_values(double when) {
        std::vector<double> values;
        comm.agree([&] { values = boundaries.fixed_values(when); });
        fixed_write.write(values, t);
    }

    // The matrix s M + K + H and its preconditioner.
    void prepare_matrix(double s) {
        marked[matrix.shift()] = s * mass + exchange;
        const auto diagonal = matrix.shift() + matrix.diagonal();
        marked[inverse] = where(diagonal > 0, matrix.free() / diagonal, 0);
        preconditioner = &diffusion.prepare(sum_of(s, heat.mass, 1, host_exchange), settings.preconditioner == "none" ? matrix.free() : inverse);
        solves.preconditioner = diffusion.summary();
    }

    CgSettings cg_settings() const {
        return {settings.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                settings.max_iterations};
    }

    void solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& how, double when) {
        const SolveReport report = cg.solve(*preconditioner, b, x, how);
        solves.add(report);
        if (report.converged()) return;
        comm.agree([&] {
            throw ComputationError(
                fmt::format("temperature at t = {:.6g} s: {}", when, report.explanation("temperature")));
        });
    }

    // Net heat flow into every node at temperature t: F = b - (K + H) T.
    void net_flow(Buffer<Real>& f) { matrix.residual_everywhere(exchange, load, t, f); }

    // Flows through the boundary parts now, of this rank, and the watched temperatures.
    struct Watch {
        std::vector<double> flow, temperature;
        double source = 0;
    };
    Watch watch_flows(double when, const Buffer<Real>& f) {
        Watch seen;
        seen.temperature = watch.read(t);
        const std::vector<double> net = watch_fixed.read(f);
        comm.agree([&] { seen.flow = boundaries.flows(when, seen.temperature, net); });
        seen.source = source_total;
        return seen;
    }

    // One implicit stage that ends at `when`: solves for the change of t, adds it, and leaves F there in `f`.
    void stage(double when, double s, double c0, double c1, Buffer<Real>& f) {
        see(when);
        prepare_matrix(s);
        hold_fixed_values(when);
        net_flow(guess_rate);
        marked[rhs] = matrix.free() * (mass * (s * (t_old - t)) + (c0 * rate[0] + c1 * rate[1]) + guess_rate);
        whole[change] = 0;
        solve(rhs, change, cg_settings(), when);
        marked[t] += change;
        net_flow(f);
    }

    // Root mean square of the difference between the two formulas, smoothed by the stage's matrix (Hosea &
    // Shampine).
    double estimated_error(double when) {
        const double last = d - embedded[2];
        const double c0 = (w - embedded[0]) / last, c1 = (w - embedded[1]) / last;
        marked[rhs] = matrix.free() * ((c0 * rate[0] + c1 * rate[1]) + rate[2]);
        whole[change] = 0;
        const double largest = solves.residual;
        solve(rhs, change, {1e-3, settings.max_iterations}, when);
        solves.residual = largest;  // this solve may be rough: its residual says nothing of the temperature
        const double square = comm.sum(marked.dot(mass * change, change));
        return std::sqrt(square / total_mass) * last / d;
    }

    std::array<double, 2> extrema() {
        const auto [low, high] = marked.reduce(least(t), greatest(t));
        return {comm.min(low), comm.max(high)};
    }

    // The range of temperature that errors are measured against: that of the body so far and of what
    // surrounds it.
    double temperature_range() {
        const auto [low, high] = extrema();
        seen_low = std::min(seen_low, low);
        seen_high = std::max(seen_high, high);
        for (const BoundaryPart& part : boundaries.parts()) {
            if (!part.condition().exchange()) continue;
            for (Index node : part.nodes) {
                const double ambient = part.condition().exchange()->ambient(mesh.mesh.points[node], time);
                seen_low = std::min(seen_low, ambient);
                seen_high = std::max(seen_high, ambient);
            }
        }
        seen_low = comm.min(seen_low);
        seen_high = comm.max(seen_high);
        return std::max(seen_high - seen_low, 1e-12 * std::max(std::abs(seen_high), std::abs(seen_low)));
    }

    void anchor_components();
    void restore_means();

    const Communicator& comm;
    Device& device;
    const DistributedMesh& mesh;
    const EntityRanges ranges;
    const Over marked, whole;  // nodes
    const SolverSettings settings;
    HeatBoundaries boundaries;
    HeatDiscretization heat;
    DifferenceMatrix<Real> matrix;
    DiffusionPreconditioner<Real> diffusion;
    Preconditioner<Real>* preconditioner = nullptr;  // of the matrix under way
    ConjugateGradients<Real> cg;
    std::vector<Index> loaded;
    Probe<Real> watch, watch_fixed;
    BoundaryWrite<Real> fixed_write, load_write, exchange_write;
    Buffer<Real> mass, load, exchange, inverse, rhs, guess_rate;
    Buffer<Real> t, t_old, change;     // temperature, at the step's start, change of a stage
    std::array<Buffer<Real>, 3> rate;  // F at the step's three stages
    std::vector<double> host_load, host_exchange;
    std::vector<double> free_mean;  // wanted mean of components without an anchor, steady
    std::vector<bool> anchored;
    double source_total = 0, total_mass = 0, time = 0, old_time = 0;
    double seen_low = 1e300, seen_high = -1e300;
    bool has_rate = false;
    Watch first_watch, last_watch;
    HeatBalance balance;
    SolveTotals solves;
};

// A steady problem on a connected part without any fixed or exchanged temperature has a solution only where
// its loads cancel, and then one up to a constant: the mean of the initial temperature is kept.
template <class Real>
void HeatSolver<Real>::State::anchor_components() {
    const std::size_t n = mesh.components;
    std::vector<double> anchor(n, 0), net(n, 0), gross(n, 0), weight(n, 0), mean(n, 0);
    const std::vector<Real> values = t.download();
    for (Index node : boundaries.fixed_nodes()) anchor[mesh.node_component[node]] = 1;
    for (Index i = 0; i < ranges.owned; ++i) {
        const Index c = mesh.node_component[i];
        if (host_exchange[i] > 0) anchor[c] = 1;
        net[c] += host_load[i];
        gross[c] += std::abs(host_load[i]);
        weight[c] += heat.mass[i];
        mean[c] += heat.mass[i] * values[i];
    }
    comm.max(anchor);
    for (auto* sums : {&net, &gross, &weight, &mean}) comm.sum(*sums);
    anchored.assign(anchor.begin(), anchor.end());
    free_mean.assign(n, 0);
    for (std::size_t c = 0; c < n; ++c) {
        if (anchored[c]) continue;
        comm.agree([&] {
            if (std::abs(net[c]) <= 1e-6 * gross[c]) return;
            throw InputError(fmt::format(
                "the steady heat problem has no solution: a net {:.6g} W flows into {} where no temperature "
                "is fixed "
                "or exchanged; give a boundary the type \"temperature\" or \"convection\", or add [time]",
                net[c], n == 1 ? "the body" : "a connected part of it"));
        });
        free_mean[c] = mean[c] / weight[c];
        for (Index i = 0; i < ranges.owned; ++i)
            if (mesh.node_component[i] == c) host_load[i] -= net[c] * heat.mass[i] / weight[c];
    }
    load = uploaded<Real>(device, host_load);
}

template <class Real>
void HeatSolver<Real>::State::restore_means() {
    if (std::find(anchored.begin(), anchored.end(), false) == anchored.end()) return;
    const std::size_t n = mesh.components;
    std::vector<double> weight(n, 0), mean(n, 0);
    std::vector<Real> values = t.download();
    for (Index i = 0; i < ranges.owned; ++i) {
        weight[mesh.node_component[i]] += heat.mass[i];
        mean[mesh.node_component[i]] += heat.mass[i] * values[i];
    }
    comm.sum(weight);
    comm.sum(mean);
    for (Index i = 0; i < ranges.owned; ++i) {
        const Index c = mesh.node_component[i];
        if (!anchored[c]) values[i] += static_cast<Real>(free_mean[c] - mean[c] / weight[c]);
    }
    t.upload(values);
}

template <class Real>
HeatSolver<Real>::HeatSolver(const Communicator& comm, Device& device, const DistributedMesh& mesh,
                             const std::vector<MaterialSettings>& regions,
                             const std::vector<HeatBoundary>& boundaries, const Formula& initial,
                             const SolverSettings& settings)
    : state_(std::make_unique<State>(comm, device, mesh, regions, boundaries, initial, settings)) {
    state_->hold_fixed_values(0);
}

template <class Real>
HeatSolver<Real>::~HeatSolver() = default;

template <class Real>
void HeatSolver<Real>::anchor() {
    state_->anchor_components();
}

template <class Real>
void HeatSolver<Real>::solve_steady() {
    State& s = *state_;
    s.anchor_components();
    s.prepare_matrix(0);
    // b of the free unknowns: loads less what the fixed values contribute, with t holding those values alone.
    s.device.copy(s.t, s.t_old);
    s.whole[s.t] = 0;
    s.hold_fixed_values(0);
    s.matrix.residual(s.load, s.t, s.rhs);
    // The unknowns start from the initial temperature, 0 where fixed.
    s.marked[s.change] = s.matrix.free() * s.t_old;
    s.solve(s.rhs, s.change, s.cg_settings(), 0);
    s.marked[s.t] += s.change;
    s.restore_means();
    s.net_flow(s.rate[0]);
    auto seen = s.watch_flows(0, s.rate[0]);
    s.comm.sum(seen.flow);
    s.balance = {seen.flow, s.comm.sum(seen.source), 0};
}

template <class Real>
double HeatSolver<Real>::step(double dt, bool estimate_error) {
    State& s = *state_;
    if (!s.has_rate) {
        s.see(s.time);
        s.net_flow(s.rate[0]);
        s.last_watch = s.watch_flows(s.time, s.rate[0]);
        s.has_rate = true;
    }
    s.first_watch = s.last_watch;
    s.old_time = s.time;
    s.device.copy(s.t, s.t_old);

    s.stage(s.time + gamma * dt, 1 / (d * dt), 1, 0, s.rate[1]);
    const auto middle = s.watch_flows(s.time + gamma * dt, s.rate[1]);
    s.marked[s.t] = (1 - 1 / gamma) * s.t_old + 1 / gamma * s.t;
    s.stage(s.time + dt, 1 / (d * dt), w / d, w / d, s.rate[2]);
    s.time += dt;
    s.last_watch = s.watch_flows(s.time, s.rate[2]);

    // Mean flows over the step, with the weights of the method, so that they balance what is stored.
    std::vector<double> flow = sum_of(1, sum_of(w, s.first_watch.flow, w, middle.flow), d, s.last_watch.flow);
    std::vector<double> heating(s.boundaries.fixed_nodes().size());
    for (std::size_t k = 0; k < heating.size(); ++k)
        heating[k] = s.heat.mass[s.boundaries.fixed_nodes()[k]] *
                     (s.last_watch.temperature[k] - s.first_watch.temperature[k]) / dt;
    s.boundaries.add_reactions(heating, flow);
    s.comm.sum(flow);
    const double stored = s.comm.sum(s.marked.sum(product(s.mass, s.t - s.t_old)));
    s.balance = {flow, s.comm.sum(w * s.first_watch.source + w * middle.source + d * s.last_watch.source),
                 stored / dt};

    const double error = estimate_error ? s.estimated_error(s.time) / s.temperature_range() : 0;
    std::swap(s.rate[0], s.rate[2]);
    return error;
}

template <class Real>
void HeatSolver<Real>::undo() {
    State& s = *state_;
    s.device.copy(s.t_old, s.t);
    std::swap(s.rate[0], s.rate[2]);
    s.time = s.old_time;
    s.last_watch = s.first_watch;
}

template <class Real>
double HeatSolver<Real>::time() const {
    return state_->time;
}

template <class Real>
std::vector<double> HeatSolver<Real>::temperature() const {
    state_->matrix.halo().exchange(state_->t);
    const std::vector<Real> values = state_->t.download();
    return {values.begin(), values.end()};
}

template <class Real>
std::array<double, 2> HeatSolver<Real>::extrema() const {
    return state_->extrema();
}

template <class Real>
const HeatBalance& HeatSolver<Real>::balance() const {
    return state_->balance;
}

template <class Real>
const SolveTotals& HeatSolver<Real>::solves() const {
    return state_->solves;
}

template <class Real>
const HeatBoundaries& HeatSolver<Real>::boundaries() const {
    return state_->boundaries;
}

template <class Real>
std::size_t HeatSolver<Real>::halo_bytes() const {
    return state_->matrix.halo_bytes();
}

template class HeatSolver<float>;
template class HeatSolver<double>;

}  // namespace solenoid

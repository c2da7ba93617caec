#include "wave/wave_system.hpp"

#include "device/expression.hpp"
#include "device/upload.hpp"

namespace solenoid {

NodeDifferences wave_stiffness(const Domain& domain, const Formula& speed) {
    const Formula square = speed * speed;
    NodeDifferences stiffness;
    domain.comm.agree([&] {
        std::vector<double> at_cells;
        for (const Vec3& centroid : domain.geometry.cell_centroid) {
            speed.positive_value(centroid);  // the square would hide a sign
            at_cells.push_back(square.positive_value(centroid));
        }
        stiffness = node_differences(domain.mesh, at_cells);
    });
    return stiffness;
}

template <class Real>
WaveSystem<Real>::WaveSystem(const Domain& domain, const WaveCase& wave,
                             const NodeDifferences& stiffness)
    : domain_(domain),
      wave_(wave),
      given_(domain.comm, domain.mesh, wave.boundaries),
      given_write_(domain.device, given_.nodes()),
      host_mass_(dual_volumes(domain.mesh, domain.geometry)),
      absorbing_(domain, wave.boundaries, wave.wave.speed),
      stiffness_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
                 stiffness.neighbours, stiffness.weights),
      mass_(uploaded<Real>(domain.device, host_mass_)),
      damping_(uploaded<Real>(domain.device, absorbing_.damping())),
      no_shift_(domain.device.buffer<Real>(domain.nodes.owned)) {
    std::vector<double> free(domain.nodes.owned, 1.0);
    for (const Index node : given_.nodes()) free[node] = 0;
    stiffness_.free().upload(std::vector<Real>(free.begin(), free.end()));
    own()[no_shift_] = 0;
}

template <class Real>
WaveState<Real> WaveSystem<Real>::initial_state() {
    WaveState<Real> state;
    state.y = field(wave_.initial_displacement);
    state.v = field(wave_.initial_velocity);
    for (auto* part : {&state.a, &state.f})
        *part = domain_.device.buffer<Real>(domain_.nodes.owned);
    impose_displacements(0, state.y);
    if (!given_.depends_on_time())
        given_write_.write(std::vector<double>(given_.nodes().size(), 0.0), state.v);
    update_load(0);
    update_acceleration(state);
    return state;
}

// ---- data

template <class Real>
std::vector<double> WaveSystem<Real>::at_nodes(const Formula& formula, double t) const {
    std::vector<double> values(domain_.nodes.owned);
    domain_.comm.agree([&] {
        formula.evaluate_finite(std::span(domain_.mesh.mesh.points).first(values.size()), t,
                                values);
    });
    return values;
}

template <class Real>
Field<Real> WaveSystem<Real>::field(const Formula& initial) const {
    std::vector<double> values = at_nodes(initial, 0);
    values.resize(domain_.nodes.all, 0.0);
    auto field = domain_.field<Real>(Kind::node);
    field.upload(std::vector<Real>(values.begin(), values.end()));
    return field;
}

template <class Real>
void WaveSystem<Real>::impose_displacements(double t, Field<Real>& y) {
    std::vector<double> values;
    domain_.comm.agree([&] { values = given_.values(t); });
    given_write_.write(values, y);
}

template <class Real>
void WaveSystem<Real>::update_load(double t) {
    load_time_ = t;
    std::vector<double> values = at_nodes(wave_.wave.source, t);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= host_mass_[i];
    domain_.comm.agree([&] { absorbing_.add_load(t, values); });
    load_ = uploaded<Real>(domain_.device, values);
}

template <class Real>
void WaveSystem<Real>::update_data(double t, Field<Real>& y) {
    if (given_.depends_on_time()) impose_displacements(t, y);
    if (load_depends_on_time()) update_load(t);
}

template <class Real>
void WaveSystem<Real>::impose_rates(WaveState<Real>& state, double dt) {
    if (!given_.depends_on_time()) return;
    std::vector<double> rates;
    domain_.comm.agree([&] { rates = given_.rates(state.time, dt); });
    given_write_.write(rates, state.v);
}

// ---- operators

template <class Real>
void WaveSystem<Real>::update_force(WaveState<Real>& state) {
    stiffness_.residual_everywhere(no_shift_, load_, state.y.write(), state.f);
}

template <class Real>
void WaveSystem<Real>::update_acceleration(WaveState<Real>& state) {
    update_force(state);
    own()[state.a] = free() * (state.f - damping_ * state.v) / mass_;
}

template <class Real>
WaveEnergy WaveSystem<Real>::energy(const WaveState<Real>& state) const {
    return {0.5 * domain_.comm.sum(own().dot(domain_.comm, mass_ * state.v, state.v)),
            0.5 * domain_.comm.sum(own().dot(domain_.comm, load_ - state.f, state.y))};
}

template <class Real>
void WaveSystem<Real>::register_state(const State<Real>& state) {
    if (!load_depends_on_time()) return;
    state.add("load_time", load_time_);
    state.remade([this] { update_load(load_time_); });
}

template <class Real>
WaveSystem<Real>::~WaveSystem() = default;

template class WaveSystem<float>;
template class WaveSystem<double>;

}  // namespace solenoid

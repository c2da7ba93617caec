#include "wave/wave_solver.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace solenoid {

template <class Real>
WaveSolver<Real>::WaveSolver(const Domain& domain, const WaveCase& wave)
    : WaveSolver(domain, wave, wave_stiffness(domain, wave.wave.speed)) {}

template <class Real>
WaveSolver<Real>::WaveSolver(const Domain& domain, const WaveCase& wave, NodeDifferences stiffness)
    : comm_(domain.comm),
      kind_(kind_of(wave_time_scheme_kinds(), wave.wave.time_scheme)),
      system_(domain, wave, stiffness),
      scheme_(kind_.make.template of<Real>()(system_, std::move(stiffness), wave.solver)),
      state_(system_.initial_state()) {
    register_state();
}

template <class Real>
void WaveSolver<Real>::register_state() {
    const State<Real> state = State<Real>(system_.domain(), state_registry_).part("wave");
    state.add("displacement", state_.y);
    state.add("velocity", state_.v);
    state.add("acceleration", state_.a, Kind::node);
    state.add("time", state_.time);
    system_.register_state(state);
    scheme_->register_state(state.part("scheme"));
    state.remade([this] { system_.update_force(state_); });
}

template <class Real>
void WaveSolver<Real>::check_step(double dt, const std::string& place) const {
    comm_.agree([&] {
        if (dt <= step_limit()) return;
        const std::string message = fmt::format(
            "a time step of {:.6g} s is beyond the limit of \"{}\" on this mesh, {:.6g} s: "
            "take time.step = {:.3g} or less, or leave it out, "
            "or take wave.time_scheme = {}",
            dt, kind_.name, step_limit(), 0.99 * step_limit(),
            listed(wave_time_schemes_that_are(false)));
        throw place.empty() ? InputError(message) : InputError(place, message);
    });
}

template <class Real>
void WaveSolver<Real>::step(double dt) {
    check_step(dt);
    scheme_->step(state_, dt);
    state_.time += dt;
    system_.impose_rates(state_, dt);
}

template <class Real>
void WaveSolver<Real>::restart() {
    system_.update_data(state_.time, state_.y);
    system_.update_acceleration(state_);
}

template <class Real>
std::vector<double> WaveSolver<Real>::held(const Field<Real>& field) {
    const std::vector<Real> values = field.with_ghosts().download();
    return {values.begin(), values.end()};
}

template class WaveSolver<float>;
template class WaveSolver<double>;

}  // namespace solenoid

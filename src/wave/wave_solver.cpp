#include "wave/wave_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "device/expression.hpp"

namespace solenoid {

template <class Real>
WaveSolver<Real>::WaveSolver(const Domain& domain, const WaveCase& wave)
    : WaveSolver(domain, wave, wave_stiffness(domain, wave.wave.speed)) {}

template <class Real>
WaveSolver<Real>::WaveSolver(const Domain& domain, const WaveCase& wave, NodeDifferences stiffness)
    : domain_(domain),
      comm_(domain.comm),
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
void WaveSolver<Real>::push(const Vec3& at, double radius, double height) {
    const Mesh& mesh = domain_.mesh.mesh;
    std::vector<Real> bump(domain_.nodes.owned, Real(0));
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        const Vec3 way = mesh.points[i] - at;
        double square = glm::dot(way, way);
        for (const Vec3& shift : mesh.periodic_map.shifts)  // the nearest of its periodic images
            square = std::min(
                {square, glm::dot(way + shift, way + shift), glm::dot(way - shift, way - shift)});
        const double s = 1 - square / (radius * radius);
        if (s > 0) bump[i] = static_cast<Real>(height * s * s * s);
    }
    Buffer<Real> added = domain_.device.buffer<Real>(domain_.nodes.owned);
    added.upload(bump);
    system_.own()[state_.y] += system_.free() * added;
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

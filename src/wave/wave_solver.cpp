#include "wave/wave_solver.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "device/upload.hpp"
#include "solvers/multigrid/largest_eigenvalue.hpp"

namespace solenoid {

template <class Real>
WaveSolver<Real>::WaveSolver(const Domain& domain, const WaveCase& wave)
    : domain_(domain),
      wave_(wave),
      given_(domain.comm, domain.mesh, wave.boundaries),
      discretization_(discretized()),
      limit_(wave.wave.is_explicit() ? longest_step() : HUGE_VAL),
      matrix_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
              discretization_.neighbours, discretization_.weights),
      diffusion_(domain.comm, domain.device, domain.nodes, domain.mesh.halo(Kind::node),
                 std::move(discretization_.neighbours), std::move(discretization_.weights),
                 given_.nodes(),
                 {.kind = &preconditioner_kind(wave.solver.preconditioner),
                  .is_mixed = wave.solver.is_mixed,
                  .max_levels = wave.solver.levels}),
      cg_(domain.comm, matrix_),
      given_write_(domain.device, given_.nodes()),
      mass_(uploaded<Real>(domain.device, discretization_.mass)),
      y_(field(wave.initial_displacement)),
      v_(field(wave.initial_velocity)),
      change_(domain.device.buffer<Real>(domain.nodes.all)) {
    for (auto* part : {&no_shift_, &a_, &load_, &force_, &rhs_, &inverse_, &before_})
        *part = domain.device.buffer<Real>(domain.nodes.owned);
    std::vector<double> free(domain.nodes.owned, 1.0);
    for (const Index node : given_.nodes()) free[node] = 0;
    matrix_.free().upload(std::vector<Real>(free.begin(), free.end()));
    own()[no_shift_] = 0;
    constrain(0);
    if (!given_.depends_on_time())
        given_write_.write(std::vector<double>(given_.nodes().size(), 0.0), v_);
    update_load(0);
    find_force();
    own()[a_] = matrix_.free() * force_ / mass_;
}

// A density of 1 and c^2 for the conductivity, in every region.
template <class Real>
HeatDiscretization WaveSolver<Real>::discretized() const {
    MaterialSettings material;
    material.conductivity = wave_.wave.speed * wave_.wave.speed;
    const std::vector<MaterialSettings> regions(
        std::max<std::size_t>(domain_.mesh.mesh.regions.size(), 1), material);
    HeatDiscretization result;
    domain_.comm.agree([&] {
        // its square would hide a sign
        for (const Vec3& centroid : domain_.geometry.cell_centroid)
            wave_.wave.speed.positive_value(centroid);
        result = discretize_heat(domain_.mesh, domain_.geometry, regions);
    });
    return result;
}

namespace {

constexpr double limit_tolerance = 1e-3;  // of the largest eigenvalue, from above

}  // namespace

template <class Real>
double WaveSolver<Real>::longest_step() const {
    const HeatDiscretization& d = discretization_;
    const HostMatrix stiffness =
        matrix_of_differences(d.neighbours, d.weights, std::vector<double>(d.mass.size(), 0.0));
    const ParallelMatrix free = parallel_matrix(
        domain_.comm, domain_.nodes, domain_.mesh.halo(Kind::node), stiffness, given_.nodes());
    std::vector<double> start(d.mass.size());
    for (std::size_t i = 0; i < start.size(); ++i)
        start[i] = scattered(domain_.mesh.mesh.points[i]);
    return 2 / std::sqrt(settled_largest_eigenvalue(
                   domain_.comm, free, halo_plan(domain_.comm, free.partition, free.ghosts), d.mass,
                   start, limit_tolerance));
}

template <class Real>
std::vector<double> WaveSolver<Real>::at_nodes(const Formula& formula, double t) const {
    std::vector<double> values(domain_.nodes.owned);
    domain_.comm.agree([&] {
        formula.evaluate_finite(std::span(domain_.mesh.mesh.points).first(values.size()), t,
                                values);
    });
    return values;
}

template <class Real>
Field<Real> WaveSolver<Real>::field(const Formula& initial) const {
    std::vector<double> values = at_nodes(initial, 0);
    values.resize(domain_.nodes.all, 0.0);
    auto field = domain_.field<Real>(Kind::node);
    field.upload(std::vector<Real>(values.begin(), values.end()));
    return field;
}

template <class Real>
std::vector<double> WaveSolver<Real>::held(const Field<Real>& field) {
    const std::vector<Real> values = field.with_ghosts().download();
    return {values.begin(), values.end()};
}

template <class Real>
void WaveSolver<Real>::constrain(double t) {
    std::vector<double> values;
    domain_.comm.agree([&] { values = given_.values(t); });
    given_write_.write(values, y_);
}

template <class Real>
void WaveSolver<Real>::impose_rates(double t, double span) {
    std::vector<double> rates;
    domain_.comm.agree([&] { rates = given_.rates(t, span); });
    given_write_.write(rates, v_);
}

template <class Real>
void WaveSolver<Real>::update_load(double t) {
    const Formula& source = wave_.wave.source;
    if (t > 0 && !source.depends_on_time()) return;
    std::vector<double> values = at_nodes(source, t);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= discretization_.mass[i];
    load_ = uploaded<Real>(domain_.device, values);
}

template <class Real>
void WaveSolver<Real>::check_step(double dt, const std::string& place) const {
    domain_.comm.agree([&] {
        if (dt <= limit_) return;
        const std::string message = fmt::format(
            "a time step of {:.6g} s is beyond the limit of \"leapfrog\" on this mesh, {:.6g} s: "
            "take time.step = {:.3g} or less, or leave it out, "
            "or take wave.time_scheme = \"trapezoidal\"",
            dt, limit_, 0.99 * limit_);
        throw place.empty() ? InputError(message) : InputError(place, message);
    });
}

template <class Real>
void WaveSolver<Real>::step(double dt) {
    check_step(dt);
    if (wave_.wave.is_explicit())
        step_explicitly(dt);
    else
        step_implicitly(dt);
    time_ += dt;
    if (given_.depends_on_time()) impose_rates(time_, dt);
}

template <class Real>
void WaveSolver<Real>::update_end(double dt) {
    if (given_.depends_on_time()) constrain(time_ + dt);
    update_load(time_ + dt);
}

template <class Real>
void WaveSolver<Real>::step_explicitly(double dt) {
    const Over own = this->own();
    own[y_] = y_ + dt * v_ + (0.5 * dt * dt) * a_;
    update_end(dt);
    find_force();
    own[v_] += (0.5 * dt) * (a_ + matrix_.free() * force_ / mass_);
    own[a_] = matrix_.free() * force_ / mass_;
}

// M a' + K y' = M s' at the step's end, with a' = 4/dt^2 (y' - y - dt v) - a: for what y' differs
// from a guess, by (4/dt^2 M + K) change = M s' - K guess - M a'(guess), and of two guesses from
// the one that leaves less. y + dt v + dt^2/2 a leaves a change small of third order, so that
// neither the solve's tolerance nor rounding weighs on y; where c dt is many mesh widths it would
// cancel against its change, and y itself is the guess.
template <class Real>
void WaveSolver<Real>::step_implicitly(double dt) {
    const Over own = this->own();
    update_end(dt);
    find_force();
    own[rhs_] = matrix_.free() * (force_ + mass_ * (a_ + (4 / dt) * v_));
    own[before_] = y_;
    own[y_] += matrix_.free() * (dt * v_ + (0.5 * dt * dt) * a_);
    find_force();
    own[change_] = matrix_.free() * (force_ - mass_ * a_);
    // of the guesses, squared
    std::array<double, 2> left{own.dot(change_, change_), own.dot(rhs_, rhs_)};
    domain_.comm.sum(left);
    if (left[0] < left[1]) {
        own[rhs_] = change_;
        solve_for_change(dt);
        own[v_] += dt * a_ + (2 / dt) * change_;
        own[a_] += 4 / (dt * dt) * change_;
    } else {
        own[y_] = before_;
        solve_for_change(dt);
        own[a_] = matrix_.free() * (4 / (dt * dt) * change_ - (4 / dt) * v_ - a_);
        own[v_] = matrix_.free() * ((2 / dt) * change_ - v_);
    }
    own[y_] += change_;
}

template <class Real>
void WaveSolver<Real>::restart() {
    if (given_.depends_on_time()) constrain(time_);
    update_load(time_);
    find_force();
    own()[a_] = matrix_.free() * force_ / mass_;
}

template <class Real>
void WaveSolver<Real>::solve_for_change(double dt) {
    const double s = 4 / (dt * dt);
    if (s != prepared_) prepare(s);
    const Over own = this->own();
    own[change_] = 0;
    CgSettings how{wave_.solver.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                   wave_.solver.max_iterations};
    how.rounding =
        std::numeric_limits<Real>::epsilon() *
        std::sqrt(domain_.comm.sum(own.dot(matrix_.diagonal() * y_, matrix_.diagonal() * y_)));
    const SolveReport report = cg_.solve(*preconditioner_, rhs_, change_, how);
    solves_.add(report);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("displacement at t = {:.6g} s: {}", time_ + dt,
                                               report.explanation("displacement")));
    });
}

template <class Real>
void WaveSolver<Real>::prepare(double s) {
    own()[matrix_.shift()] = s * mass_;
    own()[inverse_] = matrix_.free() / (matrix_.shift() + matrix_.diagonal());
    std::vector<double> shift = discretization_.mass;
    for (double& m : shift) m *= s;
    preconditioner_ = &diffusion_.prepare(
        shift, preconditioner_kind(wave_.solver.preconditioner).scales_by_diagonal
                   ? inverse_
                   : matrix_.free());
    solves_.preconditioner = diffusion_.summary();
    prepared_ = s;
}

template <class Real>
WaveEnergy WaveSolver<Real>::energy() {
    if (!wave_.wave.is_explicit()) find_force();  // else that of the step is y's
    return {0.5 * domain_.comm.sum(own().dot(mass_ * v_, v_)),
            0.5 * domain_.comm.sum(own().dot(load_ - force_, y_))};
}

template class WaveSolver<float>;
template class WaveSolver<double>;

}  // namespace solenoid

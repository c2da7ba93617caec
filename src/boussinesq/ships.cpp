#include "boussinesq/ships.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;
constexpr int numbers_of_ship = 12;

double profile_along(double xi) { return std::pow(1 - std::pow(xi, 4), 2); }
double profile_aside(double eta) { return std::pow(1 - eta * eta, 2); }

// The integral of f over [-1, 1], smooth and flat at its ends.
template <class F>
double integral(const F& f) {
    const int n = 2000;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += f((2 * i + 1.0) / n - 1);
    return 2 * sum / n;
}

}  // namespace

template <class Real>
Ships<Real>::Ships(const Communicator& comm, Device& device, std::vector<ShipSettings> ships,
                   double density)
    : comm_(comm), device_(device), ships_(std::move(ships)), density_(density) {
    const auto check = [](const char* what, double value, bool is_good, const char* wanted) {
        if (!std::isfinite(value) || !is_good)
            throw InputError(
                fmt::format("the {} of a ship is {:g}: it must be {}", what, value, wanted));
    };
    check("water's density", density, density > 0, "above 0 [kg/m^3]");
    for (const ShipSettings& s : ships_) {
        check("length", s.length, s.length > 0, "above 0 [m]");
        check("beam", s.beam, s.beam > 0, "above 0 [m]");
        check("draught", s.draught, s.draught > 0, "above 0 [m]");
        check("rise", s.rise, s.rise >= 0, "not negative [s]");
        check("pitch_radius", s.pitch_radius, s.pitch_radius > 0, "above 0 (0.25 is usual)");
        check("roll_radius", s.roll_radius, s.roll_radius > 0, "above 0 (0.35 is usual)");
        const double a = s.length / 2, b = s.beam / 2;
        const auto square = [](double x) { return x * x; };
        const auto over_both = [&](bool is_squared, int power_along, int power_aside) {
            return a * b * integral([&](double xi) {
                       return std::pow(profile_along(xi), is_squared ? 2 : 1) *
                              std::pow(a * xi, power_along);
                   }) *
                   integral([&](double eta) {
                       return std::pow(profile_aside(eta), is_squared ? 2 : 1) *
                              std::pow(b * eta, power_aside);
                   });
        };
        State state;
        state.volume = s.draught * over_both(false, 0, 0);
        state.inertia = {state.volume, state.volume * square(s.pitch_radius * s.length),
                         state.volume * square(s.roll_radius * s.beam)};
        state.stiffness = {over_both(false, 0, 0), over_both(false, 2, 0), over_both(false, 0, 2)};
        state.held = {over_both(true, 0, 0), over_both(true, 2, 0), over_both(true, 0, 2)};
        states_.push_back(state);
    }
    numbers_.resize(numbers_of_ship * ships_.size());
    table_ = device.buffer<Real>(static_cast<Index>(numbers_.size()));
}

template <class Real>
double Ships<Real>::largest_step(const BoussinesqModel<Real>& model) const {
    double most = 0;
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const std::array is_free{ships_[n].heaves, ships_[n].pitches, ships_[n].rolls};
        for (int d = 0; d < 3; ++d)
            if (is_free[d])
                most = std::max(most, std::sqrt(model.settings().gravity *
                                                (states_[n].stiffness[d] + states_[n].held[d]) /
                                                states_[n].inertia[d]));
    }
    return 1 / (1 / model.largest_step() + most);
}

template <class Real>
double Ships<Real>::draught(std::size_t ship) const {
    const ShipSettings& s = ships_[ship];
    const double share = s.rise > 0 ? std::clamp(s.course.time() / s.rise, 0.0, 1.0) : 1.0;
    return s.draught * share * share * (3 - 2 * share);
}

template <class Real>
double Ships<Real>::rest_elevation(double x, double y) const {
    double sum = 0;
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const auto [share, along, aside] = profile(n, x, y);
        const auto& [heave, pitch, roll] = states_[n].now.value;
        if (share > 0) sum -= share * (draught(n) - heave + along * pitch - aside * roll);
    }
    return sum;
}

template <class Real>
double Ships<Real>::hull(std::size_t ship, double x, double y) const {
    return ships_[ship].draught * profile(ship, x, y)[0];
}

// s, 0 outside of the hull, and the place along x' and y' [m].
template <class Real>
std::array<double, 3> Ships<Real>::profile(std::size_t ship, double x, double y) const {
    const ShipSettings& s = ships_[ship];
    const ShipPose& pose = s.course.pose();
    const double c = std::cos(pose.heading), d = std::sin(pose.heading),
                 along = c * (x - pose.x) + d * (y - pose.y),
                 aside = c * (y - pose.y) - d * (x - pose.x), xi = 2 * along / s.length,
                 eta = 2 * aside / s.beam;
    const bool is_under = std::abs(xi) < 1 && std::abs(eta) < 1;
    return {is_under ? profile_along(xi) * profile_aside(eta) : 0.0, along, aside};
}

// Of a ship: the rows of this rank's array that it lies over, from their first to their last entry.
template <class Real>
Range Ships<Real>::rows_under(const BoussinesqModel<Real>& model, std::size_t ship) const {
    const BoussinesqSettings& grid = model.settings();
    const ArrayShape& array = model.array();
    const ShipSettings& s = ships_[ship];
    const ShipPose& pose = s.course.pose();
    const double c = std::abs(std::cos(pose.heading)), d = std::abs(std::sin(pose.heading)),
                 reach = (d * s.length + c * s.beam) / 2, middle = (pose.y - grid.y) / grid.dy,
                 most = array.height;
    // whole numbers before the block's are taken off: the rows do not depend on it
    const auto in_block = [&](double row) {
        return static_cast<int>(std::clamp(row - model.blocks().block(1).y, 0.0, most));
    };
    const int first = in_block(std::floor(middle - reach / grid.dy)),
              end = in_block(std::ceil(middle + reach / grid.dy) + 1);
    if (first >= end) return {0, 0};
    return {array.entry(0, first), array.entry(array.width - 1, end - 1) + 1};
}

template <class Real>
void Ships<Real>::press(BoussinesqModel<Real>& model) {
    const BoussinesqSettings& grid = model.settings();
    const RankBlocks::Block block = model.blocks().block(1);
    for (const Range& range : pressed_)
        Over(device_, range)[model.pressure()] = 0.0 * model.depth();
    pressed_.clear();
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const ShipSettings& s = ships_[n];
        const ShipPose& pose = s.course.pose();
        const auto& [heave, pitch, roll] = states_[n].now.value;
        // the node next to the middle, counted from the array's first entry, and the rest: both are
        // good in single precision, however large the grid; the rest does not depend on the block
        const double column = (pose.x - grid.x) / grid.dx + 1,
                     row = (pose.y - grid.y) / grid.dy + 3, at_column = std::floor(column),
                     at_row = std::floor(row);
        const std::array<double, numbers_of_ship> numbers{at_column - block.x,
                                                          at_row - block.y,
                                                          (column - at_column) * grid.dx,
                                                          (row - at_row) * grid.dy,
                                                          std::cos(pose.heading),
                                                          std::sin(pose.heading),
                                                          2 / s.length,
                                                          2 / s.beam,
                                                          grid.gravity * (draught(n) - heave),
                                                          grid.gravity * pitch,
                                                          -grid.gravity * roll,
                                                          0};
        for (int i = 0; i < numbers_of_ship; ++i)
            numbers_[n * numbers_of_ship + i] = static_cast<Real>(numbers[i]);
    }
    if (ships_.empty()) return;
    table_.upload(numbers_);
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const Range rows = rows_under(model, n);
        if (rows.begin == rows.end) continue;
        kernels::BoussinesqShipPressure<Real>{.ship = table_,
                                              .pressure = model.pressure(),
                                              .first = Uint(n * numbers_of_ship),
                                              .pitch = Uint(model.array().pitch),
                                              .dx = grid.dx,
                                              .dy = grid.dy}
            .run(device_, rows);
        pressed_.push_back(rows);
    }
}

template <class Real>
ShipForces Ships<Real>::forces(const BoussinesqModel<Real>& model, std::size_t ship) {
    const BoussinesqSettings& grid = model.settings();
    const Range rows = rows_under(model, ship);
    const auto lift = kernels::BoussinesqShipLift<Real>{.ship = table_,
                                                        .zeta = model.zeta(),
                                                        .depth = model.depth(),
                                                        .first = Uint(ship * numbers_of_ship),
                                                        .pitch = Uint(model.array().pitch),
                                                        .width = Uint(model.array().width),
                                                        .dx = grid.dx,
                                                        .dy = grid.dy,
                                                        .gravity = grid.gravity}
                          .run(comm_, device_, rows);
    const auto drift = kernels::BoussinesqShipDrift<Real>{.ship = table_,
                                                          .zeta = model.zeta(),
                                                          .depth = model.depth(),
                                                          .first = Uint(ship * numbers_of_ship),
                                                          .pitch = Uint(model.array().pitch),
                                                          .width = Uint(model.array().width),
                                                          .dx = grid.dx,
                                                          .dy = grid.dy,
                                                          .gravity = grid.gravity}
                           .run(comm_, device_, rows);
    std::array<double, 6> sums{drift.surge, drift.sway,    lift.lift,
                               lift.roll,   lift.pitching, drift.yaw};
    comm_.sum(sums);
    const double per_area = density_ * grid.dx * grid.dy, per_gravity = per_area / grid.gravity;
    return {sums[0] * per_gravity, sums[1] * per_gravity, sums[2] * per_area,
            sums[3] * per_area,    -sums[4] * per_area,   sums[5] * per_gravity};
}

template <class Real>
void Ships<Real>::start(BoussinesqModel<Real>& model) {
    if (model.dt() > largest_step(model) * (1 + 1e-12))
        throw InputError(fmt::format(
            "a step of {:g} s: with ships that heave, pitch or roll it may be at most {:g} s",
            model.dt(), largest_step(model)));
    for (ShipSettings& ship : ships_) ship.course.move_to(model.time());
    press(model);
}

// Motions by the leapfrog scheme, as the model's levels: with the same proof of stability.
template <class Real>
RrbReport Ships<Real>::step(BoussinesqModel<Real>& model) {
    const double dt = model.dt();
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const ShipSettings& s = ships_[n];
        const std::array is_free{s.heaves, s.pitches, s.rolls};
        if (!(s.heaves || s.pitches || s.rolls)) continue;
        const ShipForces waves = forces(model, n);
        const std::array<double, 3> force{waves.lift, waves.pitch, waves.roll};
        State& state = states_[n];
        ShipMotion next = state.now;
        for (int d = 0; d < 3; ++d) {
            if (!is_free[d]) continue;
            const double acceleration =
                (force[d] / density_ -
                 model.settings().gravity * state.stiffness[d] * state.now.value[d]) /
                state.inertia[d];
            if (model.begins()) {
                next.value[d] += dt * state.now.rate[d] + dt * dt / 2 * acceleration;
                next.rate[d] += dt * acceleration;
            } else {
                next.value[d] = state.old.value[d] + 2 * dt * state.now.rate[d];
                next.rate[d] = state.old.rate[d] + 2 * dt * acceleration;
            }
        }
        state.old = state.now;
        state.now = next;
    }
    const RrbReport report = model.step();
    for (ShipSettings& ship : ships_) ship.course.move_to(model.time());
    press(model);
    return report;
}

template <class Real>
void Ships<Real>::register_state(const StateValues& state, const std::vector<std::string>& names,
                                 BoussinesqModel<Real>& model) {
    for (std::size_t n = 0; n < ships_.size(); ++n) {
        const StateValues part = state.owned_by("[[ship]]", names[n]).part(names[n]);
        part.add<std::array<double, 6>>(
            "course",
            [this, n] {
                const ShipCourse& course = ships_[n].course;
                const ShipPose& pose = course.pose();
                return std::array{
                    pose.x,       pose.y, pose.heading, course.speed(), course.turn_rate(),
                    course.time()};
            },
            [this, n](const std::array<double, 6>& v) {
                ships_[n].course.set({v[0], v[1], v[2]}, v[3], v[4], v[5]);
            });
        for (const bool is_old : {false, true})
            part.add<std::array<double, 6>>(
                is_old ? "motion_before" : "motion",
                [this, n, is_old] {
                    const ShipMotion& m = is_old ? states_[n].old : states_[n].now;
                    return std::array{m.value[0], m.value[1], m.value[2],
                                      m.rate[0],  m.rate[1],  m.rate[2]};
                },
                [this, n, is_old](const std::array<double, 6>& v) {
                    ShipMotion& m = is_old ? states_[n].old : states_[n].now;
                    m = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
                });
    }
    state.remade([this, &model] { press(model); });
}

template class Ships<float>;
template class Ships<double>;

}  // namespace solenoid

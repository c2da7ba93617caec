#include "boussinesq/ship_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solenoid {
namespace {

void check_finite(const char* what, double value) {
    if (!std::isfinite(value))
        throw InputError(fmt::format("the {} of a ship is {:g}: it must be finite", what, value));
}

bool is_same_place(const Waypoint& a, const Waypoint& b) { return a.x == b.x && a.y == b.y; }

}  // namespace

ShipCourse::ShipCourse(std::vector<Waypoint> path) : path_(std::move(path)) {
    if (path_.empty()) throw InputError("the path of a ship has no points");
    const std::size_t n = path_.size();
    for (std::size_t i = 0; i < n; ++i) {
        check_finite("time", path_[i].t);
        check_finite("x", path_[i].x);
        check_finite("y", path_[i].y);
        if (i > 0 && !(path_[i].t > path_[i - 1].t))
            throw InputError(fmt::format(
                "the path of a ship: point {} is at {:g} s, not behind point {} at {:g} "
                "s: times must rise",
                i + 1, path_[i].t, i, path_[i - 1].t));
    }
    std::size_t first = 1;
    while (first < n && is_same_place(path_[first], path_[0])) ++first;
    if (first == n)
        throw InputError("the path of a ship does not leave its first point: it has no heading");
    velocities_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto slope = [&](std::size_t from) -> std::array<double, 2> {
            const Waypoint &a = path_[from], &b = path_[from + 1];
            return {(b.x - a.x) / (b.t - a.t), (b.y - a.y) / (b.t - a.t)};
        };
        const bool rests = (i > 0 && is_same_place(path_[i], path_[i - 1])) ||
                           (i + 1 < n && is_same_place(path_[i], path_[i + 1]));
        if (rests) continue;
        if (i == 0 || i + 1 == n) {
            velocities_[i] = slope(i == 0 ? 0 : n - 2);
            continue;
        }
        const double before = path_[i].t - path_[i - 1].t, behind = path_[i + 1].t - path_[i].t;
        for (int d = 0; d < 2; ++d)
            velocities_[i][d] =
                (slope(i - 1)[d] * behind + slope(i)[d] * before) / (before + behind);
    }
    pose_ = {path_[0].x, path_[0].y,
             std::atan2(path_[first].y - path_[0].y, path_[first].x - path_[0].x)};
    move_to(0);
}

ShipCourse::ShipCourse(const ShipPose& start, double speed, double turn_rate) : pose_(start) {
    check_finite("x", start.x);
    check_finite("y", start.y);
    check_finite("heading", start.heading);
    steer(speed, turn_rate);
}

void ShipCourse::steer(double speed, double turn_rate) {
    if (!is_steered()) throw InputError("a ship on a path is not steered");
    check_finite("speed", speed);
    check_finite("rate of turn", turn_rate);
    speed_ = speed;
    turn_rate_ = turn_rate;
}

void ShipCourse::move_to(double t) {
    if (is_steered()) {
        // an arc: its chord has the mean heading
        const double dt = t - time_, half = turn_rate_ * dt / 2,
                     chord = speed_ * dt * (std::abs(half) > 1e-6 ? std::sin(half) / half : 1.0);
        pose_.x += chord * std::cos(pose_.heading + half);
        pose_.y += chord * std::sin(pose_.heading + half);
        pose_.heading += 2 * half;
        time_ = t;
        return;
    }
    time_ = t;
    const double inside = std::clamp(t, path_.front().t, path_.back().t);
    std::size_t i = 0;
    while (i + 2 < path_.size() && path_[i + 1].t <= inside) ++i;
    const Waypoint &a = path_[i], &b = path_[i + 1];
    const double length = b.t - a.t, s = (inside - a.t) / length, r = 1 - s;
    // Hermite's polynomials and their derivatives
    const double place_b = s * s * (3 - 2 * s), rate_a = s * r * r, rate_b = -s * s * r,
                 slope_b = 6 * s * r, slope_rate_a = r * (1 - 3 * s),
                 slope_rate_b = s * (3 * s - 2);
    const std::array<double, 2> from{a.x, a.y}, to{b.x, b.y};
    std::array<double, 2> place{}, velocity{};
    for (int d = 0; d < 2; ++d) {
        const double va = velocities_[i][d], vb = velocities_[i + 1][d];
        place[d] = from[d] + (to[d] - from[d]) * place_b + length * (va * rate_a + vb * rate_b);
        velocity[d] = (to[d] - from[d]) * slope_b / length + va * slope_rate_a + vb * slope_rate_b;
    }
    pose_.x = place[0];
    pose_.y = place[1];
    on_path_ = t == inside ? std::hypot(velocity[0], velocity[1]) : 0;
    const double span = std::hypot(b.x - a.x, b.y - a.y);
    if (std::hypot(velocity[0], velocity[1]) * length > 1e-6 * span && span > 0)
        pose_.heading = std::atan2(velocity[1], velocity[0]);
}

void ShipCourse::put(const ShipPose& pose, double speed, double turn_rate, double t) {
    pose_ = pose;
    time_ = t;
    if (is_steered()) steer(speed, turn_rate);
}

double ShipCourse::speed_now() const { return is_steered() ? speed_ : on_path_; }

}  // namespace solenoid

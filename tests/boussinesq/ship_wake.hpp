// The wake of a ship in a channel, by the model and by Fourier transform of the steady equations.
//
// In axes that move with the ship at V along x, d/dt is -V d/dx, and a wave of wave numbers (K, l)
// has zeta = -(W^2 / g) P / (W^2 - V^2 K^2), W^2 = g k^2 h (1 + q / 15) / (1 + 2 q / 5), k^2 = K^2
// + l^2, q = k^2 h^2. Waves lie behind the ship where the integral over K passes above the real
// zeros of the denominator: along K = real + i e, that is by the transform of exp(e x) zeta.
#pragma once

#include <algorithm>

#include "boussinesq/absorbing_border.hpp"
#include "boussinesq/ships.hpp"
#include "boussinesq/wave_tank.hpp"

namespace solenoid::test {

// Lengths in depths h = 1 m.
struct Wake {
    double froude = 0.85;          // V / sqrt(g h)
    int a_depth = 8;               // nodes
    double width = 8;              // of half the channel, with the ship at its wall y = 0
    double length = 6, beam = 3;   // of the pulse
    double rise = 200, way = 550;  // times sqrt(h / g) in which it grows; way sailed
    // V dt over the distance of nodes. Leapfrog makes waves faster and differences make them
    // slower; for the wave that stands still on the track both are the same at sqrt(c_g / c) / 2,
    // which is 0.43 to 0.45; for those along the cusp line at somewhat less.
    double way_of_step = 0.41;
    double nearest = 20, farthest = 80;  // behind the ship's middle, where the wakes are compared
};

inline void transform(std::vector<std::complex<double>>& a, double sign) {
    const std::size_t n = a.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(a[i], a[j]);
    }
    for (std::size_t length = 2; length <= n; length *= 2)
        for (std::size_t k = 0; k < length / 2; ++k) {
            const auto root = std::polar(1.0, sign * 2 * pi * double(k) / double(length));
            for (std::size_t i = k; i < n; i += length) {
                const auto other = a[i + length / 2] * root;
                a[i + length / 2] = a[i] - other;
                a[i] += other;
            }
        }
}

// zeta over the draught at (x, y) = ((i - count / 2) / a_depth, (j + 1/2) / a_depth), ship at 0.
struct SteadyWake {
    int count, rows;
    std::vector<double> zeta;  // row by row
    double at(int i, int j) const { return zeta[std::size_t(j) * count + count / 2 + i]; }

    // Of the equations, or of the scheme's steps and differences: sin(V K dt) / dt for V K,
    // 2 / dx sin(K dx / 2) for K.
    explicit SteadyWake(const Wake& wake, bool is_of_scheme = false)
        : count(1), rows(int(wake.width * wake.a_depth)) {
        while (count < 550 * wake.a_depth) count *= 2;
        zeta.resize(std::size_t(count) * rows);
        const double d = 1.0 / wake.a_depth, above = 0.04,
                     speed_2 = wake.froude * wake.froude;  // over g h
        const auto pulse = [&](int i, int j) {
            const double xi = 2 * (i - count / 2) * d / wake.length,
                         eta = 2 * (j + 0.5) * d / wake.beam;
            return std::abs(xi) < 1 && eta < 1
                       ? std::pow(1 - xi * xi * xi * xi, 2) * std::pow(1 - eta * eta, 2) *
                             std::exp(above * (i - count / 2) * d)
                       : 0.0;
        };
        const int first = count / 2 - int(wake.length / 2 * wake.a_depth) - 1,
                  end = 2 * (count / 2) - first + 1;
        std::vector<std::complex<double>> line(count);
        for (int m = 0; m < rows; ++m) {
            const auto wave = [&](int j) { return std::cos(pi * m * (j + 0.5) / rows); };
            std::fill(line.begin(), line.end(), 0);
            for (int i = first; i < end; ++i)
                for (int j = 0; j * d < wake.beam / 2; ++j)
                    line[i] += (m == 0 ? 1.0 : 2.0) / rows * pulse(i, j) * wave(j);
            transform(line, -1);
            const double l = pi * m / (rows * d);
            for (int i = 0; i < count; ++i) {
                const std::complex<double> k(2 * pi * (i < count / 2 ? i : i - count) / (count * d),
                                             above);
                const double step = wake.way_of_step * d;  // V dt
                const auto along = is_of_scheme ? 2 / d * std::sin(k * d / 2.0) : k,
                           moving = is_of_scheme ? std::sin(k * step) / step : k;
                const double across = is_of_scheme ? 2 / d * std::sin(l * d / 2) : l;
                const auto q = along * along + across * across,
                           w_2 = q * (1.0 + q / 15.0) / (1.0 + 0.4 * q);
                line[i] *= -w_2 / (w_2 - speed_2 * moving * moving) / double(count);
            }
            transform(line, 1);
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < rows; ++j)
                    zeta[std::size_t(j) * count + i] +=
                        std::exp(-above * (i - count / 2) * d) * line[i].real() * wave(j);
        }
    }
};

// Of what the scheme's steady wake differs from the equations', where wakes are compared, 2-norm.
inline double error_of_scheme(const Wake& wake) {
    const SteadyWake exact(wake), of_scheme(wake, true);
    double difference = 0, sum = 0;
    for (int j = 0; j < exact.rows; ++j)
        for (int i = -int(wake.farthest * wake.a_depth); i < -int(wake.nearest * wake.a_depth);
             ++i) {
            difference += std::pow(of_scheme.at(i, j) - exact.at(i, j), 2);
            sum += std::pow(exact.at(i, j), 2);
        }
    return std::sqrt(difference / sum);
}

struct WakeErrors {
    double difference = 0;                     // 2-norm, relative, where the wakes are compared
    double root_mean_square = 0, highest = 0;  // of the steady wake there, over the draught
    std::array<double, 3> thirds{};  // the difference in each third of the way, the nearest first
};

template <class Real>
WakeErrors wake_errors(const Communicator& comm, Device& device, const Wake& wake,
                       bool is_of_scheme = false) {
    const double d = 1.0 / wake.a_depth, start = 30, behind = 50, draught = 0.05;
    const int rows = int(wake.width * wake.a_depth), steps = int(wake.way / (wake.way_of_step * d)),
              shifted = int(std::lround(steps * wake.way_of_step)),
              first = int(start * wake.a_depth);
    BoussinesqSettings s = basin(first + shifted + int(behind * wake.a_depth), rows, d, 1);
    s.solver.reduction = std::is_same_v<Real, double> ? 1e-6 : 1e-5;
    s.damping = border_damping(s, {.sides = {GridSide::west, GridSide::east},
                                   .width = 20,
                                   .frequency = 0.3 * std::sqrt(gravity)});
    const double speed = wake.froude * std::sqrt(gravity), dt = shifted * d / (steps * speed);
    BoussinesqModel<Real> model(comm, device, s);
    Ships<Real> ships(comm, device,
                      {{.length = wake.length,
                        .beam = wake.beam,
                        .draught = draught,
                        .course = ShipCourse(ShipPose{(first + 0.5) * d, 0, 0}, speed),
                        .rise = wake.rise / std::sqrt(gravity)}});
    model.start(dt, nothing, nothing);
    ships.start(model);
    for (int n = 0; n < steps; ++n) ships.step(model);
    const std::vector<double> zeta = whole(comm, model, model.zeta());
    const SteadyWake steady(wake, is_of_scheme);
    WakeErrors errors;
    const int nearest = int(wake.nearest * wake.a_depth),
              farthest = int(wake.farthest * wake.a_depth);
    std::array<double, 3> differences{}, sums{};
    for (int j = 0; j < rows; ++j)
        for (int i = -farthest; i < -nearest; ++i) {
            const double expected = steady.at(i, j),
                         found = zeta[std::size_t(j) * s.nx + first + shifted + i] / draught;
            const int third = 3 * (-1 - i - nearest) / (farthest - nearest);
            differences[third] += (found - expected) * (found - expected);
            sums[third] += expected * expected;
            errors.highest = std::max(errors.highest, std::abs(expected));
        }
    const double sum = sums[0] + sums[1] + sums[2];
    for (int n = 0; n < 3; ++n) errors.thirds[n] = std::sqrt(differences[n] / sums[n]);
    errors.difference = std::sqrt((differences[0] + differences[1] + differences[2]) / sum);
    errors.root_mean_square = std::sqrt(sum / (double(rows) * (farthest - nearest)));
    return errors;
}

}  // namespace solenoid::test

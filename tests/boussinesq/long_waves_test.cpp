// Many periods, on one rank: the energy of the scheme, standing waves, and shoaling.
#include <gtest/gtest.h>

#include <cstdio>

#include "boussinesq/incident_waves.hpp"
#include "boussinesq/wave_tank.hpp"
#include "support/devices.hpp"

namespace solenoid::long_waves_test {
namespace {

using test::basin;
using test::gravity;
using test::Harmonics;
using test::nothing;
using test::pi;

// Over 100 periods of the longest wave of an uneven basin with an island: kept within 0.1 % at a
// tolerance of 1e-9; its drift at 1e-5 is told.
TEST(LongWaves, KeepTheirEnergy) {
    const auto device = test::make_device("cpu");
    for (const double reduction : {1e-9, 1e-5}) {
        BoussinesqSettings s = basin(24, 18, 1, 2);
        s.depth = [](double x, double y) {
            return std::hypot(x - 15, y - 8) < 3 ? -1 : 2 + 0.9 * std::sin(0.4 * x) + 0.05 * y;
        };
        s.solver.reduction = reduction;
        BoussinesqModel<double> model(Communicator::self(), *device, s);
        const double period = 2 * 24 / std::sqrt(gravity * 2);
        model.start(
            0.9 * model.largest_step(), [](double x, double) { return std::cos(pi * x / 24); },
            nothing);
        model.step();
        const double first = model.energy();
        double least = first, most = first;
        while (model.time() < 100 * period) {
            model.step();
            const double energy = model.energy();
            least = std::min(least, energy);
            most = std::max(most, energy);
        }
        const double drift = std::max(most - first, first - least) / first;
        std::printf("reduction %.0e: energy within %.2e of the first over 100 periods\n", reduction,
                    drift);
        EXPECT_LE(drift, reduction < 1e-8 ? 1e-3 : 0.5);
    }
}

// The standing wave of two half waves along x and one along y, at every eighth of three periods.
TEST(LongWaves, Stand) {
    const auto device = test::make_device("cpu");
    const double depth = 3, kx = 2 * pi / 32, ky = pi / 24,
                 frequency = test::formula_frequency(std::hypot(kx, ky), depth),
                 period = 2 * pi / frequency;
    BoussinesqModel<double> model(Communicator::self(), *device, basin(32, 24, 1, depth));
    const auto shape = [&](double x, double y) { return std::cos(kx * x) * std::cos(ky * y); };
    const int steps = 8 * static_cast<int>(std::ceil(period / 8 / (0.5 * model.largest_step())));
    model.start(period / steps, shape, nothing);
    for (int n = 1; n <= 3 * steps; ++n) {
        model.step();
        if (n % (steps / 8)) continue;
        const auto zeta = test::whole(Communicator::self(), model, model.zeta());
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 32; ++i)
                ASSERT_NEAR(zeta[j * 32 + i],
                            std::cos(frequency * model.time()) * shape(i + 0.5, j + 0.5), 0.02)
                    << n << ": " << i << ' ' << j;
    }
}

// From 4 m to 1 m of depth over three wavelengths: Green's law, amplitudes as h^(-1/4), and the
// flux of energy, which holds for waves that are not that long, too.
TEST(LongWaves, ShoalByGreensLaw) {
    const auto device = test::make_device("cpu");
    const double deep = 4, frequency = test::formula_frequency(0.2 / deep, deep);
    const auto length_at = [&](double h) {
        double low = 0, high = 1;
        for (int n = 0; n < 100; ++n) {
            const double k = (low + high) / 2;
            (test::formula_frequency(k, h) < frequency ? low : high) = k;
        }
        return 2 * pi / low;
    };
    const double at_deep = length_at(deep), at_shallow = length_at(1), spacing = at_shallow / 24;
    const double border = 1.5 * at_deep, foot = border + 1.5 * at_deep, top = foot + 3 * at_deep,
                 end = top + 3 * at_shallow;
    BoussinesqSettings s = basin(static_cast<int>(end / spacing), 4, spacing, deep);
    s.depth = [=](double x, double) {
        const double share = std::clamp((x - foot) / (top - foot), 0.0, 1.0);
        return deep + (1 - deep) * share;
    };
    const auto west = border_damping(
                   s, {.sides = {GridSide::west}, .width = border, .frequency = frequency}),
               east = border_damping(
                   s,
                   {.sides = {GridSide::east}, .width = 1.5 * at_shallow, .frequency = frequency});
    s.damping = [=](double x, double y) { return west(x, y) + east(x, y); };
    s.solver.reduction = 1e-6;
    BoussinesqModel<double> model(Communicator::self(), *device, s);
    const double period = 2 * pi / frequency;
    const int steps = static_cast<int>(std::ceil(period / (0.9 * model.largest_step())));
    model.start(period / steps, nothing, nothing);
    IncidentWaves<double> waves(
        Communicator::self(), *device, model,
        {.distance = border, .components = regular_waves(1, period), .rise = 3 * period});
    Harmonics harmonics(frequency);
    for (int n = 0; n < 24 * steps; ++n) {
        waves.set_source(model);
        model.step();
        if (n >= 22 * steps) harmonics.add(Communicator::self(), model);
    }
    const auto amplitude = [&](double begin, double until, double h) {
        const double k = test::scheme_wave_number(s, frequency, period / steps, h);
        return test::waves_along(harmonics, static_cast<int>(begin / spacing) + 2,
                                 static_cast<int>(until / spacing) - 2, k * spacing)
            .forward;
    };
    const double before = amplitude(border, foot, deep),
                 behind = amplitude(top, top + at_shallow, 1);
    const auto group = [&](double h) {
        const double k = 2 * pi / length_at(h), d = 1e-5 * k;
        return (test::formula_frequency(k + d, h) - test::formula_frequency(k - d, h)) / (2 * d);
    };
    std::printf("amplitude %.4f, behind the slope %.4f: ratio %.4f, Green's law %.4f, flux %.4f\n",
                before, behind, behind / before, std::pow(4, 0.25),
                std::sqrt(group(deep) / group(1)));
    EXPECT_NEAR(behind / before, std::pow(4, 0.25), 0.02 * std::pow(4, 0.25));
    EXPECT_NEAR(behind / before, std::sqrt(group(deep) / group(1)), 0.01);
}

}  // namespace
}  // namespace solenoid::long_waves_test

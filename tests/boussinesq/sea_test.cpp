// Waves that come in and leave: borders, sources of waves and irregular seas.
#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>

#include "boussinesq/dispersion.hpp"
#include "boussinesq/incident_waves.hpp"
#include "boussinesq/wave_tank.hpp"
#include "core/error.hpp"
#include "support/devices.hpp"

namespace solenoid::sea_test {
namespace {

using test::basin;
using test::gravity;
using test::Harmonics;
using test::nothing;
using test::pi;

// A channel between two borders, of widths in wavelengths, into which waves come behind the western
// one.
struct Channel {
    double wave_number, frequency, length, period;
    BoussinesqSettings settings;
    int a_wave = 24, first = 0;  // nodes of a wavelength, and the node behind the source

    Channel(double kh, double depth, double before, double free, double behind)
        : wave_number(kh / depth),
          frequency(test::formula_frequency(wave_number, depth)),
          length(2 * pi / wave_number),
          period(2 * pi / frequency) {
        first = static_cast<int>(before * a_wave);
        settings =
            basin(static_cast<int>((before + free + behind) * a_wave), 4, length / a_wave, depth);
        const auto west = border_damping(settings, {.sides = {GridSide::west},
                                                    .width = before * length,
                                                    .frequency = frequency}),
                   east = border_damping(settings, {.sides = {GridSide::east},
                                                    .width = behind * length,
                                                    .frequency = frequency});
        settings.damping = [=](double x, double y) { return west(x, y) + east(x, y); };
        settings.solver.reduction = 1e-6;
    }
};

// Waves of amplitude 1 for some periods; the harmonics of the last two.
Harmonics driven(const Communicator& comm, Device& device, const Channel& channel, int periods,
                 double& dt) {
    BoussinesqModel<double> model(comm, device, channel.settings);
    const int steps =
        std::max(40, static_cast<int>(std::ceil(channel.period / (0.98 * model.largest_step()))));
    dt = channel.period / steps;
    model.start(dt, nothing, nothing);
    IncidentWaves<double> waves(comm, device, model,
                                {.side = GridSide::west,
                                 .distance = (channel.first + 2) * channel.settings.dx,
                                 .components = regular_waves(1, channel.period),
                                 .rise = 4 * channel.period});
    Harmonics harmonics(channel.frequency);
    for (int n = 0; n < periods * steps; ++n) {
        waves.set_source(model);
        model.step();
        if (n >= (periods - 2) * steps) harmonics.add(comm, model);
    }
    return harmonics;
}

// Behind a border of 1.5 wavelengths a wave has the amplitude that was asked for within 1 %; one of
// a single wavelength returns at most 2 % of it.
TEST(Sea, ComesInAndIsAbsorbed) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const double depth = 3;
    for (const double kh : {0.3, 0.5, 1.0, 2.0, 3.0}) {
        if (comm.size() > 1 && kh != 1.0) continue;
        const Channel channel(kh, depth, 1.5, 4, 1);
        double dt = 0;
        const Harmonics harmonics = driven(comm, *device, channel, 30, dt);
        const double k = test::scheme_wave_number(channel.settings, channel.frequency, dt, depth);
        const auto [forward, back] = test::waves_along(
            harmonics, channel.first + 24, channel.settings.nx - 2 * 24, k * channel.settings.dx);
        if (comm.is_root())
            std::printf("k h %.1f: amplitude %.4f, reflected %.4f\n", kh, forward, back / forward);
        EXPECT_NEAR(forward, 1, 0.01) << "k h = " << kh;
        EXPECT_LE(back, 0.02 * forward) << "k h = " << kh;
        EXPECT_GE(back, 1e-4);  // it is measured
    }
}

// Two waves at +-25 degrees, whose sum the walls beside them let pass: 2 cos(k_y y) at the southern
// wall.
TEST(Sea, ComesInObliquely) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    const double depth = 2, angle = 25 * pi / 180, k = 1 / depth,
                 frequency = test::formula_frequency(k, depth);
    const int across = 20;  // half a wave along y
    const double width = pi / (k * std::sin(angle)), spacing = width / across;
    const int a_wave = static_cast<int>(2 * pi / k / spacing);
    BoussinesqSettings s = basin(6 * a_wave, across, spacing, depth);
    s.damping = border_damping(s, {.sides = {GridSide::west, GridSide::east},
                                   .width = 1.5 * a_wave * spacing,
                                   .frequency = frequency});
    s.solver.reduction = 1e-6;
    BoussinesqModel<double> model(comm, *device, s);
    const double period = 2 * pi / frequency;
    const int steps =
        std::max(40, static_cast<int>(std::ceil(period / (0.98 * model.largest_step()))));
    model.start(period / steps, nothing, nothing);
    // k_y s is counted from the first node, half a node from the wall
    const double shift = k * std::sin(angle) * spacing / 2;
    IncidentWaves<double> waves(
        comm, *device, model,
        {.side = GridSide::west,
         .distance = 1.5 * a_wave * spacing,
         .components = {{0.5, frequency, angle, -shift}, {0.5, frequency, -angle, shift}},
         .rise = 3 * period});
    Harmonics harmonics(frequency);
    for (int n = 0; n < 26 * steps; ++n) {
        waves.set_source(model);
        model.step();
        if (n >= 24 * steps) harmonics.add(comm, model);
    }
    const double along =
        test::scheme_wave_number(s, frequency, period / steps, depth, k * std::sin(angle));
    const auto [forward, back] =
        test::waves_along(harmonics, 2 * a_wave, 4 * a_wave, along * spacing);
    const double expected = std::cos(k * std::sin(angle) * spacing / 2);
    EXPECT_NEAR(forward, expected, 0.01);
    EXPECT_LE(back, 0.02);
    for (const int i : {2 * a_wave, 3 * a_wave})  // across the channel
        for (int j = 0; j < across; ++j)
            EXPECT_NEAR(std::abs(harmonics.at(std::size_t(j) * s.nx + i)),
                        std::abs(std::cos(k * std::sin(angle) * spacing * (j + 0.5))), 0.02);
}

// A channel on a current along x, for waves of a number k along x (a_wave nodes long) and their
// mirror image: borders at both ends, each of 1.5 lengths of the longest waves.
struct Stream {
    double k, current, depth, frequency;
    int border;
    BoussinesqSettings settings;

    Stream(double kh, double depth, double current, int a_wave, int free)
        : k(kh / depth),
          current(current),
          depth(depth),
          frequency(test::formula_frequency(k, depth) + k * current) {
        const double spacing = 2 * pi / k / a_wave;
        double back = 1e-9;  // the wave that leaves the line for its border: w(back) - back U = w
        while (test::formula_frequency(back, depth) - back * current < frequency) back *= 1.001;
        border = static_cast<int>(1.5 * std::max<double>(a_wave, 2 * pi / back / spacing));
        settings = basin(2 * border + free * a_wave, 4, spacing, depth);
        settings.damping = border_damping(settings, {.sides = {GridSide::west, GridSide::east},
                                                     .width = border * spacing,
                                                     .frequency = frequency});
        settings.current = [current](double, double) { return std::array{current, 0.0}; };
        settings.solver.reduction = 1e-6;
    }
};

// With the current and against it the elevation has the amplitude that was asked for: the current
// carries energy off the line, too.
TEST(Sea, ComesInOnACurrent) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    for (const double current : {1.0, -1.0, -2.0}) {
        const Stream stream(0.6, 5, current, 20, 4);
        BoussinesqModel<double> model(comm, *device, stream.settings);
        const double period = 2 * pi / stream.frequency;
        const int steps = static_cast<int>(std::ceil(period / (0.98 * model.largest_step())));
        model.start(period / steps, nothing, nothing);
        IncidentWaves<double> waves(comm, *device, model,
                                    {.side = GridSide::west,
                                     .distance = (stream.border + 0.5) * stream.settings.dx,
                                     .components = regular_waves(1, period),
                                     .rise = 4 * period});
        Harmonics harmonics(stream.frequency);
        for (int n = 0; n < 30 * steps; ++n) {
            waves.set_source(model);
            model.step();
            if (n >= 28 * steps) harmonics.add(comm, model);
        }
        const double k = test::scheme_wave_number(stream.settings, stream.frequency, period / steps,
                                                  stream.depth, 0, {current, 0}, 2 * stream.k);
        EXPECT_NEAR(k, stream.k, 0.02 * stream.k);
        std::complex<double> sum = 0;  // over whole waves what comes back drops out
        const int first = stream.border + 10, count = 60;
        for (int i = first; i < first + count; ++i)
            sum += harmonics.at(i) * std::polar(1.0, -k * stream.settings.dx * i);
        std::printf("current %g m/s: amplitude %.4f\n", current, std::abs(sum) / count);
        EXPECT_NEAR(std::abs(sum) / count, 1, 0.01) << current;
    }
}

// A sea on a current, its frequencies moved to multiples of one, so that each component's amplitude
// can be told: 4 sqrt(sum of a^2 / 2) is the significant height.
TEST(Sea, HasItsHeightOnACurrent) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    for (const double current : {1.0, -1.0}) {
        const Stream stream(0.4, 5, current, 48, 1);
        const double period = 2 * pi / stream.frequency;
        const int periods = 20;  // in which all components have whole ones
        std::vector<WaveComponent> sea = irregular_waves(
            {.significant_height = 2, .peak_period = period, .components = 16, .seed = 5});
        std::vector<Harmonics> harmonics;
        for (WaveComponent& wave : sea) {
            const double base = stream.frequency / periods;
            wave.frequency = base * std::lround(wave.frequency / base);
            if (!harmonics.empty()) {
                ASSERT_GT(wave.frequency, (&wave)[-1].frequency + base / 2);
            }
            harmonics.emplace_back(wave.frequency);
        }
        BoussinesqModel<double> model(comm, *device, stream.settings);
        const int steps = static_cast<int>(std::ceil(period / (0.98 * model.largest_step())));
        model.start(period / steps, nothing, nothing);
        IncidentWaves<double> waves(comm, *device, model,
                                    {.side = GridSide::west,
                                     .distance = (stream.border + 0.5) * stream.settings.dx,
                                     .components = sea,
                                     .rise = 2 * period});
        for (int n = 0; n < 2 * periods * steps; ++n) {
            waves.set_source(model);
            model.step();
            if (n >= periods * steps)
                for (Harmonics& of : harmonics) of.add(comm, model);
        }
        double energy = 0;
        for (const Harmonics& of : harmonics) {
            double mean = 0;
            for (int i = 0; i < 40; ++i) mean += std::norm(of.at(stream.border + 4 + i)) / 40;
            energy += mean / 2;
        }
        std::printf("current %g m/s: significant height %.4f\n", current, 4 * std::sqrt(energy));
        EXPECT_NEAR(4 * std::sqrt(energy), 2, 0.02) << current;
    }
}

// Oblique waves on a current that is oblique, too: a plane wave in the middle of a wide sea.
TEST(Sea, ComesInObliquelyOnACurrent) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    const double depth = 5, k = 0.6 / depth, angle = 25 * pi / 180, kx = k * std::cos(angle),
                 ky = k * std::sin(angle);
    const int a_wave = 14;
    const double spacing = 2 * pi / k / a_wave;
    for (const auto& current : {std::array{0.8, 0.6}, std::array{-0.8, 0.6}}) {
        const double frequency =
                         test::formula_frequency(k, depth) + kx * current[0] + ky * current[1],
                     period = 2 * pi / frequency;
        BoussinesqSettings s = basin(6 * a_wave, 12 * a_wave, spacing, depth);
        s.current = [current](double, double) { return current; };
        const auto ends = border_damping(s, {.sides = {GridSide::west, GridSide::east},
                                             .width = 2 * a_wave * spacing,
                                             .frequency = frequency}),
                   // wide, so that the line ends softly
            sides = border_damping(s, {.sides = {GridSide::south, GridSide::north},
                                       .width = 5 * a_wave * spacing,
                                       .frequency = frequency,
                                       .strength = 0.5});
        s.damping = [=](double x, double y) { return std::max(ends(x, y), sides(x, y)); };
        s.solver.reduction = 1e-5;
        BoussinesqModel<double> model(comm, *device, s);
        const int steps = static_cast<int>(std::ceil(period / (0.98 * model.largest_step())));
        model.start(period / steps, nothing, nothing);
        IncidentWaves<double> waves(comm, *device, model,
                                    {.side = GridSide::west,
                                     .distance = (2 * a_wave + 0.5) * spacing,
                                     .components = regular_waves(1, period, angle),
                                     .rise = 3 * period});
        Harmonics harmonics(frequency);
        for (int n = 0; n < 20 * steps; ++n) {
            waves.set_source(model);
            model.step();
            if (n >= 19 * steps) harmonics.add(comm, model);
        }
        const double along =
            test::scheme_wave_number(s, frequency, period / steps, depth, ky, current, 2 * kx);
        EXPECT_NEAR(along, kx, 0.04 * kx);
        std::complex<double> sum = 0;
        int count = 0;
        for (int i = 2 * a_wave + 4; i < 4 * a_wave; ++i)
            for (int j = 6 * a_wave; j < 7 * a_wave; ++j, ++count)
                sum += harmonics.at(std::size_t(j) * s.nx + i) *
                       std::polar(1.0, -spacing * (along * i + ky * j));
        std::printf("current %g, %g m/s: amplitude %.4f\n", current[0], current[1],
                    std::abs(sum) / count);
        EXPECT_NEAR(std::abs(sum) / count, 1, 0.01) << current[0];
    }
}

// From the other three sides, by symmetry: the same bits as from the west, in still water and on a
// current that turns with the side.
TEST(Sea, ComesFromEverySide) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    double inward = 0, aside = 0;  // of the current; aside: along y at the west
    const auto elevation = [&](GridSide side, double direction) {
        BoussinesqSettings s = basin(40, 40, 1, 2);
        const std::array current = side == GridSide::west    ? std::array{inward, aside}
                                   : side == GridSide::east  ? std::array{-inward, aside}
                                   : side == GridSide::south ? std::array{aside, inward}
                                                             : std::array{aside, -inward};
        if (inward != 0) s.current = [current](double, double) { return current; };
        BoussinesqModel<double> model(comm, *device, s);
        model.start(0.1, nothing, nothing);
        IncidentWaves<double> waves(comm, *device, model,
                                    {.side = side,
                                     .distance = 6.5,
                                     .components = regular_waves(1, 4, direction),
                                     .rise = 1});
        for (int n = 0; n < 20; ++n) {
            waves.set_source(model);
            model.step();
        }
        return test::whole(comm, model, model.zeta());
    };
    const double tilt = 0.3;
    for (const bool is_still : {true, false}) {
        inward = is_still ? 0 : 0.7;
        aside = is_still ? 0 : 0.4;
        const auto west = elevation(GridSide::west, tilt),
                   east = elevation(GridSide::east, pi - tilt),
                   south = elevation(GridSide::south, pi / 2 - tilt),
                   north = elevation(GridSide::north, -pi / 2 + tilt);
        EXPECT_GT(*std::max_element(west.begin(), west.end()), 0.3);
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) {
                const double value = west[j * 40 + i];
                EXPECT_NEAR(east[j * 40 + 39 - i], value, 1e-6);
                EXPECT_NEAR(south[i * 40 + j], value, 1e-6);
                EXPECT_NEAR(north[(39 - i) * 40 + j], value, 1e-6);
            }
    }
}

// Damping that varies, at the largest step: bounded, a little above it is refused. Strong beside
// the highest frequency.
TEST(Sea, StaysBoundedInBordersAtTheLargestStep) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    BoussinesqSettings s = basin(32, 24, 0.5, 1);
    const BoussinesqModel<double> still(comm, *device, s);
    const double highest = 1 / still.largest_step();
    for (const double strength : {0.1, 0.5, 2.0}) {
        s.damping = border_damping(s, {.sides = {GridSide::west, GridSide::north},
                                       .width = 4,
                                       .frequency = highest,
                                       .strength = strength});
        BoussinesqModel<double> model(comm, *device, s);
        // of the nodes at the side, which have a side less, and of those behind them
        const double outer = strength * highest * std::pow(1 - 0.25 / 4, 2),
                     inner = strength * highest * std::pow(1 - 0.75 / 4, 2);
        EXPECT_GE(model.largest_step(), 1 / (highest + outer) * (1 - 1e-12));
        EXPECT_LE(model.largest_step(), 1 / (highest + inner) * (1 + 1e-12));
        EXPECT_THROW(model.start(1.001 * model.largest_step(), nothing, nothing), InputError);
        const auto noise = [](double x, double y) { return std::sin(1e4 * x * y + 77 * x); };
        model.start(model.largest_step(), noise, nothing);
        for (int n = 0; n < 2000 / (comm.size() * comm.size()); ++n) model.step();
        for (const double zeta : test::whole(comm, model, model.zeta()))
            ASSERT_LE(std::abs(zeta), 10) << strength;
    }
}

TEST(Sea, HasTheSpectrumThatWasAskedFor) {
    const IrregularSea sea{.significant_height = 2.5,
                           .peak_period = 8,
                           .direction = 0.4,
                           .spreading = 4,
                           .components = 200,
                           .seed = 7};
    const std::vector<WaveComponent> waves = irregular_waves(sea);
    EXPECT_NEAR(significant_height(waves), 2.5, 1e-12);
    // the sum itself at a place, over ten hours
    double sum = 0, squares = 0;
    const int samples = 20000;
    for (int n = 0; n < samples; ++n) {
        double zeta = 0;
        for (const WaveComponent& wave : waves)
            zeta += wave.amplitude * std::cos(wave.frequency * 1.8 * n + wave.phase);
        sum += zeta;
        squares += zeta * zeta;
    }
    EXPECT_NEAR(sum / samples, 0, 0.01);
    EXPECT_NEAR(4 * std::sqrt(squares / samples), 2.5, 0.05);
    // the mean period over the peak's for a peakedness of 3.3: m_-1 / m_0 is 0.90, and directions
    // have the variance of cos^8
    double energy = 0, period = 0, mean = 0, square = 0;
    for (const WaveComponent& wave : waves) {
        const double a = wave.amplitude * wave.amplitude;
        energy += a;
        period += a * 2 * pi / wave.frequency;
        mean += wave.direction / waves.size();
        square += std::pow(wave.direction - 0.4, 2) / waves.size();
    }
    EXPECT_NEAR(period / energy / 8, 0.90, 0.02);
    EXPECT_NEAR(mean, 0.4, 0.07);
    double weight = 0, variance = 0;
    for (double t = -pi / 2; t < pi / 2; t += 1e-4) {
        weight += std::pow(std::cos(t), 8);
        variance += t * t * std::pow(std::cos(t), 8);
    }
    EXPECT_NEAR(square, variance / weight, 0.2 * variance / weight);
    // the same seed, the same sea; another one, another sea
    const auto again = irregular_waves(sea);
    EXPECT_EQ(again[17].phase, waves[17].phase);
    IrregularSea other = sea;
    other.seed = 8;
    EXPECT_NE(irregular_waves(other)[17].phase, waves[17].phase);
    EXPECT_NEAR(waves[0].phase, 5.964635370103, 1e-10);  // on every machine
}

TEST(Sea, RefusesSettingsThatMakeNoWaves) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    BoussinesqSettings s = basin(40, 40, 1, 2);
    BoussinesqModel<double> model(comm, *device, s);
    model.start(0.1, nothing, nothing);
    const auto message = [&](const std::function<void()>& action) {
        try {
            action();
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto with = [&](IncidentWaveSettings settings) {
        return message([&] { IncidentWaves<double>(comm, *device, model, settings); });
    };
    const auto good = regular_waves(1, 4);
    EXPECT_EQ(with({.distance = 5, .components = good}), "accepted");
    EXPECT_NE(with({.distance = 41, .components = good}).find("0 to 40"), std::string::npos);
    EXPECT_NE(with({.distance = -1, .components = good}).find("0 to 40"), std::string::npos);
    EXPECT_NE(with({.components = regular_waves(1, 4, 1.5)}).find("does not enter"),
              std::string::npos);
    EXPECT_NE(with({.side = GridSide::east, .components = good}).find("does not enter"),
              std::string::npos);
    EXPECT_NE(with({.components = regular_waves(1, 0.8)}).find("too short"), std::string::npos);
    // currents against the waves
    const auto on = [&](std::array<double, 2> current, const std::vector<WaveComponent>& waves) {
        BoussinesqSettings streaming = s;
        streaming.current = [current](double, double y) {
            return std::array{y < 20 ? current[0] : current[1], 0.0};
        };
        BoussinesqModel<double> on_it(comm, *device, streaming);
        on_it.start(0.05, nothing, nothing);
        return message([&] {
            IncidentWaves<double>(comm, *device, on_it, {.distance = 5, .components = waves});
        });
    };
    EXPECT_NE(on({-5, 0}, good)
                  .find("does not enter at (5.5, 0.5), 2 m deep, where the current is "
                        "against it and lets no such wave pass"),
              std::string::npos);
    EXPECT_EQ(on({-1, 0}, good), "accepted");  // a slower current
    EXPECT_NE(on({-3.3, 0}, good).find("does not enter"), std::string::npos);
    EXPECT_EQ(on({-3.3, 0}, regular_waves(1, 40)), "accepted");  // longer waves
    // further on along the line
    EXPECT_NE(on({-1, -5}, good)
                  .find("does not enter at (5.5, 20.5), 2 m deep, where the current, "
                        "inward -5 m/s and along the line 0 m/s, lets no such wave"),
              std::string::npos);
    // it moves against the current, but its energy is carried back to the side
    EXPECT_NE(on({-1.2, 0}, regular_waves(1, 4, 1.3)).find("group velocity inward is"),
              std::string::npos);
    EXPECT_EQ(on({-1.2, 0}, regular_waves(1, 4, 0.8)), "accepted");
    for (const IrregularSea& sea :
         {IrregularSea{.significant_height = -1, .peak_period = 5}, IrregularSea{.peak_period = 0},
          IrregularSea{.peak_period = 5, .peakedness = 0.5},
          IrregularSea{.peak_period = 5, .components = 0},
          IrregularSea{.peak_period = 5, .spreading = -1}})
        EXPECT_NE(message([&] { irregular_waves(sea); }), "accepted");
    EXPECT_NE(message([] { regular_waves(1, 0); }), "accepted");
    EXPECT_NE(message([] { regular_waves(-1, 3); }), "accepted");
    for (const AbsorbingBorder& border :
         {AbsorbingBorder{.sides = {}, .width = 0},
          AbsorbingBorder{.sides = {}, .width = 1, .frequency = -1},
          AbsorbingBorder{.sides = {}, .width = 1, .strength = std::nan("")}})
        EXPECT_NE(message([&] { border_damping(s, border); }), "accepted");
}

}  // namespace
}  // namespace solenoid::sea_test

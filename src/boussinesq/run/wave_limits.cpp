#include "boussinesq/run/wave_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "boussinesq/dispersion.hpp"

namespace solenoid {
namespace {

using std::numbers::pi;

constexpr double most_kh = 3;             // there the model's waves are 2.4 % too fast
constexpr double least_nodes = 8;         // of a wavelength
constexpr double most_of_depth = 0.78;    // height of a wave over the depth: it breaks
constexpr double most_steepness = 0.142;  // Miche: height over wavelength times tanh(k h)
constexpr double most_energy = 0.25;      // share of a sea's energy that may be beyond
constexpr double most_area = 0.5;         // share of the nodes with water that may be beyond
// Speed of a ship over sqrt(g length) from which it makes waves of its speed: longer than about
// half of it.
constexpr double makes_waves = 0.3;
constexpr int samples = 200;  // of a course

// k h of the waves of water that move at a speed.
double kh_of_speed(double speed, double depth, double gravity) {
    const double ratio = speed * speed / (gravity * depth);  // tanh(k h) / (k h)
    double low = 0, high = 1 / ratio;
    for (int n = 0; n < 80; ++n) {
        const double kh = (low + high) / 2;
        (std::tanh(kh) > ratio * kh ? low : high) = kh;
    }
    return high;
}

// A number of waves, the largest first: what is exceeded by components of most_energy at most.
double exceeded_by_few(std::vector<std::array<double, 2>> value_and_energy) {
    std::ranges::sort(value_and_energy, std::greater{});
    double all = 0, sum = 0;
    for (const auto& [value, energy] : value_and_energy) all += energy;
    for (const auto& [value, energy] : value_and_energy)
        if ((sum += energy) > most_energy * all) return value;
    return 0;
}

// Waves of a side, on the deepest water of the line along which they come in.
struct Incident {
    double depth = 0, along_x = 0, along_y = 0;  // and the current there [m/s]
    double height = 0, length = 0;               // of the waves, of a sea at its peak [m]
    double frequency = 0;                        // likewise [rad/s]
    double kh = 0, nodes = HUGE_VAL;             // most energy has no more, or no fewer
    double slowest = 0;  // period whose k h is most_kh, over that of the waves with kh
    bool is_sea = false;
};

double inward(const std::string& side) {
    return side == "west" ? 0 : side == "east" ? pi : side == "south" ? pi / 2 : -pi / 2;
}

Incident incident(const BoussinesqSettings& grid, const BoussinesqBoundary& boundary) {
    const BoussinesqCondition& waves = *boundary.condition;
    const bool is_column = boundary.name == "west" || boundary.name == "east",
               is_last = boundary.name == "east" || boundary.name == "north";
    const int across = is_column ? grid.nx : grid.ny, along = is_column ? grid.ny : grid.nx,
              from_side = static_cast<int>(waves.width / (is_column ? grid.dx : grid.dy)),
              row = is_last ? across - 1 - from_side : from_side;
    Incident found{.is_sea = waves.waves.size() > 1};
    for (int s = 0; s < along; ++s) {
        const double x = grid.x + (is_column ? row : s) * grid.dx,
                     y = grid.y + (is_column ? s : row) * grid.dy, depth = grid.depth(x, y);
        if (!(depth > found.depth)) continue;
        found.depth = depth;
        if (!grid.current) continue;
        const auto current = grid.current(x, y);
        found.along_x = current[0];
        found.along_y = current[1];
    }
    const auto number = [&](double frequency, double direction) {
        const double current =
            found.along_x * std::cos(direction) + found.along_y * std::sin(direction);
        return wave_number_on_current(frequency, found.depth, grid.gravity, current);
    };
    double energy = 0, mean = 0;
    std::vector<std::array<double, 2>> kh, per_node, slowest;
    for (const WaveComponent& wave : waves.waves) {
        const double direction = wave.direction + inward(boundary.name),
                     k = number(wave.frequency, direction),
                     weight = wave.amplitude * wave.amplitude, deep = most_kh / found.depth,
                     least = wave_frequency(deep, found.depth, grid.gravity) +
                             deep * (found.along_x * std::cos(direction) +
                                     found.along_y * std::sin(direction));
        kh.push_back({k * found.depth, weight});
        per_node.push_back({k * std::max(std::abs(std::cos(direction)) * grid.dx,
                                         std::abs(std::sin(direction)) * grid.dy),
                            weight});
        if (least > 0) slowest.push_back({wave.frequency / least, weight});
        energy += weight;
        mean += weight * direction;
    }
    found.frequency = 2 * pi / waves.period;
    const double k = number(found.frequency, mean / energy);
    found.length = 2 * pi / k;
    found.height = found.is_sea ? significant_height(waves.waves) : 2 * waves.waves[0].amplitude;
    found.kh = exceeded_by_few(kh);
    found.nodes = 2 * pi / exceeded_by_few(per_node);
    found.slowest = exceeded_by_few(slowest);
    return found;
}

// Shares of the nodes with water at which the waves are beyond a limit.
struct Area {
    double deep = 0, coarse = 0, breaking = 0;
    double deepest = 0;  // [m]
};

Area area(const Communicator& comm, const BoussinesqSettings& grid, const RankBlocks::Block& block,
          const Incident& waves) {
    std::vector<double> counts(4);
    Area found;
    double known = 0, k = 0;  // of the depth before
    for (int j = 0; j < block.height; ++j)
        for (int i = 0; i < block.width; ++i) {
            const double h =
                grid.depth(grid.x + (block.x + i) * grid.dx, grid.y + (block.y + j) * grid.dy);
            if (!(h > 0)) continue;
            if (h != known) k = wave_number(waves.frequency, h, grid.gravity);
            known = h;
            found.deepest = std::max(found.deepest, h);
            counts[0] += 1;
            counts[1] += k * h > most_kh;
            counts[2] += 2 * pi / k < least_nodes * std::max(grid.dx, grid.dy);
            counts[3] += waves.height > most_of_depth * h;
        }
    comm.sum(counts);
    found.deepest = comm.max(found.deepest);
    found.deep = counts[1] / counts[0];
    found.coarse = counts[2] / counts[0];
    found.breaking = counts[3] / counts[0];
    return found;
}

void warn_of_waves(const Communicator& comm, const BoussinesqSettings& grid,
                   const RankBlocks::Block& block, const BoussinesqBoundary& boundary,
                   std::vector<std::string>& warnings) {
    const Incident waves = incident(grid, boundary);
    const Area everywhere = area(comm, grid, block, waves);
    const double period = 2 * pi / waves.frequency;
    const auto warn = [&](const std::string& text) {
        warnings.push_back(fmt::format("{}: [boundary.{}]: waves of {:g} s{} {}", boundary.place,
                                       boundary.name, period, waves.is_sea ? " at the peak" : "",
                                       text));
    };
    const char* const of_sea = waves.is_sea ? " for a quarter of their energy" : "";
    const char* const key = waves.is_sea ? "peak_period" : "period";
    const auto too_fast = [&](double kh) {
        const double depth = waves.depth, k = kh / depth,
                     right = std::sqrt(grid.gravity * k * std::tanh(kh));
        return 100 * (wave_frequency(k, depth, grid.gravity) / right - 1);
    };
    if (waves.kh > most_kh)
        warn(fmt::format(
            "are too short for the model: k h is {:.3g}{} on the {:.4g} m of water where they come "
            "in, where the model's waves are {:.2g} % too fast; up to k h = 3 it is 2.4 %: take a "
            "{} of {:.3g} s or more, or shallower water",
            waves.kh, of_sea, waves.depth, too_fast(waves.kh), key, 1.01 * period * waves.slowest));
    else if (everywhere.deep > most_area)
        warn(fmt::format(
            "are too short for the model on {:.0f} % of the water, up to {:.4g} m deep: beyond k h "
            "= 3 the model's waves are more than 2.4 % too fast; take a longer {}, or shallower "
            "water",
            100 * everywhere.deep, everywhere.deepest, key));
    if (waves.nodes < least_nodes)
        warn(fmt::format(
            "have {:.2g} nodes a wavelength{}, where {:g} are needed: take nodes {:.3g} times as "
            "close, or a longer {}",
            waves.nodes, of_sea, least_nodes, 1.01 * least_nodes / waves.nodes, key));
    else if (everywhere.coarse > most_area)
        warn(fmt::format(
            "have fewer than {:g} nodes a wavelength on {:.0f} % of the water, where it is "
            "shallow: take a finer grid, or a longer {}",
            least_nodes, 100 * everywhere.coarse, key));
    const double kh = 2 * pi / waves.length * waves.depth, by_depth = most_of_depth * waves.depth,
                 by_steepness = most_steepness * waves.length * std::tanh(kh),
                 highest = std::min(by_depth, by_steepness);
    const char* const height = waves.is_sea ? "significant_height" : "amplitude";
    if (waves.height > highest)
        warn(
            fmt::format("and {:.3g} m of height break, which the model does not know: on {:.4g} m "
                        "of water they "
                        "do beyond {:.3g} m, by {}: take {} = {:.3g} or less, or deeper water",
                        waves.height, waves.depth, highest,
                        by_depth < by_steepness ? "0.78 of the depth"
                                                : "Miche's 0.142 of the wavelength times tanh(k h)",
                        height, 0.99 * highest / (waves.is_sea ? 1 : 2)));
    else if (everywhere.breaking > most_area)
        warn(fmt::format(
            "and {:.3g} m of height break on {:.0f} % of the water, where it is less deep than "
            "{:.3g} m, and the model does not know of that: take a smaller {}, or deeper water",
            waves.height, 100 * everywhere.breaking, waves.height / most_of_depth, height));
}

void warn_of_ship(const BoussinesqSettings& grid, const NamedShip& ship, double end,
                  std::vector<std::string>& warnings) {
    const double west = grid.x - grid.dx / 2, east = west + grid.nx * grid.dx,
                 south = grid.y - grid.dy / 2, north = south + grid.ny * grid.dy,
                 length = ship.settings.length;
    ShipCourse course = ship.settings.course;
    double kh = 0, at_speed = 0, at_depth = 0, deepest = 0, fewest = HUGE_VAL;
    for (int n = 0; n <= samples; ++n) {
        course.move_to(end * n / samples);
        const ShipPose& pose = course.pose();
        if (!(pose.x > west && pose.x < east && pose.y > south && pose.y < north)) continue;
        const double h = grid.depth(pose.x, pose.y), speed = std::abs(course.speed_now());
        if (!(h > 0)) continue;
        deepest = std::max(deepest, h);
        if (speed < makes_waves * std::sqrt(grid.gravity * length) ||
            speed * speed >= grid.gravity * h)
            continue;
        const double here = kh_of_speed(speed, h, grid.gravity);
        fewest = std::min(fewest, 2 * pi * h / here / std::max(grid.dx, grid.dy));
        if (here <= kh) continue;
        kh = here;
        at_speed = speed;
        at_depth = h;
    }
    const auto warn = [&](const std::string& text) {
        warnings.push_back(fmt::format("{}: [[ship]] \"{}\": {}", ship.place, ship.name, text));
    };
    if (kh > most_kh)
        warn(fmt::format(
            "at {:.3g} m/s on {:.4g} m of water it makes waves with k h = {:.3g}, and the model "
            "bears them up to 3: its wake and its resistance are not those of water; let it sail "
            "at {:.3g} m/s or more, or on shallower water",
            at_speed, at_depth, kh,
            1.01 * std::sqrt(grid.gravity * at_depth * std::tanh(most_kh) / most_kh)));
    else if (fewest < least_nodes)
        warn(
            fmt::format("its waves have {:.2g} nodes a wavelength, where {:g} are needed: take "
                        "nodes {:.3g} times as close",
                        fewest, least_nodes, 1.01 * least_nodes / fewest));
    if (pi * deepest / length > most_kh)
        warn(fmt::format(
            "it is {:g} m long and sails on up to {:.4g} m of water, and the model bears what is "
            "at "
            "least as long as the water is deep: forces on it are not those of water; take "
            "shallower water or a longer ship",
            length, deepest));
}

}  // namespace

std::vector<std::string> wave_warnings(const Communicator& comm, const BoussinesqSettings& grid,
                                       const RankBlocks::Block& block, const BoussinesqCase& water,
                                       double end) {
    std::vector<std::string> warnings;
    for (const BoussinesqBoundary& boundary : water.boundaries)
        if (!boundary.condition->waves.empty() &&
            (boundary.name == "west" || boundary.name == "east" || boundary.name == "south" ||
             boundary.name == "north"))
            warn_of_waves(comm, grid, block, boundary, warnings);
    for (const NamedShip& ship : water.ships) warn_of_ship(grid, ship, end, warnings);
    return warnings;
}

}  // namespace solenoid

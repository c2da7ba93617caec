#include "boussinesq/incident_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "boussinesq/dispersion.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

using std::numbers::pi;

// What a node of the line has: the current's components along the inward normal and along the line
// [m/s].
struct Water {
    double depth = 0, inward = 0, along = 0;
    bool is_still() const { return inward == 0 && along == 0; }
    bool operator==(const Water&) const = default;
};

// The line, as the scheme sees it.
struct Line {
    bool is_column = false, is_last = false;  // of the grid's rows or columns
    double spacing = 0, step = 0;             // of nodes across it and along it [m]
    double dt = 0, gravity = 0;

    double along_of(const WaveComponent& wave, double k) const {
        return k * (is_column ? std::sin(wave.direction) : std::cos(wave.direction));
    }
    double inward_of(const WaveComponent& wave) const {
        return (is_column ? std::cos(wave.direction) : std::sin(wave.direction)) *
               (is_last ? -1 : 1);
    }
};

// Of waves of one frequency and one wave number along the line, by the wave number k across it: the
// frequency seen from the ground, of the scheme or of the formula, and its derivative by k, at
// which energy crosses the line.
class Crossing {
  public:
    static Crossing of_scheme(const Line& line, double k_along, const Water& water) {
        return {line.gravity, line.spacing, 2 / line.step * std::sin(k_along * line.step / 2),
                water.along / line.step * std::sin(k_along * line.step), water};
    }
    static Crossing of_formula(const Line& line, double k_along, const Water& water) {
        return {line.gravity, 0, k_along, water.along * k_along, water};
    }
    double frequency(double k) const {
        return carried_ + water_.inward * (spacing_ > 0 ? std::sin(k * spacing_) / spacing_ : k) +
               wave_frequency(std::hypot(quotient(k), tangential_), water_.depth, gravity_);
    }
    double speed(double k) const {
        const double normal = quotient(k), all = std::hypot(normal, tangential_);
        return water_.inward * std::cos(k * spacing_) +
               group_velocity(all, water_.depth, gravity_) * normal / all *
                   std::cos(k * spacing_ / 2);
    }
    // The speed of the longest waves of a frequency that enter, 0 where none do: the first wave
    // number of an ascending list at which the frequency is reached. A current against waves that
    // go nearly along the line lets it fall at first; where it falls again no wave is left.
    template <class Next>
    double entering(double wanted, double first, double last, const Next& next) const {
        double low = 0, below = frequency(0);
        if (below >= wanted) return 0;
        bool has_risen = false;
        for (double k = first; k <= last; k = next(k)) {
            const double here = frequency(k);
            if (here >= wanted) return speed(between(low, k, wanted));
            if (here < below && has_risen) return 0;
            has_risen = has_risen || here > below;
            low = k;
            below = here;
        }
        return 0;
    }

  private:
    Crossing(double gravity, double spacing, double tangential, double carried, const Water& water)
        : gravity_(gravity),
          spacing_(spacing),
          tangential_(tangential),
          carried_(carried),
          water_(water) {}
    double quotient(double k) const {
        return spacing_ > 0 ? 2 / spacing_ * std::sin(k * spacing_ / 2) : k;
    }
    double between(double low, double high, double wanted) const {
        for (int n = 0; n < 60; ++n) {
            const double middle = (low + high) / 2;
            (frequency(middle) < wanted ? low : high) = middle;
        }
        return high;
    }
    double gravity_, spacing_, tangential_, carried_;
    Water water_;
};

// What a source of 1 m/s at a node of a line does for a wave of the scheme: twice the speed at
// which its energy crosses the line [m/s]. frequency: of the scheme, sin(w dt) / dt. 0 where no
// such wave enters.
double crossing_speed(const Line& line, double frequency, double k_along, const Water& water) {
    if (!water.is_still()) {
        const double last = pi / line.spacing, part = last / 64;
        return std::max(0.0, Crossing::of_scheme(line, k_along, water)
                                 .entering(frequency, part, last * (1 - 1e-9),
                                           [part](double k) { return k + part; }));
    }
    const double tangential = 2 / line.step * std::sin(k_along * line.step / 2),
                 k = wave_number(frequency, water.depth, line.gravity),
                 normal = std::sqrt(std::max(0.0, k * k - tangential * tangential)),
                 half = normal * line.spacing / 2;
    if (half >= 1) return 0;
    return group_velocity(k, water.depth, line.gravity) * normal / k * std::sqrt(1 - half * half);
}

// Whether the current keeps a wave from entering. The scheme's frequencies do not tell: where the
// current is faster than all waves they still have one of a few nodes.
bool is_stopped(const Line& line, double frequency, double k_along, const Water& water) {
    if (water.is_still()) return false;
    const double k = wave_number(frequency, water.depth, line.gravity);
    return !(Crossing::of_formula(line, k_along, water)
                 .entering(frequency, k / 256, 1e4 * k, [](double k) { return 1.03 * k; }) > 0);
}

}  // namespace

template <class Real>
IncidentWaves<Real>::IncidentWaves(const Communicator& comm, Device& device,
                                   const BoussinesqModel<Real>& model,
                                   const IncidentWaveSettings& settings)
    : device_(device), rise_(settings.rise) {
    const BoussinesqSettings& grid = model.settings();
    const bool is_column = settings.side == GridSide::west || settings.side == GridSide::east,
               is_last = settings.side == GridSide::east || settings.side == GridSide::north;
    const int across = is_column ? grid.nx : grid.ny, along = is_column ? grid.ny : grid.nx;
    const Line line{.is_column = is_column,
                    .is_last = is_last,
                    .spacing = is_column ? grid.dx : grid.dy,
                    .step = is_column ? grid.dy : grid.dx,
                    .dt = model.dt(),
                    .gravity = grid.gravity};
    const double spacing = line.spacing, from_side = std::floor(settings.distance / spacing);
    if (!(settings.distance >= 0 && from_side < across))
        throw InputError(
            fmt::format("incident waves: their line is {:g} m from the side: it must lie in the "
                        "grid, 0 to {:g}",
                        settings.distance, across * spacing));
    if (!(rise_ >= 0)) throw InputError("incident waves: the time of their rise must not be < 0");
    if (!(model.dt() > 0)) throw std::logic_error("incident waves before the model's start");
    const int row =
        is_last ? across - 1 - static_cast<int>(from_side) : static_cast<int>(from_side);

    const auto place = [&](int s) {
        return is_column ? std::array{grid.x + row * grid.dx, grid.y + s * grid.dy}
                         : std::array{grid.x + s * grid.dx, grid.y + row * grid.dy};
    };
    std::vector<Water> water(along);
    for (int s = 0; s < along; ++s) {
        const auto [x, y] = place(s);
        water[s].depth = grid.depth(x, y);
        if (!grid.current || !(water[s].depth > 0)) continue;
        const auto current = grid.current(x, y);
        water[s].inward = current[is_column ? 0 : 1] * (is_last ? -1 : 1);
        water[s].along = current[is_column ? 1 : 0];
    }
    const int deepest = static_cast<int>(
        std::max_element(water.begin(), water.end(),
                         [](const Water& a, const Water& b) { return a.depth < b.depth; }) -
        water.begin());
    if (!(water[deepest].depth > 0))
        throw InputError(fmt::format(
            "incident waves: the line on which they rise, {:g} m inside the side, lies on "
            "land: take another width of the border, or another side",
            from_side * spacing));

    const RankBlocks::Block block = model.blocks().block(1);
    std::vector<std::uint32_t> entries;
    std::vector<int> nodes;
    const int i0 = is_column ? row - block.x : 0, j0 = is_column ? 0 : row - block.y;
    if (i0 >= 0 && i0 < block.width && j0 >= 0 && j0 < block.height)
        for (int n = 0; n < (is_column ? block.height : block.width); ++n) {
            const int s = n + (is_column ? block.y : block.x);
            if (!(water[s].depth > 0)) continue;
            nodes.push_back(s);
            entries.push_back(is_column ? model.array().entry(i0, n) : model.array().entry(n, j0));
        }
    // of the waves at the deepest node
    const auto wave_number_of = [&](const WaveComponent& wave) {
        const double current = water[deepest].inward * line.inward_of(wave) +
                               line.along_of(wave, water[deepest].along);
        return wave_number_on_current(wave.frequency, water[deepest].depth, grid.gravity, current);
    };
    const auto refuse_at = [&](const WaveComponent& wave, int s, const std::string& because) {
        throw InputError(fmt::format(
            "incident waves: a component of {:g} s does not enter at ({:g}, {:g}), {:g} m deep, "
            "where {}: take longer waves, a slower current on their line, or another side",
            2 * pi / wave.frequency, place(s)[0], place(s)[1], water[s].depth, because));
    };
    comm.agree([&] {
        for (const WaveComponent& wave : settings.components) {
            if (!(line.inward_of(wave) >= std::cos(80 * pi / 180)))
                throw InputError(fmt::format(
                    "incident waves: a component travels in the direction {:g} degrees, which "
                    "does not enter at this side within 80 degrees of its normal: turn the waves "
                    "or spread them less",
                    wave.direction * 180 / pi));
            const double k = wave_number_of(wave);
            if (std::isnan(k))
                refuse_at(wave, deepest, "the current is against it and lets no such wave pass");
            const double group =
                group_velocity(k, water[deepest].depth, grid.gravity) * line.inward_of(wave);
            if (!(group + water[deepest].inward > 0))
                refuse_at(wave, deepest,
                          fmt::format("its group velocity inward is {:.3g} m/s and the current's "
                                      "{:.3g} m/s: their sum must be above 0",
                                      group, water[deepest].inward));
            const double k_along = line.along_of(wave, k), phase = wave.frequency * line.dt;
            if (!(phase < pi / 2 && std::abs(k_along) * line.step < pi &&
                  crossing_speed(line, std::sin(phase) / line.dt, k_along, water[deepest]) > 0))
                throw InputError(fmt::format(
                    "incident waves: a component of {:g} s is too short for nodes {:g} m apart: "
                    "take longer waves or a finer grid",
                    2 * pi / wave.frequency, spacing));
        }
    });
    for (const WaveComponent& wave : settings.components) frequencies_.push_back(wave.frequency);
    std::vector<double> speeds(frequencies_.size()), k_along(frequencies_.size());
    for (std::size_t m = 0; m < k_along.size(); ++m)
        k_along[m] = line.along_of(settings.components[m], wave_number_of(settings.components[m]));
    comm.agree([&] {
        for (std::size_t n = 0; n < nodes.size(); ++n)
            for (std::size_t m = 0; m < speeds.size(); ++m) {
                const WaveComponent& wave = settings.components[m];
                const Water& here = water[nodes[n]];
                const double of_scheme = std::sin(wave.frequency * line.dt) / line.dt;
                if (n == 0 || here != water[nodes[n - 1]]) {
                    speeds[m] = crossing_speed(line, of_scheme, k_along[m], here);
                    if (is_stopped(line, wave.frequency, k_along[m], here))
                        refuse_at(wave, nodes[n],
                                  fmt::format("the current, inward {:.3g} m/s and along the line "
                                              "{:.3g} m/s, lets no such wave pass",
                                              here.inward, here.along));
                }
                const double rate = 2 * wave.amplitude / spacing * speeds[m],
                             phase = wave.phase - k_along[m] * nodes[n] * line.step;
                cosines_.push_back(rate * std::cos(phase));
                sines_.push_back(-rate * std::sin(phase));
            }
    });
    rates_.resize(nodes.size());
    on_line_ = device.buffer<Real>(static_cast<Index>(nodes.size()));
    entries_ = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(entries));
}

template <class Real>
void IncidentWaves<Real>::set_source(BoussinesqModel<Real>& model) {
    if (rates_.empty()) return;
    const double t = model.time(), s = rise_ > 0 ? std::min(1.0, t / rise_) : 1.0,
                 height = s * s * (3 - 2 * s);
    const std::size_t count = frequencies_.size();
    std::vector<double> cosine(count), sine(count);
    for (std::size_t m = 0; m < count; ++m) {
        cosine[m] = height * std::cos(frequencies_[m] * t);
        sine[m] = height * std::sin(frequencies_[m] * t);
    }
    for (std::size_t n = 0; n < rates_.size(); ++n) {
        double sum = 0;
        for (std::size_t m = 0; m < count; ++m)
            sum += cosines_[n * count + m] * cosine[m] + sines_[n * count + m] * sine[m];
        rates_[n] = static_cast<Real>(sum);
    }
    on_line_.upload(rates_);
    device_.scatter(on_line_, entries_, model.source());
}

template class IncidentWaves<float>;
template class IncidentWaves<double>;

}  // namespace solenoid

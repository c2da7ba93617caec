#include "boussinesq/incident_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "boussinesq/dispersion.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

using std::numbers::pi;

// What a source of 1 m/s at a node of a line does for a wave of the scheme: twice the speed at
// which its energy crosses the line [m/s]. frequency: of the scheme, sin(w dt) / dt; tangential:
// the difference quotient's wave number along the line. 0 where no such wave leaves the line.
double crossing_speed(double frequency, double tangential, double depth, double gravity,
                      double spacing) {
    const double k = wave_number(frequency, depth, gravity),
                 normal = std::sqrt(std::max(0.0, k * k - tangential * tangential)),
                 half = normal * spacing / 2;
    if (half >= 1) return 0;
    return group_velocity(k, depth, gravity) * normal / k * std::sqrt(1 - half * half);
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
    const double spacing = is_column ? grid.dx : grid.dy, step = is_column ? grid.dy : grid.dx,
                 from_side = std::floor(settings.distance / spacing);
    if (!(settings.distance >= 0 && from_side < across))
        throw InputError(
            fmt::format("incident waves: their line is {:g} m from the side: it must lie in the "
                        "grid, 0 to {:g}",
                        settings.distance, across * spacing));
    if (!(rise_ >= 0)) throw InputError("incident waves: the time of their rise must not be < 0");
    if (!(model.dt() > 0)) throw std::logic_error("incident waves before the model's start");
    const int row =
        is_last ? across - 1 - static_cast<int>(from_side) : static_cast<int>(from_side);

    std::vector<double> depth(along);
    for (int s = 0; s < along; ++s)
        depth[s] = is_column ? grid.depth(grid.x + row * grid.dx, grid.y + s * grid.dy)
                             : grid.depth(grid.x + s * grid.dx, grid.y + row * grid.dy);
    const double deepest = *std::max_element(depth.begin(), depth.end());
    if (!(deepest > 0))
        throw InputError("incident waves: their line has no water; move it or choose another side");

    const RankBlocks::Block block = model.blocks().block(1);
    std::vector<std::uint32_t> entries;
    std::vector<int> nodes;
    const int i0 = is_column ? row - block.x : 0, j0 = is_column ? 0 : row - block.y;
    if (i0 >= 0 && i0 < block.width && j0 >= 0 && j0 < block.height)
        for (int n = 0; n < (is_column ? block.height : block.width); ++n) {
            const int s = n + (is_column ? block.y : block.x);
            if (!(depth[s] > 0)) continue;
            nodes.push_back(s);
            entries.push_back(is_column ? model.array().entry(i0, n) : model.array().entry(n, j0));
        }
    comm.agree([&] {
        for (const WaveComponent& wave : settings.components) {
            const double c = std::cos(wave.direction), s = std::sin(wave.direction),
                         inward = (is_column ? c : s) * (is_last ? -1 : 1),
                         k_along = wave_number(wave.frequency, deepest, grid.gravity) *
                                   (is_column ? s : c),
                         tangential = 2 / step * std::sin(k_along * step / 2);
            if (!(inward >= std::cos(80 * pi / 180)))
                throw InputError(fmt::format(
                    "incident waves: a component travels in the direction {:g} degrees, which "
                    "does not enter at this side within 80 degrees of its normal: turn the waves "
                    "or spread them less",
                    wave.direction * 180 / pi));
            const double phase = wave.frequency * model.dt();
            if (!(phase < pi / 2 && std::abs(k_along) * step < pi &&
                  crossing_speed(std::sin(phase) / model.dt(), tangential, deepest, grid.gravity,
                                 spacing) > 0))
                throw InputError(fmt::format(
                    "incident waves: a component of {:g} s is too short for nodes {:g} m apart: "
                    "take longer waves or a finer grid",
                    2 * pi / wave.frequency, spacing));
        }
    });
    for (const WaveComponent& wave : settings.components) frequencies_.push_back(wave.frequency);
    for (const int s : nodes)
        for (const WaveComponent& wave : settings.components) {
            const double k_along =
                             wave_number(wave.frequency, deepest, grid.gravity) *
                             (is_column ? std::sin(wave.direction) : std::cos(wave.direction)),
                         tangential = 2 / step * std::sin(k_along * step / 2),
                         rate = 2 * wave.amplitude / spacing *
                                crossing_speed(std::sin(wave.frequency * model.dt()) / model.dt(),
                                               tangential, depth[s], grid.gravity, spacing),
                         phase = wave.phase - k_along * s * step;
            cosines_.push_back(rate * std::cos(phase));
            sines_.push_back(-rate * std::sin(phase));
        }
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

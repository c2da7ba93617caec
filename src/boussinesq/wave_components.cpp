#include "boussinesq/wave_components.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/error.hpp"

namespace solenoid {
namespace {

using std::numbers::pi;

void check(const char* what, double value, bool is_good, const char* wanted) {
    if (!std::isfinite(value) || !is_good)
        throw InputError(
            fmt::format("the {} of waves is {:g}: it must be {}", what, value, wanted));
}

// Numbers in [0, 1) that do not depend on the library's distributions.
class Random {
  public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}
    double operator()() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

  private:
    std::mt19937_64 bits_;
};

// Angles with the density cos^(2 s), between -pi / 2 and pi / 2, from their distribution function.
class Spreading {
  public:
    explicit Spreading(double s) : share_(cells + 1) {
        for (int i = 0; i < cells; ++i)
            share_[i + 1] = share_[i] + std::pow(std::cos(angle(i + 0.5)), 2 * s);
        for (double& share : share_) share /= share_.back();
    }
    double at(double share) const {
        int i = 0;
        while (i + 1 < cells && share_[i + 1] <= share) ++i;
        const double part = share_[i + 1] - share_[i];
        return angle(i + (part > 0 ? (share - share_[i]) / part : 0.5));
    }

  private:
    static constexpr int cells = 720;
    static double angle(double i) { return pi * (i / cells - 0.5); }
    std::vector<double> share_;
};

}  // namespace

std::vector<WaveComponent> regular_waves(double amplitude, double period, double direction) {
    check("amplitude", amplitude, amplitude >= 0, "not negative [m]");
    check("period", period, period > 0, "above 0 [s]");
    check("direction", direction, true, "finite [rad]");
    return {{amplitude, 2 * pi / period, direction, 0}};
}

std::vector<WaveComponent> irregular_waves(const IrregularSea& sea) {
    check("significant height", sea.significant_height, sea.significant_height >= 0,
          "not negative [m]");
    check("peak period", sea.peak_period, sea.peak_period > 0, "above 0 [s]");
    check("peakedness", sea.peakedness, sea.peakedness >= 1 && sea.peakedness <= 10, "1 to 10");
    check("direction", sea.direction, true, "finite [rad]");
    check("spreading", sea.spreading, sea.spreading >= 0 && sea.spreading <= 1000, "0 to 1000");
    check("number of components", sea.components, sea.components >= 1 && sea.components <= 10000,
          "1 to 10000");
    Random random(sea.seed);
    const Spreading spreading(sea.spreading);
    std::vector<WaveComponent> components(sea.components);
    const double first = 0.5, band = 2.0 / sea.components;
    for (int i = 0; i < sea.components; ++i) {
        const double f = first + (i + random()) * band,  // over that of the peak
            sigma = f < 1 ? 0.07 : 0.09;
        const double density =
            std::pow(f, -5) * std::exp(-1.25 * std::pow(f, -4)) *
            std::pow(sea.peakedness, std::exp(-(f - 1) * (f - 1) / (2 * sigma * sigma)));
        components[i].amplitude = std::sqrt(density);
        components[i].frequency = 2 * pi * f / sea.peak_period;
        components[i].phase = 2 * pi * random();
        const double share = random();
        components[i].direction = sea.direction + (sea.spreading > 0 ? spreading.at(share) : 0.0);
    }
    const double scale = sea.significant_height / significant_height(components);
    for (WaveComponent& component : components) component.amplitude *= scale;
    return components;
}

double significant_height(const std::vector<WaveComponent>& components) {
    double sum = 0;
    for (const WaveComponent& component : components)
        sum += component.amplitude * component.amplitude;
    return 4 * std::sqrt(sum / 2);
}

}  // namespace solenoid

#include "run/time_average.hpp"

#include <cmath>
#include <stdexcept>

namespace solenoid {

// On a segment of length h from a to b the mean is (a + b) / 2 and the integral of the squared
// deviation from it h (b - a)^2 / 12. Segments are joined by Chan, Golub & LeVeque (1979), which
// subtracts no large numbers.
void TimeAverage::add(double time, std::span<const double> values) {
    if (is_empty()) {
        sums_.last.assign(values.begin(), values.end());
        sums_.mean = sums_.last;
        sums_.square.assign(values.size(), 0.0);
        sums_.time = sums_.first = time;
        return;
    }
    if (values.size() != sums_.last.size())
        throw std::logic_error("an average of samples of different lengths");
    const double length = time - sums_.time;
    if (!(length > 0)) return;
    if (sums_.has_gap) {
        sums_.last.assign(values.begin(), values.end());
        sums_.time = time;
        sums_.has_gap = false;
        return;
    }
    const double covered = sums_.covered + length;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double rise = values[i] - sums_.last[i],
                     off = sums_.last[i] + 0.5 * rise - sums_.mean[i];
        sums_.mean[i] += off * length / covered;
        sums_.square[i] += length * (rise * rise / 12 + off * off * sums_.covered / covered);
        sums_.last[i] = values[i];
    }
    sums_.covered = covered;
    sums_.time = time;
}

std::vector<double> TimeAverage::mean() const { return sums_.mean; }

std::vector<double> TimeAverage::rms() const {
    std::vector<double> rms(sums_.square.size(), 0.0);
    for (std::size_t i = 0; i < rms.size() && sums_.covered > 0; ++i)
        rms[i] = std::sqrt(sums_.square[i] / sums_.covered);
    return rms;
}

}  // namespace solenoid

#include "bench/timing.hpp"

#include <algorithm>
#include <cmath>

#include "core/timer.hpp"

namespace solenoid::bench {
namespace {

constexpr double batch_seconds = 5e-3;
constexpr int longest_batch = 10000, fewest_warm = 3;

// The quantile at a share of sorted values, interpolated linearly.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * double(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return quantile(values, 0.5);
}

Timing timing_of(std::vector<double> seconds) {
    std::ranges::sort(seconds);
    const double middle = quantile(seconds, 0.5);
    return {middle, (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / middle};
}

// Seconds until a GPU that was idle during the set-up on the host has its full clock rate.
double Timer::warm_seconds() const {
    return device_.info().kind == "cpu" || device_.info().is_software ? 0.01 : 0.3;
}

double Timer::batch(const std::function<void()>& call, int count, bool waits) const {
    comm_.barrier();
    Stopwatch watch;
    for (int k = 0; k < count; ++k) {
        call();
        if (waits) device_.finish();
    }
    device_.finish();
    return comm_.max(watch.seconds());
}

Timing Timer::of(const std::function<void()>& call, bool waits) const {
    batch(call, 1, waits);  // compiles shaders
    double one = HUGE_VAL;
    Stopwatch watch;
    for (int k = 0; k < fewest_warm || comm_.max(watch.seconds()) < warm_seconds(); ++k)
        one = std::min(one, batch(call, 1, waits));
    const int count = std::clamp(static_cast<int>(std::ceil(batch_seconds / std::max(one, 1e-9))),
                                 1, longest_batch);
    std::vector<double> seconds;
    for (int k = 0; k < repeats_; ++k) seconds.push_back(batch(call, count, waits) / count);
    return timing_of(seconds);
}

Timing Timer::of_each(const std::function<void()>& before,
                      const std::function<void()>& call) const {
    std::vector<double> seconds;
    Stopwatch watch;
    do {
        before();
        call();
        device_.finish();
    } while (comm_.max(watch.seconds()) < warm_seconds());
    for (int k = 0; k < repeats_; ++k) {
        before();
        device_.finish();
        seconds.push_back(batch(call, 1, false));
    }
    return timing_of(seconds);
}

}  // namespace solenoid::bench

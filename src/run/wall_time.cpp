#include "run/wall_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "case/quote.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

constexpr std::size_t noted = 10;
constexpr double reserve = 1.5;        // of a step and a write over the longest so far
constexpr double least_reserve = 0.2;  // [s], for the summary and for a disk that is busy just then

double longest(const std::deque<double>& last) {
    return last.empty() ? 0 : *std::ranges::max_element(last);
}

}  // namespace

double wall_time_of(const std::string& text) {
    unsigned hours = 0, minutes = 0, seconds = 0;
    int used = 0;
    const bool is_time =
        text.find_first_not_of("0123456789:") == std::string::npos &&
        std::sscanf(text.c_str(), "%5u:%2u:%2u%n", &hours, &minutes, &seconds, &used) == 3 &&
        static_cast<std::size_t>(used) == text.size();
    const double total = 3600.0 * hours + 60.0 * minutes + seconds;
    if (!is_time || minutes > 59 || seconds > 59 || total == 0)
        throw InputError("--wall-time",
                         fmt::format("{} is no time: write hours:minutes:seconds, such as 3:50:00 "
                                     "or 0:01:30",
                                     quoted(text)));
    return total;
}

void WallTime::note(std::deque<double>& last, double seconds) {
    last.push_back(seconds);
    if (last.size() > noted) last.pop_front();
}

bool WallTime::is_over(double elapsed) const {
    const double write = longest(writes_),
                 checkpoint = checkpoints_.empty() ? write : longest(checkpoints_);
    return elapsed + reserve * (longest(steps_) + write + checkpoint) + least_reserve >= limit_;
}

}  // namespace solenoid

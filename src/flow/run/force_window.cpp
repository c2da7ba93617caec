#include "flow/run/force_window.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "core/state_values.hpp"

namespace solenoid {
namespace {

constexpr std::size_t most_spans = 64;
constexpr std::size_t numbers_of_span = 9;  // is there, size, time, surface, weak

}  // namespace

double ForceWindow::Instant::apart() const { return glm::length(surface - weak); }

double ForceWindow::Instant::size() const {
    return std::max(glm::length(surface), glm::length(weak));
}

double ForceWindow::Largest::apart(double least_size) const {
    const double over = std::max(size, least_size);
    return instant && over > 0 ? instant->apart() / over : 0;
}

// Spans become twice as long, two of them one, until there is one for this time.
void ForceWindow::make_room(double time) {
    if (length_ == 0) length_ = time / most_spans;
    while (length_ > 0 && time >= length_ * most_spans) {
        std::vector<Span> pairs((spans_.size() + 1) / 2);
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            Span& pair = pairs[i / 2];
            pair.size = std::max(pair.size, spans_[i].size);
            if (spans_[i].instant &&
                (!pair.instant || spans_[i].instant->apart() > pair.instant->apart()))
                pair.instant = spans_[i].instant;
        }
        spans_ = std::move(pairs);
        length_ *= 2;
    }
}

void ForceWindow::add(const Instant& instant) {
    make_room(instant.time);
    last_ = instant.time;
    const std::size_t place = length_ > 0 ? static_cast<std::size_t>(instant.time / length_) : 0;
    if (spans_.size() <= place) spans_.resize(place + 1);
    Span& span = spans_[place];
    span.size = std::max(span.size, instant.size());
    if (!span.instant || instant.apart() > span.instant->apart()) span.instant = instant;
}

ForceWindow::Largest ForceWindow::largest(std::size_t first) const {
    Largest found;
    found.from = first * length_;
    for (std::size_t i = first; i < spans_.size(); ++i) {
        found.size = std::max(found.size, spans_[i].size);
        const auto& instant = spans_[i].instant;
        if (instant && (!found.instant || instant->apart() > found.instant->apart()))
            found.instant = instant;
    }
    return found;
}

ForceWindow::Largest ForceWindow::second_half() const {
    return largest(length_ > 0 ? static_cast<std::size_t>(last_ / 2 / length_) : 0);
}

std::vector<double> ForceWindow::numbers() const {
    std::vector<double> all{length_, last_};
    for (const Span& span : spans_) {
        const Instant instant = span.instant.value_or(Instant{0, Vec3(0), Vec3(0)});
        all.insert(all.end(), {span.instant ? 1.0 : 0.0, span.size, instant.time});
        for (const Vec3& v : {instant.surface, instant.weak})
            all.insert(all.end(), {v.x, v.y, v.z});
    }
    return all;
}

void ForceWindow::check(std::span<const double> numbers) {
    check_numbers(numbers, {}, std::ssize(numbers));
    bool are_sound = numbers.size() > 2 && (numbers.size() - 2) % numbers_of_span == 0 &&
                     numbers.size() <= 2 + numbers_of_span * most_spans && numbers[0] >= 0 &&
                     numbers[1] >= 0 && numbers[1] <= numbers[0] * most_spans;
    for (std::size_t i = 2; are_sound && i < numbers.size(); i += numbers_of_span)
        are_sound = numbers[i + 1] >= 0 && numbers[i + 2] >= 0 && numbers[i + 2] <= numbers[1];
    if (!are_sound) throw InputError("has no forces of a window of time");
}

void ForceWindow::set(std::span<const double> numbers) {
    *this = {};
    length_ = numbers[0];
    last_ = numbers[1];
    for (std::size_t i = 2; i < numbers.size(); i += numbers_of_span) {
        const std::span<const double> n = numbers.subspan(i, numbers_of_span);
        Span& span = spans_.emplace_back();
        span.size = n[1];
        if (n[0] != 0) span.instant = {n[2], Vec3(n[3], n[4], n[5]), Vec3(n[6], n[7], n[8])};
    }
}

}  // namespace solenoid

// How far two ways to measure a force are apart in a window of a run: the largest difference of any
// instant over the largest force of any instant, so that a force that swings is compared as a
// whole.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

class ForceWindow {
  public:
    struct Instant {
        double time;  // [s]
        Vec3 surface, weak;
        double apart() const;  // the length of their difference
        double size() const;   // of the larger one
    };

    bool is_empty() const { return spans_.empty(); }
    // Times must not fall.
    void add(const Instant& instant);

    struct Largest {
        double from = 0;  // of the first instant that counts, or a little earlier [s]
        double size = 0;  // the largest force
        std::optional<Instant> instant;         // of the largest difference
        double apart(double least_size) const;  // over the largest force, or least_size
    };
    // Of the second half of the time up to the last instant.
    Largest second_half() const;
    // Of all instants. A window of the user's adds those within it.
    Largest whole() const { return largest(0); }

    std::vector<double> numbers() const;  // what a saved state needs
    void set(std::span<const double> numbers);
    // Throws InputError where numbers are no window's.
    static void check(std::span<const double> numbers);

  private:
    // What instants within a span of time have in common; spans are equally long.
    struct Span {
        double size = 0;
        std::optional<Instant> instant;
    };
    Largest largest(std::size_t first) const;
    void make_room(double time);

    double length_ = 0, last_ = 0;  // of a span [s]; the last instant
    std::vector<Span> spans_;       // from t = 0 on
};

}  // namespace solenoid

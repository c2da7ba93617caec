// Ticks of an axis at round numbers.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

struct Ticks {
    std::vector<double> values;       // within [low, high]
    std::vector<std::string> labels;  // of values / 10^exponent
    int exponent = 0;                 // other than 0 for very large or very small numbers
};

// About `count` ticks, at least 2 if possible, at distances of 1, 2 or 5 times a power of ten.
Ticks nice_ticks(double low, double high, int count);

}  // namespace solenoid

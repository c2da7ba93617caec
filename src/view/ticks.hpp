// Round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

struct Ticks {
    std::vector<double> values;       // within [low, high]
    std::vector<std::string> labels;  // of values / 10^exponent
    int exponent = 0;                 // not 0 where the numbers are very large or very small
};

// About `count` ticks (at least 2 where that is possible), 1, 2 or 5 times a power of ten apart.
Ticks nice_ticks(double low, double high, int count);

}  // namespace solenoid

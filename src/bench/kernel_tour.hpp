// Computations on a box that together launch the kernels of the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "operators/domain.hpp"

namespace solenoid::bench {

struct TourStage {
    std::string name;  // "operators", "heat", "flow", "schemes"
    std::string help;
    std::function<void(const Domain&, bool is_double)> visit;
};
const std::vector<TourStage>& tour_stages();

}  // namespace solenoid::bench

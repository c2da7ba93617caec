#include "grid/run/automatic_smoother.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>

#include "core/stop_signal.hpp"

namespace solenoid {
namespace {

// Cells whose couplings differ by more than this are smoothed by lines.
constexpr double most_stretched = 4;

}  // namespace

// Where some cells are long along x, couplings along y are strong.
GridSmoother automatic_smoother(const Communicator& comm, const GridTopology& grid) {
    double most[2] = {0, 0};  // (ly / lx)^2 and the other way round
    comm.agree([&] {
        for (Index c = 0; c < grid.range(Kind::cell).owned; ++c) {
            if (c % 4096 == 0) break_off_if_overdue();
            const auto length = [&](int a, int b) {
                return glm::distance(grid.corner(c, a), grid.corner(c, b));
            };
            const double x = length(0, 1) + length(3, 2), y = length(0, 3) + length(1, 2);
            most[0] = std::max(most[0], y * y / (x * x));
            most[1] = std::max(most[1], x * x / (y * y));
        }
    });
    comm.max(std::span(most));
    const bool along_x = most[0] > most_stretched, along_y = most[1] > most_stretched;
    return along_x && along_y ? GridSmoother::lines
           : along_x          ? GridSmoother::lines_x
           : along_y          ? GridSmoother::lines_y
                              : GridSmoother::colours;
}

}  // namespace solenoid

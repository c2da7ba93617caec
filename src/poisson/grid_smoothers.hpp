// The smoothers of multigrid on grids that a case may name.
#pragma once

#include <string>
#include <vector>

#include "grid/multigrid/multigrid_cycle.hpp"

namespace solenoid {

struct GridSmootherKind {
    std::string name, help;
    GridSmoother smoother;
};
const std::vector<GridSmootherKind>& grid_smoother_kinds();

}  // namespace solenoid

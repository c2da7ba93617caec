#include "poisson/grid_smoothers.hpp"

namespace solenoid {

const std::vector<GridSmootherKind>& grid_smoother_kinds() {
    static const std::vector<GridSmootherKind> kinds{
        {"colours", "Gauss-Seidel in two colours, on curved grids in four", GridSmoother::colours},
        {"jacobi", "Jacobi, damped by 0.8", GridSmoother::jacobi},
        {"lines-x", "whole lines along x at once, every other one first", GridSmoother::lines_x},
        {"lines-y", "the same along y", GridSmoother::lines_y},
        {"lines", "lines along x, then along y", GridSmoother::lines}};
    return kinds;
}

}  // namespace solenoid

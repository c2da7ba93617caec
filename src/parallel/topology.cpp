#include "parallel/topology.hpp"

namespace solenoid {

const char* name_of(CellShape shape) {
    constexpr const char* names[] = {"triangle", "quadrilateral", "tet"};
    return names[static_cast<int>(shape)];
}

std::span<const std::array<int, 4>> simplices_of(CellShape shape) {
    static constexpr std::array<int, 4> whole[] = {{0, 1, 2, 3}};
    static constexpr std::array<int, 4> halves[] = {{0, 1, 2, -1}, {0, 2, 3, -1}};
    if (shape == CellShape::quadrilateral) return halves;
    return whole;
}

}  // namespace solenoid

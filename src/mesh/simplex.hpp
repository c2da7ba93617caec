// Faces and edges of one simplex, and the sign of the permutation that sorts its nodes.
#pragma once

#include <array>
#include <utility>

#include "core/types.hpp"

namespace solenoid {

// The nodes of the face opposite node j, in the order whose normal leaves a positively oriented
// cell.
template <int dimension, class Number>
std::array<Number, dimension> outward_face(const Number* cell, int j) {
    if constexpr (dimension == 2) {
        constexpr int local[3][2] = {{1, 2}, {2, 0}, {0, 1}};
        return {cell[local[j][0]], cell[local[j][1]]};
    } else {
        constexpr int local[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
        return {cell[local[j][0]], cell[local[j][1]], cell[local[j][2]]};
    }
}

inline constexpr int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// The index in tet_edges of the edge between two nodes of a tet.
constexpr int tet_edge(int a, int b) { return a == 0 || b == 0 ? a + b - 1 : a + b; }
static_assert(tet_edge(0, 3) == 2 && tet_edge(2, 1) == 3 && tet_edge(1, 3) == 4 &&
              tet_edge(3, 2) == 5);

// Sorts nodes by number(node), ascending. Returns whether the permutation is odd.
template <class Node, std::size_t width, class Number>
bool sort_is_odd(std::array<Node, width>& nodes, Number number) {
    bool odd = false;
    for (std::size_t i = 1; i < width; ++i)
        for (std::size_t j = i; j > 0 && number(nodes[j]) < number(nodes[j - 1]); --j) {
            std::swap(nodes[j], nodes[j - 1]);
            odd = !odd;
        }
    return odd;
}

}  // namespace solenoid

// The check of a surface: whether the flow can be computed on it, and its edges.
#pragma once

#include <string>

#include "surface/triangle_surface.hpp"

namespace solenoid {

// Connected, manifold parts whose triangles have one orientation each.
struct CheckedSurface {
    TriangleSurface surface;
    // Of each edge its ends, then the corners opposite; the last is `none` on a border.
    std::vector<std::array<Index, 4>> edges;
    std::vector<Index> part_of_point;  // counted from 0, in the order of their lowest triangles
    std::vector<Index> part_of_triangle;
    std::vector<bool> part_is_closed;
    std::vector<bool> is_border;  // of each point
    Index borders = 0;            // closed lines of edges with one triangle
    Index turned = 0;             // triangles whose orientation was mended
    Index unused = 0;             // points of no triangle, which are left out

    Index parts() const { return static_cast<Index>(part_is_closed.size()); }
    bool is_closed() const { return borders == 0; }
};

// Throws InputError with the place, in one line, where the surface is empty, not finite, has
// triangles without an area, an edge of three triangles, a point where two fans of triangles meet,
// or no orientation. place: the file, for messages.
CheckedSurface check_surface(TriangleSurface surface, const std::string& place);

// "320 triangles and 162 points in 1 part, closed": what a user is told of it.
std::string words_of(const CheckedSurface& surface);

// Below this shape (shape_of) a triangle counts as one without an area.
inline constexpr double least_shape = 1e-9;

}  // namespace solenoid

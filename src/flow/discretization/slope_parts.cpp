#include "flow/discretization/slope_parts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "core/threads.hpp"

namespace solenoid {
namespace {

// Height over length from which slopes count whole, and up to which they do not.
constexpr double thick = 1.0 / 5, thin = 1.0 / 10;

// On the largest face, whose length is the edge of an equilateral one of its size: the longest edge
// of a good tet may be twice that.
double height_over_length(const Mesh& mesh, Index cell) {
    const int d = mesh.dimension;
    double area = 0;
    for (int j = 0; j <= d; ++j) area = std::max(area, glm::length(opposite_area(mesh, cell, j)));
    const double length = d == 2 ? area : std::sqrt(4 / std::sqrt(3.0) * area);
    return area > 0 ? d * volume(mesh, cell) / area / length : 0;
}

}  // namespace

std::vector<double> slope_parts(const Mesh& mesh) {
    std::vector<double> parts(mesh.cells());
    for_each(0, mesh.cells(), [&](Index c) {
        parts[c] = std::clamp((height_over_length(mesh, c) - thin) / (thick - thin), 0.0, 1.0);
    });
    return parts;
}

template <class Real>
double thin_tolerance(const Domain& domain, double tolerance) {
    double least = thin;
    for (Index c = 0; c < domain.cells.owned; ++c)
        least = std::min(least, height_over_length(domain.mesh.mesh, c));
    const double factor = std::pow(domain.comm.min(least) / thin, 1.5),
                 rounding = 64.0 * std::numeric_limits<Real>::epsilon();
    return std::max(factor * tolerance, std::min(tolerance, rounding));
}
template double thin_tolerance<float>(const Domain&, double);
template double thin_tolerance<double>(const Domain&, double);

std::vector<double> slope_parts_at_faces(const Mesh& mesh, const std::vector<double>& of_cells,
                                         Index count) {
    std::vector<double> parts(count, 1.0);
    for_each(0, count, [&](Index f) {
        for (int side = 0; side < 2; ++side)
            if (const Index c = mesh.face_cells(f, side); c != none)
                parts[f] = std::min(parts[f], of_cells[c]);
    });
    return parts;
}

}  // namespace solenoid

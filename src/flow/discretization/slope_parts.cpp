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

// A face's size over the largest one of its cells: up to `across` it is a short face.
constexpr double across = 0.2, along = 0.4;

// The height of the lower cell over both heights: below `unlike` the skewness is left out.
constexpr double unlike = 0.1, like = 0.2;

double rise(double value, double low, double high) {
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double largest_face(const Mesh& mesh, Index cell) {
    double area = 0;
    for (int j = 0; j <= mesh.dimension; ++j)
        area = std::max(area, glm::length(opposite_area(mesh, cell, j)));
    return area;
}

// On the largest face, whose length is the edge of an equilateral one of its size: the longest edge
// of a good tet may be twice that.
double height_over_length(const Mesh& mesh, Index cell) {
    const int d = mesh.dimension;
    const double area = largest_face(mesh, cell);
    const double length = d == 2 ? area : std::sqrt(4 / std::sqrt(3.0) * area);
    return area > 0 ? d * volume(mesh, cell) / area / length : 0;
}

}  // namespace

std::vector<double> slope_parts(const Mesh& mesh) {
    std::vector<double> parts(mesh.cells());
    for_each(0, mesh.cells(),
             [&](Index c) { parts[c] = rise(height_over_length(mesh, c), thin, thick); });
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

std::vector<double> skewness_parts(const Mesh& mesh, const std::vector<double>& theta) {
    std::vector<double> parts(theta.size(), 0.0);
    for_each(0, theta.size(), [&](Index f) {
        const Index a = mesh.face_cells(f, 0), b = mesh.face_cells(f, 1);
        if (a == none || b == none) return;
        int at = 0;
        while (entity_of(mesh.cell_faces(a, at)) != f) ++at;
        const double size = glm::length(opposite_area(mesh, a, at)) /
                            std::max(largest_face(mesh, a), largest_face(mesh, b));
        parts[f] = rise(size, across, along) * rise(std::min(theta[f], 1 - theta[f]), unlike, like);
    });
    return parts;
}

}  // namespace solenoid

// Frozen flows in thin cells, whose steps' eigenvalues are looked at: meshes of 30 to 100 cells, at
// rest and moving.
#pragma once

#include "flow/thin_meshes.hpp"
#include "frozen_cases.hpp"

namespace solenoid::test {

// The least height of a triangle [m].
inline double thinnest(const SimplexMesh& mesh) {
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Vec3 a = mesh.points[mesh.cell(c)[0]], b = mesh.points[mesh.cell(c)[1]],
                   d = mesh.points[mesh.cell(c)[2]];
        const double longest =
            std::max({glm::length(b - a), glm::length(d - b), glm::length(a - d)});
        least = std::min(least, glm::length(glm::cross(b - a, d - a)) / longest);
    }
    return least;
}

// Rows over one another, of cells 0.25 m long.
inline SimplexMesh rows_of_heights(int columns, const std::vector<double>& heights,
                                   Diagonals diagonals) {
    std::vector<double> y{0};
    for (const double height : heights) y.push_back(y.back() + height);
    return rows_of_triangles(columns, y, false, diagonals, {"ymin", "ymax", "xmin", "xmax"},
                             [](int i, double at) { return Vec3(0.25 * i, at, 0); });
}

// Heights that grow by one ratio from length / aspect to `length`.
inline std::vector<double> growing(int rows, double length, double aspect) {
    std::vector<double> heights;
    for (int j = 0; j < rows; ++j)
        heights.push_back(length * std::pow(aspect, double(j) / (rows - 1) - 1));
    return heights;
}

// Across the passage from cells of an aspect at ymin to cells as high as long at ymax.
inline SimplexMesh graded_across(int columns, int rows, double aspect, Diagonals diagonals) {
    return rows_of_heights(columns, growing(rows, 0.25, aspect), diagonals);
}

// One thin row amid good ones.
inline SimplexMesh thin_row(int columns, int rows, double aspect, Diagonals diagonals) {
    std::vector<double> heights(rows, 0.25);
    heights[rows / 2] = 0.25 / aspect;
    return rows_of_heights(columns, heights, diagonals);
}

// A part of a ring with ends, graded likewise from a wall of radius 0.5 m. product: aspect times
// length along the wall over radius.
inline SimplexMesh arc_layers(int columns, int rows, double aspect, double product,
                              Diagonals diagonals) {
    const double angle = product / aspect;
    std::vector<double> y{0};
    for (const double height : growing(rows, 0.5 * angle, aspect)) y.push_back(y.back() + height);
    return rows_of_triangles(
        columns, y, false, diagonals, {"ymin", "ymax", "xmin", "xmax"}, [=](int i, double at) {
            return (0.5 + at) * Vec3(std::cos(angle * i), -std::sin(angle * i), 0);
        });
}

// Two thin cells amid good ones: a node inside close to the middle of an edge across it, another
// close to a neighbour.
inline SimplexMesh thin_cells_within(int cells, double aspect) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = cells;
    box.high = {1, 1, 0};
    box.jitter = 0.1;
    SimplexMesh mesh = box_mesh(box);
    const auto nearest = [&](const Vec3& x) {
        std::size_t best = 0;
        for (std::size_t i = 0; i < mesh.points.size(); ++i)
            if (glm::distance(mesh.points[i], x) < glm::distance(mesh.points[best], x)) best = i;
        return static_cast<Index>(best);
    };
    // of a cell with this corner the other two
    const auto across = [&](Index node) {
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            for (int j = 0; j < 3; ++j)
                if (mesh.cell(c)[j] == node)
                    return std::pair(mesh.cell(c)[(j + 1) % 3], mesh.cell(c)[(j + 2) % 3]);
        return std::pair(node, node);
    };
    const Index flat = nearest({0.3, 0.4, 0}), close = nearest({0.7, 0.6, 0});
    const auto [a, b] = across(flat);
    const Vec3 middle = 0.5 * (mesh.points[a] + mesh.points[b]);
    const double length = glm::distance(mesh.points[a], mesh.points[b]);
    mesh.points[flat] = middle + glm::normalize(mesh.points[flat] - middle) * (length / aspect);
    const Vec3 to = mesh.points[across(close).first];
    mesh.points[close] = to + (mesh.points[close] - to) / aspect;
    return mesh;
}

inline FrozenCase at_rest(const std::string& name, const SimplexMesh& mesh,
                          const std::vector<FlowBoundary>& boundaries) {
    return {name, mesh, boundaries, vector_formula({"0", "0", "0"})};
}

inline FrozenCase in_cavity(const std::string& name, const SimplexMesh& mesh) {
    return at_rest(name + ", walls all round", mesh, walls(mesh));
}

inline FrozenCase with_outlet(const std::string& name, const SimplexMesh& mesh) {
    FrozenCase made = at_rest(name + ", outlet", mesh, walls(mesh));
    for (auto& one : made.boundaries) {
        if (one.name == "xmin") one = side("xmin", "inflow");
        if (one.name == "xmax") one = side("xmax", "outflow");
    }
    return made;
}

inline FrozenCase closed_along(const std::string& name, const SimplexMesh& mesh) {
    return at_rest(name + ", periodic", closed(mesh, "x"),
                   {side("ymin", "wall"), side("ymax", "wall")});
}

}  // namespace solenoid::test

// Meshes of thin layers of triangles or tets at walls, flat or round, in any direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/simplices.hpp"

namespace solenoid::test {

enum class Diagonals { alike, alternating };

// 0 = y_0 < ... < y_rows = height: layers that grow by one ratio from both ends to the middle, the
// first of height `first` (where it is thinner than an even one). rows: even.
inline std::vector<double> graded_rows(int rows, double first, double height = 1) {
    const int half = rows / 2;
    const auto reach = [&](double ratio) {
        double sum = 0, layer = first;
        for (int j = 0; j < half; ++j, layer *= ratio) sum += layer;
        return sum;
    };
    double low = 1, high = height / first;
    for (int n = 0; n < 200; ++n) {
        const double middle = 0.5 * (low + high);
        (reach(middle) < height / 2 ? low : high) = middle;
    }
    std::vector<double> y{0};
    double layer = 0.5 * height * first / reach(low);
    for (int j = 0; j < half; ++j, layer *= low) y.push_back(y.back() + layer);
    y.back() = height / 2;
    for (int j = half - 1; j >= 0; --j) y.push_back(height - y[j]);
    return y;
}

// The rows that layers from a height of `first` need to grow by about `ratio` a layer.
inline int rows_for(double first, double height = 1, double ratio = 1.3) {
    int half = 1;
    for (double layer = first, sum = first; sum < height / 2; sum += layer, ++half) layer *= ratio;
    return 2 * half;
}

// Rows of quadrilaterals between the points place(i, y), two triangles each: closed along a row or
// with ends. Groups: names of the first and the last row and of the ends.
inline SimplexMesh rows_of_triangles(int columns, const std::vector<double>& y, bool is_closed,
                                     Diagonals diagonals, std::vector<std::string> names,
                                     const std::function<Vec3(int, double)>& place) {
    const int points = is_closed ? columns : columns + 1, rows = static_cast<int>(y.size()) - 1;
    std::vector<Vec3> x;
    for (const double height : y)
        for (int i = 0; i < points; ++i) x.push_back(place(i, height));
    const auto node = [&](int i, int j) { return static_cast<Index>(j * points + i % points); };
    std::vector<Index> cells;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const Index a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                        d = node(i, j + 1);
            if (diagonals == Diagonals::alike || (i + j) % 2 == 0)
                cells.insert(cells.end(), {a, b, c, a, c, d});
            else
                cells.insert(cells.end(), {a, b, d, b, c, d});
        }
    SimplexMesh mesh = simplices(2, std::move(x), std::move(cells));
    mesh.boundaries = std::move(names);
    const auto add = [&](Index a, Index b, std::uint16_t group) {
        mesh.sides.insert(mesh.sides.end(), {a, b});
        mesh.side_group.push_back(group);
    };
    for (int i = 0; i < columns; ++i) {
        add(node(i, 0), node(i + 1, 0), 0);
        add(node(i, rows), node(i + 1, rows), 1);
    }
    for (int j = 0; j < rows && !is_closed; ++j) {
        add(node(0, j), node(0, j + 1), 2);
        add(node(columns, j), node(columns, j + 1), 3);
    }
    return mesh;
}

// length x 1 m, walls "ymin" and "ymax", ends "xmin" and "xmax". aspect: of the cells at the walls,
// length over columns to the first layer's height. rows 0: as many as a growth of 1.3 takes.
inline SimplexMesh flat_layers(int columns, double aspect, Diagonals diagonals, double length = 4,
                               int rows = 0) {
    const double width = length / columns, first = width / aspect;
    return rows_of_triangles(columns, graded_rows(rows ? rows : rows_for(first), first), false,
                             diagonals, {"ymin", "ymax", "xmin", "xmax"},
                             [=](int i, double y) { return Vec3(i * width, y, 0); });
}

// Radii 0.5 to 1 m, walls "inner" and "outer". aspect: of the cells at the inner wall.
inline SimplexMesh ring_layers(int columns, double aspect, Diagonals diagonals, int rows = 0) {
    const double angle = 2 * M_PI / columns, first = 0.5 * angle / aspect;
    // clockwise, so that the radius is on the left of a row
    return rows_of_triangles(columns, graded_rows(rows ? rows : rows_for(first, 0.5), first, 0.5),
                             true, diagonals, {"inner", "outer"}, [=](int i, double y) {
                                 return (0.5 + y) *
                                        Vec3(std::cos(angle * i), -std::sin(angle * i), 0);
                             });
}

// Triangles drawn out along z in so many layers, each prism three tets, cut at every quadrilateral
// from its node of the lowest number. Ends "zmin" and "zmax".
inline SimplexMesh drawn_out(const SimplexMesh& flat, double depth, int layers) {
    const auto points = static_cast<Index>(flat.points.size());
    SimplexMesh mesh = flat;
    mesh.dimension = 3;
    mesh.points.clear();
    mesh.cells.clear();
    mesh.cell_region.clear();
    mesh.sides.clear();
    mesh.side_group.clear();
    for (int k = 0; k <= layers; ++k)
        for (const Vec3& x : flat.points) mesh.points.push_back(x + Vec3(0, 0, k * depth / layers));
    const auto add_side = [&](std::vector<Index> nodes, std::size_t group) {
        mesh.sides.insert(mesh.sides.end(), nodes.begin(), nodes.end());
        mesh.side_group.push_back(static_cast<std::uint16_t>(group));
    };
    const std::size_t ends = flat.boundaries.size();
    mesh.boundaries.insert(mesh.boundaries.end(), {"zmin", "zmax"});
    for (std::size_t c = 0; c < flat.cell_count(); ++c) {
        std::vector<Index> low(flat.cell(c), flat.cell(c) + 3);
        std::rotate(low.begin(), std::min_element(low.begin(), low.end()), low.end());
        add_side(low, ends);
        add_side({low[0] + layers * points, low[1] + layers * points, low[2] + layers * points},
                 ends + 1);
        for (int k = 0; k < layers; ++k) {
            const Index a = low[0] + k * points, b = low[1] + k * points, c0 = low[2] + k * points,
                        a1 = a + points, b1 = b + points, c1 = c0 + points;
            mesh.cells.insert(mesh.cells.end(), {a, b1, c1, a1});
            if (low[1] < low[2])
                mesh.cells.insert(mesh.cells.end(), {a, b, c0, c1, a, b, c1, b1});
            else
                mesh.cells.insert(mesh.cells.end(), {a, b, c0, b1, a, b1, c0, c1});
        }
    }
    mesh.cell_region.assign(mesh.cell_count(), 0);
    for (std::size_t s = 0; s < flat.side_count(); ++s)
        for (int k = 0; k < layers; ++k) {
            const auto [least, greatest] = std::minmax(flat.side(s)[0], flat.side(s)[1]);
            const Index a = least + k * points, b = greatest + k * points;
            add_side({a, b, b + points}, flat.side_group[s]);
            add_side({a, b + points, a + points}, flat.side_group[s]);
        }
    return mesh;
}

// Turned by an angle [rad] round z, and in 3D by the same round x and y then, so that no axis lies
// in a plane of the layers.
inline SimplexMesh turned(SimplexMesh mesh, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    for (Vec3& x : mesh.points) {
        x = Vec3(c * x.x - s * x.y, s * x.x + c * x.y, x.z);
        if (mesh.dimension == 2) continue;
        x = Vec3(x.x, c * x.y - s * x.z, s * x.y + c * x.z);
        x = Vec3(c * x.x + s * x.z, x.y, c * x.z - s * x.x);
    }
    return mesh;
}

}  // namespace solenoid::test

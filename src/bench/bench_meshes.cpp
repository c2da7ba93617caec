#include "bench/bench_meshes.hpp"

#include <algorithm>
#include <cmath>

#include "io/mesh/mesh_file.hpp"

namespace solenoid::bench {
namespace {

// The number of nodes on the box's edge along direction i from the origin.
std::ptrdiff_t edge_nodes(const std::vector<Vec3>& points, int i) {
    return std::ranges::count_if(
        points, [&](const Vec3& x) { return x[(i + 1) % 3] == 0 && x[(i + 2) % 3] == 0; });
}

template <class Make>
std::optional<SimplexMesh> on_root(const Communicator& comm, const Make& make) {
    std::optional<SimplexMesh> mesh;
    comm.agree([&] {
        if (comm.is_root()) mesh = make();
    });
    return mesh;
}

// Moves nodes next to the plane x_i = x_j onto it. In a jittered lattice these are at most 0.3
// spacings off the plane, |x_i - x_j|, and others at least 0.35.
void flatten(SimplexMesh& mesh) {
    const auto pair = diagonal_of(mesh.points);
    if (!pair) return;
    const auto [i, j] = *pair;
    const double spacing = 1.0 / (edge_nodes(mesh.points, i) - 1);
    for (Vec3& x : mesh.points)
        if (std::abs(x[i] - x[j]) < 0.32 * spacing) x[i] = x[j] = 0.5 * (x[i] + x[j]);
}

}  // namespace

std::optional<std::array<int, 2>> diagonal_of(const std::vector<Vec3>& points) {
    if (std::ranges::all_of(points, [](const Vec3& x) { return x.z == 0; })) return {};
    for (const std::array<int, 2> pair : {std::array{0, 1}, std::array{1, 2}, std::array{2, 0}})
        if (edge_nodes(points, pair[0]) == edge_nodes(points, pair[1])) return pair;
    return {};
}

std::optional<SimplexMesh> box_of(const Communicator& comm, Index cells, int dimension) {
    return on_root(comm, [&] {
        BoxSettings box;
        box.cells = cells;
        box.dimension = dimension;
        SimplexMesh mesh = box_mesh(box);
        flatten(mesh);
        return mesh;
    });
}

std::optional<SimplexMesh> mesh_of_file(const Communicator& comm,
                                        const std::filesystem::path& file) {
    return on_root(comm, [&] { return read_mesh(file); });
}

}  // namespace solenoid::bench

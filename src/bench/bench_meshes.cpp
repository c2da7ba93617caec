#include "bench/bench_meshes.hpp"

#include "io/mesh/mesh_file.hpp"

namespace solenoid::bench {
namespace {

template <class Make>
std::optional<SimplexMesh> on_root(const Communicator& comm, const Make& make) {
    std::optional<SimplexMesh> mesh;
    comm.agree([&] {
        if (comm.is_root()) mesh = make();
    });
    return mesh;
}

}  // namespace

std::optional<SimplexMesh> box_of(const Communicator& comm, Index cells, int dimension) {
    return on_root(comm, [&] {
        BoxSettings box;
        box.cells = cells;
        box.dimension = dimension;
        return box_mesh(box);
    });
}

std::optional<SimplexMesh> mesh_of_file(const Communicator& comm, const std::filesystem::path& file) {
    return on_root(comm, [&] { return read_mesh(file); });
}

}  // namespace solenoid::bench

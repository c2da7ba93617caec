#include "parallel/simplex_topology.hpp"

#include "mesh/geometry.hpp"
#include "parallel/global_numbers.hpp"
#include "parallel/mesh_hash.hpp"

namespace solenoid {

std::vector<GlobalIndex> SimplexTopology::numbers(const Communicator& comm, Kind kind) const {
    return global_numbers(comm, distributed_, kind);
}

Beyond SimplexTopology::beyond(Index cell, int j) const {
    const Index face = entity_of(mesh_.cell_faces(cell, j));
    if (mesh_.face_cells(face, 0) == none || mesh_.face_cells(face, 1) == none)
        return Beyond::nothing;
    return mesh_.jump(face) == Vec3(0) ? Beyond::cell : Beyond::periodic;
}

Vec3 SimplexTopology::side_area(Index cell, int j) const { return opposite_area(mesh_, cell, j); }

double SimplexTopology::volume(Index cell) const { return solenoid::volume(mesh_, cell); }

std::vector<Topology::Face> SimplexTopology::faces(std::size_t boundary) const {
    std::vector<Face> faces;
    for (const Side& side : mesh_.sides) {
        if (side.boundary != boundary || side.face >= distributed_.range(Kind::face).owned)
            continue;
        const auto corners = mesh_.face_corners(side.face);
        faces.push_back({mesh_.dimension, {corners[0], corners[1], corners[2], Vec3(0)}});
    }
    return faces;
}

std::uint64_t SimplexTopology::hash(const Communicator& comm) const {
    return mesh_hash(comm, distributed_);
}

}  // namespace solenoid

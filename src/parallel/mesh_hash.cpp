#include "parallel/mesh_hash.hpp"

#include <numeric>

#include "core/hash.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

std::uint64_t names_hash(std::uint64_t hash, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        for (const char c : name) hash = mixed(hash + static_cast<unsigned char>(c));
        hash = mixed(hash + 256);
    }
    return hash;
}

// Sums over the owned entities: their order has no effect.
std::uint64_t hash_of_owned(const DistributedMesh& distributed) {
    const Mesh& mesh = distributed.mesh;
    std::uint64_t sum = 0;
    const auto number = [&](Index node) {
        return static_cast<std::uint64_t>(mesh.node_number[node]);
    };
    for (Index n = 0; n < distributed.range(Kind::node).owned; ++n)
        sum += mixed(mixed(1 + number(n)), mesh.points[n]);
    for (Index c = 0; c < distributed.range(Kind::cell).owned; ++c) {
        std::uint64_t hash = mixed(2 + static_cast<std::uint64_t>(mesh.cell_number[c]));
        for (int j = 0; j <= mesh.dimension; ++j) {
            hash = mixed(hash + number(mesh.cell_nodes(c, j)));
            if (!mesh.periodic_map.empty())
                hash = mixed(hash, mesh.periodic_map.shift(mesh.cell_nodes.width * std::size_t{c} +
                                                           static_cast<std::size_t>(j)));
        }
        sum += mixed(hash + mesh.cell_region[c]);
    }
    for (const Side& side : mesh.sides)
        if (side.face < distributed.range(Kind::face).owned) {
            std::uint64_t hash = mixed(3 + side.boundary);
            for (int j = 0; j < mesh.dimension; ++j)
                hash = mixed(hash + number(mesh.face_nodes(side.face, j)));
            sum += hash;
        }
    return sum;
}

}  // namespace

std::uint64_t mesh_hash(const Communicator& comm, const DistributedMesh& mesh) {
    const auto sums = gathered(comm, std::vector<std::uint64_t>{hash_of_owned(mesh)});
    std::uint64_t hash = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
    hash = names_hash(mixed(hash + static_cast<std::uint64_t>(mesh.mesh.dimension)),
                      mesh.mesh.regions);
    return names_hash(mixed(hash), mesh.mesh.boundaries);
}

}  // namespace solenoid

#include "parallel/group_locations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "parallel/halo.hpp"

namespace solenoid {
namespace {

bool is_boundary_face(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}

std::vector<bool> agreed(const Communicator& comm, const std::vector<double>& local) {
    std::vector<double> flags = local;
    comm.max(flags);
    return {flags.begin(), flags.end()};
}

}  // namespace

GroupLocations group_locations(const Communicator& comm, const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    std::vector<double> outside(m.boundaries.size(), 0), inside(m.boundaries.size(), 0);
    for (const Side& side : m.sides) {
        // A face at the outer edge of the ghosts looks like a boundary face but need not be one.
        if (side.face >= mesh.range(Kind::face).shared) continue;
        (is_boundary_face(m, side.face) ? outside : inside)[side.boundary] = 1;
    }
    return {agreed(comm, outside), agreed(comm, inside)};
}

// Only for owned faces is it known whether they are on the boundary: at the outer edge of the
// ghosts every face looks like a boundary face.
std::int64_t group_the_rest(const Communicator& comm, DistributedMesh& mesh,
                            const std::string& name) {
    Mesh& m = mesh.mesh;
    const EntityRanges& faces = mesh.range(Kind::face);
    std::vector<bool> named(m.faces(), false);
    for (const Side& side : m.sides) named[side.face] = true;
    std::vector<float> rest(faces.all, 0);
    std::int64_t count = 0;
    for (Index f = 0; f < faces.owned; ++f) count += rest[f] = !named[f] && is_boundary_face(m, f);
    count = comm.sum(count);
    if (count == 0) return 0;

    const auto device = make_cpu_device();
    auto field = device->buffer<float>(faces.all);
    Halo<float> halo(comm, *device, mesh.halo(Kind::face));
    field.upload(rest);
    halo.exchange(field);
    rest = field.download();
    const auto group =
        static_cast<std::uint16_t>(std::ranges::find(m.boundaries, name) - m.boundaries.begin());
    if (group == m.boundaries.size()) m.boundaries.push_back(name);
    for (Index f = 0; f < faces.all; ++f)
        if (rest[f] != 0) m.sides.push_back({f, group});
    return count;
}

void check_every_face_is_named(const Communicator& comm, const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    std::vector<bool> named(m.faces(), false);
    for (const Side& side : m.sides) named[side.face] = true;
    std::int64_t unnamed = 0;
    Vec3 place{0};
    for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) {
        if (named[f] || !is_boundary_face(m, f)) continue;
        if (unnamed++ == 0) place = m.points[m.nodes_of(Kind::face, f)[0]];
    }
    const std::int64_t all = comm.sum(unnamed);
    comm.agree([&] {
        if (unnamed)
            throw InputError(
                fmt::format("{} faces of the boundary lie in no named group, one of them at "
                            "({:.6g}, {:.6g}, {:.6g}): "
                            "give every part of the boundary a physical group, or the case a "
                            "[boundary.default]",
                            all, place.x, place.y, place.z));
    });
}

}  // namespace solenoid

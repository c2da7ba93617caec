#include "flow/topology/cohomology.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "parallel/bytes.hpp"
#include "parallel/component_labels.hpp"

namespace solenoid {
namespace {

using Link = std::array<Index, 2>;

// Valid for faces with a node in [0, shared), whose cells are all held.
bool is_boundary(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}
Index inner_cell(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none ? mesh.face_cells(face, 1) : mesh.face_cells(face, 0);
}

// For each node the lowest node connected to it by faces of a set.
std::vector<GlobalIndex> labels_by_faces(const Communicator& comm, const DistributedMesh& mesh,
                                         const std::vector<bool>& member) {
    const Mesh& m = mesh.mesh;
    std::vector<Link> links;
    for (Index f = 0; f < m.faces(); ++f)
        for (int j = 1; j < m.dimension && member[f]; ++j)
            links.push_back({m.nodes_of(Kind::face, f)[0], m.nodes_of(Kind::face, f)[j]});
    return component_labels(comm, mesh.range(Kind::node), mesh.halo(Kind::node), m.node_number,
                            links);
}

// Flags of the entities of a kind on faces of a set; valid on [0, shared).
std::vector<bool> touched(const Mesh& m, Kind kind, const std::vector<bool>& member) {
    std::vector<bool> flags(m.count(kind), false);
    for (Index f = 0; f < m.faces(); ++f) {
        if (!member[f]) continue;
        for (int j = 0; j < m.dimension; ++j)
            flags[kind == Kind::node ? m.nodes_of(Kind::face, f)[j]
                                     : entity_of(m.face_codim2(f)[j])] = true;
    }
    return flags;
}

// One rank's contribution to a part; contributions are added up.
struct PartRecord {
    GlobalIndex label, region;
    std::int64_t component, faces, rim;
    std::array<double, 3> first;  // position of its first node in the order of coordinates
};

// Properties of a surface of faces in 3D: number of connected parts, of parts without a rim, and
// Euler characteristic.
struct Surface {
    std::int64_t parts, closed, euler;
    std::int64_t loops() const { return parts + closed - euler; }  // first Betti number
};

constexpr std::array<double, 3> no_position{HUGE_VAL, HUGE_VAL, HUGE_VAL};
std::array<double, 3> coordinates(const Vec3& x) { return {x.x, x.y, x.z}; }

std::int64_t count_owned(const std::vector<bool>& flags, Index owned) {
    return std::count(flags.begin(), flags.begin() + owned, true);
}

// member: valid for faces with a node in [0, shared).
Surface surface(const Communicator& comm, const DistributedMesh& mesh,
                const std::vector<bool>& member) {
    const Mesh& m = mesh.mesh;
    const auto labels = labels_by_faces(comm, mesh, member);
    const auto on_node = touched(m, Kind::node, member), on_edge = touched(m, Kind::edge, member);
    std::vector<int> round(m.edges(), 0);
    for (Index f = 0; f < m.faces(); ++f)
        for (int j = 0; j < 3 && member[f]; ++j) ++round[entity_of(m.face_codim2(f)[j])];
    std::set<GlobalIndex> parts, with_rim;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i)
        if (on_node[i]) parts.insert(labels[i]);
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e)
        if (round[e] % 2) with_rim.insert(labels[m.nodes_of(Kind::edge, e)[0]]);
    const auto all = static_cast<std::int64_t>(distinct(comm, parts).size());
    const std::int64_t euler = count_owned(on_node, mesh.range(Kind::node).owned) -
                               count_owned(on_edge, mesh.range(Kind::edge).owned) +
                               count_owned(member, mesh.range(Kind::face).owned);
    return {all, all - static_cast<std::int64_t>(distinct(comm, with_rim).size()), comm.sum(euler)};
}

// Flags of the boundary faces, all or those not prescribed. Faces at the outer edge of the ghosts,
// whose cells are not all held, are left out.
std::vector<bool> boundary_flags(const DistributedMesh& mesh, const std::vector<bool>* prescribed) {
    const Mesh& m = mesh.mesh;
    std::vector<bool> flags(m.faces(), false);
    for (Index f = 0; f < m.faces(); ++f) {
        bool is_known = false;
        for (int j = 0; j < m.dimension; ++j)
            is_known = is_known || m.nodes_of(Kind::face, f)[j] < mesh.range(Kind::node).shared;
        flags[f] = is_known && is_boundary(m, f) && !(prescribed && (*prescribed)[f]);
    }
    return flags;
}

}  // namespace

Cohomology::Cohomology(const Communicator& comm, const DistributedMesh& mesh,
                       const std::vector<bool>& prescribed)
    : regions_(comm, mesh, prescribed) {
    find_parts(comm, mesh, prescribed);
    harmonic_ = count(comm, mesh, prescribed);
}

void Cohomology::find_parts(const Communicator& comm, const DistributedMesh& mesh,
                            const std::vector<bool>& prescribed) {
    const Mesh& m = mesh.mesh;
    const auto labels = labels_by_faces(comm, mesh, prescribed);
    std::map<GlobalIndex, PartRecord> here;
    std::vector<int> round(m.count(m.codim2_kind()), 0);
    for (Index f = 0; f < m.faces(); ++f)
        for (int j = 0; j < m.dimension && prescribed[f]; ++j)
            ++round[entity_of(m.face_codim2(f)[j])];
    const auto record = [&](Index node) -> PartRecord& {
        return here
            .try_emplace(labels[node],
                         PartRecord{labels[node], std::numeric_limits<GlobalIndex>::max(),
                                    mesh.node_component[node], 0, 0, no_position})
            .first->second;
    };
    for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) {
        if (!prescribed[f]) continue;
        PartRecord& part = record(m.nodes_of(Kind::face, f)[0]);
        ++part.faces;
        for (int j = 0; j < m.dimension; ++j)
            part.first = std::min(part.first, coordinates(m.points[m.nodes_of(Kind::face, f)[j]]));
        part.region = std::min(part.region, regions_.of_cell(inner_cell(m, f)));
    }
    for (Index r = 0; r < mesh.range(m.codim2_kind()).owned; ++r)
        if (round[r] % 2) ++record(m.nodes_of(m.codim2_kind(), r)[0]).rim;

    std::vector<PartRecord> records;
    for (const auto& [label, part] : here) records.push_back(part);
    std::map<GlobalIndex, PartRecord> merged;
    for (const PartRecord& part : gathered(comm, records)) {
        const auto [found, is_new] = merged.try_emplace(part.label, part);
        if (is_new) continue;
        found->second.faces += part.faces;
        found->second.rim += part.rim;
        found->second.first = std::min(found->second.first, part.first);
        found->second.region = std::min(found->second.region, part.region);
    }
    // For each component its largest part; of equal ones the first in the order of coordinates,
    // independent of the numbering.
    std::map<std::int64_t, std::size_t> leader;
    std::vector<std::array<double, 3>> first;
    for (const auto& [label, part] : merged) {
        const auto [found, is_new] = leader.try_emplace(part.component, parts_.size());
        if (!is_new && std::pair(-part.faces, part.first) <
                           std::pair(-parts_[found->second].faces, first[found->second]))
            found->second = parts_.size();
        first.push_back(part.first);
        parts_.push_back({label, part.region, part.component, part.faces, part.rim == 0, false});
    }
    for (const auto& [component, part] : leader) parts_[part].leads = true;

    const std::vector<bool> on_part = touched(m, Kind::node, prescribed);
    node_part_.assign(m.nodes(), none);
    for (Index i = 0; i < mesh.range(Kind::node).shared; ++i) {
        if (!on_part[i]) continue;
        const auto found = std::lower_bound(
            parts_.begin(), parts_.end(), labels[i],
            [](const PrescribedPart& p, GlobalIndex label) { return p.label < label; });
        node_part_[i] = static_cast<Index>(found - parts_.begin());
    }
}

std::int64_t Cohomology::constants() const {
    return std::count_if(parts_.begin(), parts_.end(),
                         [](const PrescribedPart& part) { return !part.leads; });
}

// Euler-Poincare formula: the alternating sum of the numbers of entities off the prescribed
// boundary equals that of the Betti numbers h_k of the domain relative to that boundary.
std::optional<std::int64_t> Cohomology::count(const Communicator& comm, const DistributedMesh& mesh,
                                              const std::vector<bool>& prescribed) const {
    const Mesh& m = mesh.mesh;
    const auto total = [&](Kind kind) { return mesh.global_count[static_cast<int>(kind)]; };
    const auto on = [&](Kind kind, const std::vector<bool>& member) {
        return comm.sum(count_owned(touched(m, kind, member), mesh.range(kind).owned));
    };
    const std::int64_t free_faces =
        total(Kind::face) - comm.sum(count_owned(prescribed, mesh.range(Kind::face).owned));
    const std::int64_t free_nodes = total(Kind::node) - on(Kind::node, prescribed);
    // number of components with a prescribed part
    const std::int64_t led = static_cast<std::int64_t>(parts_.size()) - constants();
    // number of constants of s
    const std::int64_t h_first = mesh.components - led;
    // number of regions whose pressure is free up to a constant
    const std::int64_t h_last = closed_regions();
    if (m.dimension == 2) return h_first + h_last - (free_nodes - free_faces + total(Kind::cell));

    // In Euclidean space the boundary's handles correspond to the domain's loops, half of the
    // boundary's own loops. Without handles or without outlets the potentials that vanish on the
    // prescribed boundary are the constants of its parts, and h_2 follows. With both, where outlets
    // have no loops of their own, there is one flux for each handle and each additional outlet.
    if (!m.periodic_map.pairs.empty()) return std::nullopt;
    const Surface boundary = surface(comm, mesh, boundary_flags(mesh, nullptr));
    if (boundary.closed != boundary.parts || boundary.euler % 2 != 0) return std::nullopt;
    const std::int64_t handles = boundary.parts - boundary.euler / 2;
    const std::int64_t free_edges = total(Kind::edge) - on(Kind::edge, prescribed);
    if (handles == 0 || !regions_.have_outlets())
        return free_nodes - free_edges + free_faces - total(Kind::cell) - h_first + constants() +
               h_last;
    const Surface outlets = surface(comm, mesh, boundary_flags(mesh, &prescribed));
    if (outlets.loops() != 0) return std::nullopt;
    return handles + outlets.parts - static_cast<std::int64_t>(regions() - closed_regions());
}

}  // namespace solenoid

#include "run/simplices/simplices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <optional>
#include <sstream>

#include "case/named.hpp"
#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/checkpoint/partition_array.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/mesh/mesh_slices.hpp"
#include "mesh/box.hpp"
#include "mesh/mesh_edits.hpp"
#include "mesh/separate_parts.hpp"
#include "mesh/slit/slit.hpp"
#include "parallel/bytes.hpp"
#include "parallel/group_locations.hpp"
#include "parallel/memory_need.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/slices/scatter_slices.hpp"
#include "run/restart.hpp"
#include "run/text.hpp"

namespace solenoid {
namespace {

CellOrdering ordering_of(const std::string& name) {
    if (name == "file") return CellOrdering::file;
    return name == "hilbert" ? CellOrdering::hilbert : CellOrdering::reverse_cuthill_mckee;
}

// Refuses a box that no machine can hold. A tet of a heat problem takes 400 bytes.
void check_size(const Run& run) {
    constexpr double least_of_cell = 100;  // [bytes]
    if (const auto& box = run.settings.mesh.box)
        check_memory(run.comm, least_of_cell * double(box->cells) / run.comm.size(),
                     run.settings.place + ": [mesh.box] cells", fmt::format("{} cells", box->cells),
                     "take fewer cells");
}

// On several ranks reads meshes in slices, where this is possible: boxes, and files of a suitable
// format. Periodic meshes, joined bodies and chosen regions need the whole mesh.
std::optional<SlicedMesh> mesh_in_slices(const Run& run) {
    const MeshSettings& s = run.settings.mesh;
    if (run.comm.size() == 1 || !run.settings.periodic.empty() || s.glue.value_or(0) > 0 ||
        !run.settings.physics->regions_of(run.settings).names.empty())
        return {};
    std::optional<SlicedMesh> mesh;
    if (s.box) {
        MeshSlice slice;
        run.comm.agree([&] { slice = box_slice(*s.box, run.comm.rank(), run.comm.size()); });
        mesh = sliced(run.comm, std::move(slice));
    } else {
        mesh = read_mesh_slices(run.comm, s.file);
    }
    if (mesh && s.scale != 1)
        for (Vec3& x : mesh->slice.points) x *= s.scale;
    return mesh;
}

void edit(const Run& run, SimplexMesh& mesh) {
    const MeshSettings& s = run.settings.mesh;
    if (s.glue.value_or(0) > 0) {
        const Glued glued = glue(mesh, *s.glue, run.settings.place);
        log::info("glue     {} joined to others, {} inside now", plural(glued.nodes, "node"),
                  plural(glued.faces, "face"));
        if (glued.nodes == 0)
            log::warning("mesh.glue = {:.6g} m: no nodes are nearer to each other than that",
                         *s.glue);
        check_and_repair(mesh, s.file.string());
    }
    if (const RegionChoice regions = run.settings.physics->regions_of(run.settings);
        !regions.names.empty())
        keep_regions(mesh, regions.names, regions.place);
}

// Slits the mesh along the baffles of the case. slit_groups: those with faces inside the domain.
void slit_baffles(const Run& run, Simplices& made, SimplexMesh& mesh, std::string& slit_groups) {
    const std::vector<std::string> baffles = run.settings.physics->baffles(run.settings);
    std::vector<std::uint16_t> groups;
    for (std::size_t g = 0; g < mesh.boundaries.size(); ++g)
        if (contains(baffles, mesh.boundaries[g])) groups.push_back(static_cast<std::uint16_t>(g));
    Slits slits = slit(mesh, groups);
    if (run.settings.physics->couples_baffles(run.settings)) made.coupled = std::move(slits.copies);
    for (std::size_t g = 0; g < mesh.boundaries.size(); ++g) {
        if (slits.faces[g] == 0) continue;
        log::info("slit     \"{}\": {} inside the domain, boundary on both sides now",
                  mesh.boundaries[g], plural(slits.faces[g], "face"));
        slit_groups += mesh.boundaries[g] + '\n';
    }
    if (slits.cells > 0)
        log::info("         {} more: edges and faces that end on a free edge are split",
                  plural(slits.cells, "cell"));
}

// Reads the whole mesh, on the root only.
std::optional<SimplexMesh> whole_mesh(const Run& run, Simplices& made, std::string& slit_groups) {
    const MeshSettings& s = run.settings.mesh;
    std::optional<SimplexMesh> mesh;
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        mesh = s.box ? box_mesh(*s.box) : read_mesh(s.file);
        if (s.scale != 1)
            for (Vec3& x : mesh->points) x *= s.scale;
        edit(run, *mesh);
        make_periodic(*mesh, periodic_pairs(run.settings, mesh->boundaries));
        slit_baffles(run, made, *mesh, slit_groups);
    });
    return mesh;
}

// Sends the root's data to all ranks.
void share(const Communicator& comm, CoupledNodes& coupled) {
    std::vector<GlobalIndex> numbers{coupled.first};
    numbers.insert(numbers.end(), coupled.original.begin(), coupled.original.end());
    const auto view = bytes_of(numbers);
    std::vector<std::byte> bytes(view.begin(), view.end());
    comm.broadcast(bytes);
    numbers = values_in<GlobalIndex>(bytes);
    coupled = {numbers.front(), {numbers.begin() + 1, numbers.end()}};
}

// The extent of the box round the points of all ranks [m].
Vec3 size_of(const Communicator& comm, const std::vector<Vec3>& points) {
    Vec3 low(HUGE_VAL), high(-HUGE_VAL);
    for (const Vec3& x : points) {
        low = glm::min(low, x);
        high = glm::max(high, x);
    }
    comm.min(std::span(&low.x, 3));
    comm.max(std::span(&high.x, 3));
    return high - low;
}

// The size of the mesh is printed since drawings in millimetres are common.
void log_mesh(const Run& run, int dimension, GlobalIndex cells, GlobalIndex nodes,
              const Vec3& size) {
    const MeshSettings& s = run.settings.mesh;
    const std::string box = dimension == 3
                                ? fmt::format("{:.4g} x {:.4g} x {:.4g}", size.x, size.y, size.z)
                                : fmt::format("{:.4g} x {:.4g}", size.x, size.y);
    log::info("mesh     {}: {}, {}, {} m, {:.2f} s", s.box ? "box" : s.file.filename().string(),
              plural(static_cast<std::size_t>(cells), dimension == 3 ? "tet" : "triangle"),
              plural(static_cast<std::size_t>(nodes), "node"), box, run.summary.seconds.read);
    if (std::max({size.x, size.y, size.z}) > 100 && !s.is_scaled && !s.box)
        log::info(
            "         more than 100 m long: if it was drawn in millimetres, take [mesh] unit = "
            "\"mm\"");
}

void log_whole_mesh(const Run& run, const SimplexMesh& mesh, const Vec3& size) {
    log_mesh(run, mesh.dimension, static_cast<GlobalIndex>(mesh.cell_count()),
             static_cast<GlobalIndex>(mesh.points.size()), size);
    for (const PeriodicPair& pair : mesh.periodic_map.pairs)
        log::info("         periodic: \"{}\" and \"{}\", apart by {}", mesh.boundaries[pair.from],
                  mesh.boundaries[pair.to], position_text(pair.offset));
}

// Ends the run between two stages of the set-up if it was told to stop. Collective.
void end_if_stopped(const Run& run) {
    run.comm.agree([] {});
}

// Reports parts that share no nodes, and refuses those that touch as if they were meant to be one.
void check_parts(const Run& run, const DistributedMesh& mesh,
                 const std::vector<std::string>& slit_groups) {
    if (mesh.components < 2) return;
    std::vector<std::int64_t> cells(mesh.components, 0);
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
        ++cells[mesh.node_component[mesh.mesh.cell_nodes(c, 0)]];
    run.comm.sum(std::span(cells));
    std::ranges::sort(cells, std::greater());
    const std::size_t told = std::min<std::size_t>(cells.size(), 8);
    log::info("         {} parts that share no nodes, of {}{} cells", cells.size(),
              fmt::join(cells.begin(), cells.begin() + told, ", "),
              told < cells.size() ? ", ..." : "");
    const auto parts = run.comm.gather(bytes_of(
        outer_faces(mesh.mesh, mesh.range(Kind::face).owned, mesh.node_component, slit_groups)));
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        std::vector<OuterFace> faces;
        for (const auto& part : parts) {
            const auto some = values_in<OuterFace>(part);
            faces.insert(faces.end(), some.begin(), some.end());
        }
        const PartContacts contacts =
            part_contacts(mesh.mesh.dimension, faces, mesh.mesh.periodic_map.empty());
        const std::string why = contact_refusal(
            contacts, mesh.mesh.regions, run.settings.mesh.glue && *run.settings.mesh.glue == 0);
        if (!why.empty()) throw InputError(run.settings.mesh.file.filename().string(), why);
    });
}

// Whether a baffle of the case has faces inside the domain. Collective.
bool has_baffles_inside(const Run& run, const DistributedMesh& mesh) {
    const std::vector<std::string> baffles = run.settings.physics->baffles(run.settings);
    const GroupLocations locations = group_locations(run.comm, mesh);
    for (std::size_t g = 0; g < locations.inside.size(); ++g)
        if (locations.inside[g] && contains(baffles, mesh.mesh.boundaries[g])) return true;
    return false;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The parts of the checkpoint, where it was written by as many ranks; else empty.
GivenParts parts_of_checkpoint(const Run& run) {
    if (!run.checkpoint || run.checkpoint->header().ranks != run.comm.size()) return {};
    return [&run](const MeshSlice& slice) {
        run.comm.agree([&] { check_count(run, Kind::cell, slice.cell_ranges.count()); });
        std::vector<GlobalIndex> cells(slice.cell_count());
        for (std::size_t c = 0; c < cells.size(); ++c)
            cells[c] = slice.cell_ranges.first(run.comm.rank()) + static_cast<GlobalIndex>(c);
        const std::vector<int> ranks = stored_partition(*run.checkpoint, std::move(cells));
        run.comm.agree([&] {
            for (const int rank : ranks)
                if (rank < 0 || rank >= run.comm.size())
                    throw InputError(run.checkpoint->file().string(),
                                     fmt::format("its array \"partition\" gives a cell to rank {} "
                                                 "of {}: remove the file to go on from the "
                                                 "checkpoint before it, or run the case anew",
                                                 rank, run.comm.size()));
        });
        return ranks;
    };
}

// Reads and partitions the mesh: in slices if asked for and possible, else as a whole, slit along
// the baffles. Returns the slit groups.
std::vector<std::string> read_and_cut(Run& run, Simplices& made, bool in_slices) {
    std::optional<PhaseClock::In> phase(std::in_place, run.phases, &PhaseSeconds::read);
    check_size(run);
    std::optional<SlicedMesh> slices;
    if (in_slices) slices = mesh_in_slices(run);
    const bool is_sliced = slices.has_value();
    std::optional<SimplexMesh> whole;
    std::string slit_groups;
    if (!slices) whole = whole_mesh(run, made, slit_groups);
    run.comm.broadcast(slit_groups);
    share(run.comm, made.coupled);
    phase.reset();
    end_if_stopped(run);
    const std::vector<Vec3> nothing;
    const Vec3 size = size_of(run.comm, slices  ? slices->slice.points
                                        : whole ? whole->points
                                                : nothing);
    if (slices)
        log_mesh(run, slices->slice.dimension, slices->slice.cell_ranges.count(),
                 slices->slice.node_ranges.count(), size);
    if (whole) log_whole_mesh(run, *whole, size);
    phase.emplace(run.phases, &PhaseSeconds::partition);
    const CellOrdering ordering = ordering_of(run.settings.mesh.ordering);
    if (run.comm.size() == 1) {
        made.mesh = distribute(run.comm, std::move(whole), ordering, made.coupled);
    } else {
        if (!slices) slices = sliced(run.comm, scatter_slices(run.comm, whole));
        made.mesh = distribute(run.comm, std::move(*slices), ordering,
                               run.settings.mesh.cut == "hilbert" ? 0 : most_arcs, made.coupled,
                               parts_of_checkpoint(run));
    }
    phase.reset();
    end_if_stopped(run);
    if (!is_sliced || !has_baffles_inside(run, made.mesh)) return lines_of(slit_groups);
    log::info("         it is to be slit inside the domain: read again, as a whole");
    made.mesh = DistributedMesh();
    return read_and_cut(run, made, false);
}

}  // namespace

MeshNames Simplices::names(const Communicator& comm) const {
    const GroupLocations locations = group_locations(comm, mesh);
    const std::vector<std::string>& groups = mesh.mesh.boundaries;
    MeshNames names;
    names.dimension = mesh.mesh.dimension;
    names.regions = mesh.mesh.regions;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        (locations.on_boundary[g] ? names.boundaries : names.inner_groups).push_back(groups[g]);
        if (locations.on_boundary[g] && locations.inside[g])
            names.partly_inside.push_back(groups[g]);
    }
    return names;
}

void Simplices::check(const Communicator& comm) const { check_every_face_is_named(comm, mesh); }

std::unique_ptr<RunMesh> make_simplices(Run& run) {
    auto made = std::make_unique<Simplices>();
    const std::vector<std::string> slit_groups = read_and_cut(run, *made, true);
    const PhaseClock::In phase(run.phases, &PhaseSeconds::partition);
    check_parts(run, made->mesh, slit_groups);
    if (has_default(run.settings)) group_the_rest(run.comm, made->mesh, "default");
    if (run.checkpoint) check_mesh(run, made->topology());
    made->domain = std::make_unique<const Domain>(run.comm, *run.device, made->mesh);
    end_if_stopped(run);
    run.summary.edge_cut = made->mesh.edge_cut;
    run.summary.imbalance = made->mesh.imbalance;
    return made;
}

const Simplices& simplices_of(const Run& run) { return dynamic_cast<const Simplices&>(*run.mesh); }

}  // namespace solenoid

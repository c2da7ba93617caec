#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <set>
#include <sstream>

#include "case/case_text.hpp"
#include "case/named.hpp"
#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/reproducible.hpp"
#include "core/stop_signal.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "device/choice/select_device.hpp"
#include "io/files/unwritten.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/mesh/mesh_slices.hpp"
#include "mesh/box.hpp"
#include "mesh/mesh_edits.hpp"
#include "mesh/separate_parts.hpp"
#include "mesh/slit/slit.hpp"
#include "parallel/bytes.hpp"
#include "parallel/checks/choose_transport.hpp"
#include "parallel/group_locations.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/slices/scatter_slices.hpp"
#include "parallel/thread_share.hpp"
#include "parallel/transport.hpp"
#include "run/driver.hpp"
#include "run/initial_state.hpp"
#include "run/restart.hpp"
#include "run/run_summary.hpp"
#include "run/text.hpp"
#include "run/wall_time.hpp"

namespace solenoid {
namespace {

CellOrdering ordering_of(const std::string& name) {
    if (name == "file") return CellOrdering::file;
    return name == "hilbert" ? CellOrdering::hilbert : CellOrdering::reverse_cuthill_mckee;
}

void choose_device(Run& run) {
    DeviceChoice choice;
    run.comm.agree([&] {
        choice = select_device(run.options.device, run.comm.local_rank(),
                               run.options.precision != "single");
    });
    run.device = std::move(choice.device);
    const DeviceInfo& info = run.device->info();
    log::info("device   {}; {} precision", choice.reason, run.options.precision);
    run.summary.devices = run.comm.texts(info.kind + ": " + info.name);
    // Ranks that share a GPU have the same host and id.
    const auto ids = run.comm.texts(
        info.id.empty() || info.is_software ? "" : run.comm.host_name() + " " + info.id);
    std::map<std::string, int> sharing;
    for (const std::string& id : ids) ++sharing[id];
    for (const auto& [id, ranks] : sharing)
        if (!id.empty() && ranks > 1)
            log::warning("{} ranks share one GPU ({}): a rank for each GPU is faster", ranks, id);
}

// All that is made from here on has the same bits on any number of ranks.
void make_reproducible(const Communicator& comm) {
    set_reproducible([&comm](std::span<BinnedSum> sums) {
        comm.sum(sums);
        if (!comm.is_root()) std::ranges::fill(sums, BinnedSum());
    });
}

void check_reproducible(const Run& run) {
    run.comm.agree([&] {
        if (const DeviceInfo& info = run.device->info(); !info.has_binned_sums)
            throw InputError("--reproducible: the device " + info.kind + " (" + info.name +
                             ") cannot take sums in no order: choose --device cpu or compute");
    });
}

void choose_transport(Run& run) {
    choose_transport(run.comm, *run.device, run.options.transport);
    run.summary.transport = transport_name(run.comm, *run.device);
    const TransportSpeed speed = transport_speed(run.comm, *run.device);
    run.summary.transport_latency = speed.latency;
    run.summary.transport_bandwidth = speed.bandwidth;
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
void slit_baffles(Run& run, SimplexMesh& mesh, std::string& slit_groups) {
    const std::vector<std::string> baffles = run.settings.physics->baffles(run.settings);
    std::vector<std::uint16_t> groups;
    for (std::size_t g = 0; g < mesh.boundaries.size(); ++g)
        if (contains(baffles, mesh.boundaries[g])) groups.push_back(static_cast<std::uint16_t>(g));
    Slits slits = slit(mesh, groups);
    if (run.settings.physics->couples_baffles(run.settings)) run.coupled = std::move(slits.copies);
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
std::optional<SimplexMesh> whole_mesh(Run& run, std::string& slit_groups) {
    const MeshSettings& s = run.settings.mesh;
    std::optional<SimplexMesh> mesh;
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        mesh = s.box ? box_mesh(*s.box) : read_mesh(s.file);
        if (s.scale != 1)
            for (Vec3& x : mesh->points) x *= s.scale;
        edit(run, *mesh);
        make_periodic(*mesh, periodic_pairs(run.settings, mesh->boundaries));
        slit_baffles(run, *mesh, slit_groups);
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
        log::info("         large: if it was drawn in millimetres, take [mesh] unit = \"mm\"");
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
void check_parts(const Run& run, const std::vector<std::string>& slit_groups) {
    const DistributedMesh& mesh = run.mesh;
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
bool has_baffles_inside(const Run& run) {
    const std::vector<std::string> baffles = run.settings.physics->baffles(run.settings);
    const GroupLocations locations = group_locations(run.comm, run.mesh);
    for (std::size_t g = 0; g < locations.inside.size(); ++g)
        if (locations.inside[g] && contains(baffles, run.mesh.mesh.boundaries[g])) return true;
    return false;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// Reads and partitions the mesh: in slices if asked for and possible, else as a whole, slit along
// the baffles. Returns the slit groups.
std::vector<std::string> read_and_cut(Run& run, bool in_slices) {
    std::optional<PhaseClock::In> phase(std::in_place, run.phases, &PhaseSeconds::read);
    std::optional<SlicedMesh> slices;
    if (in_slices) slices = mesh_in_slices(run);
    const bool is_sliced = slices.has_value();
    std::optional<SimplexMesh> whole;
    std::string slit_groups;
    if (!slices) whole = whole_mesh(run, slit_groups);
    run.comm.broadcast(slit_groups);
    share(run.comm, run.coupled);
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
        run.mesh = distribute(run.comm, std::move(whole), ordering, run.coupled);
    } else {
        if (!slices) slices = sliced(run.comm, scatter_slices(run.comm, whole));
        run.mesh = distribute(run.comm, std::move(*slices), ordering,
                              run.settings.mesh.cut == "hilbert" ? 0 : most_arcs, run.coupled,
                              parts_of_checkpoint(run));
    }
    phase.reset();
    end_if_stopped(run);
    if (!is_sliced || !has_baffles_inside(run)) return lines_of(slit_groups);
    log::info("         it is to be slit inside the domain: read again, as a whole");
    run.mesh = DistributedMesh();
    return read_and_cut(run, false);
}

void cut_mesh(Run& run) {
    const std::vector<std::string> slit_groups = read_and_cut(run, true);
    std::optional<PhaseClock::In> phase(std::in_place, run.phases, &PhaseSeconds::partition);
    check_parts(run, slit_groups);
    if (has_default(run.settings)) group_the_rest(run.comm, run.mesh, "default");
    if (run.checkpoint) check_mesh(run);
    run.domain = std::make_unique<const Domain>(run.comm, *run.device, run.mesh);
    end_if_stopped(run);
    phase.reset();
    Summary& summary = run.summary;
    summary.nodes = run.mesh.global_count[0];
    summary.edges = run.mesh.global_count[1];
    summary.faces = run.mesh.global_count[2];
    summary.cells = run.mesh.global_count[3];
    summary.edge_cut = run.mesh.edge_cut;
    summary.imbalance = run.mesh.imbalance;
    const std::size_t hosts = [&] {
        const auto names = run.comm.texts(run.comm.host_name());
        return std::set<std::string>(names.begin(), names.end()).size();
    }();
    const std::string of_each = threads() > 1 ? fmt::format(", {} threads each", threads()) : "";
    if (run.comm.size() == 1)
        log::info("ranks    1{}", of_each);
    else
        log::info(
            "ranks    {} on {} by {} ({:.1f} us, {:.1f} GB/s){}, edge cut {}, imbalance {:.3f}, "
            "{:.2f} s",
            run.comm.size(), plural(hosts, "host"), summary.transport,
            1e6 * summary.transport_latency, 1e-9 * summary.transport_bandwidth, of_each,
            grouped(run.mesh.edge_cut), run.mesh.imbalance, summary.seconds.partition);
}

void check_case_against_mesh(Run& run) {
    const Mesh& mesh = run.mesh.mesh;
    const GroupLocations locations = group_locations(run.comm, run.mesh);
    MeshNames names;
    names.dimension = mesh.dimension;
    names.regions = mesh.regions;
    for (std::size_t g = 0; g < mesh.boundaries.size(); ++g) {
        (locations.on_boundary[g] ? names.boundaries : names.inner_groups)
            .push_back(mesh.boundaries[g]);
        if (locations.on_boundary[g] && locations.inside[g])
            names.partly_inside.push_back(mesh.boundaries[g]);
    }
    run.comm.agree([&] {
        with_default(run.settings, names.boundaries);
        check_names(run.settings, names);
    });
    check_every_face_is_named(run.comm, run.mesh);
}

// The case file, read by the root for all ranks: they see one text, whatever becomes of the file.
CaseText shared_text(const Communicator& comm, const std::filesystem::path& file) {
    CaseText text{file, ""};
    comm.agree([&] {
        if (comm.is_root()) text = read_case_text(file);
    });
    comm.broadcast(text.text);
    return text;
}

// The case of a run from its start, or of its file.
void read_case_file(Run& run) {
    run.text = shared_text(run.comm, run.options.case_file);
    run.overrides = run.options.overrides;
    run.comm.agree([&] { run.settings = read_case(run.text, run.all, run.overrides); });
}

// Opens the folder, and finds what to go on from there, if that is asked for. Returns false where
// the run there is done.
bool open_folder(Run& run, RunOptions& options) {
    const bool is_restart = options.case_file.empty();
    const auto path =
        options.output.empty() ? std::filesystem::path("out") / run.settings.name : options.output;
    EarlierResults earlier = options.overwrite ? EarlierResults::replace : EarlierResults::refuse;
    Found found = Found::nothing;
    if (options.continues || is_restart) found = what_is_there(run, path);
    if (found == Found::done) {
        tell_done(path, false);
        return false;
    }
    if (found == Found::beginning) {
        log::info("{}: holds no checkpoint: the run starts anew", path.string());
        earlier = EarlierResults::replace;
    }
    if (found == Found::checkpoints) earlier = EarlierResults::continue_;
    run.folder = std::make_unique<OutputFolder>(
        run.comm, path,
        is_restart ? (path / ".").parent_path().filename().string() : run.settings.name, earlier);
    if (found != Found::checkpoints) return true;
    if (!take_checkpoint(run, options)) {
        tell_done(path, true);
        return false;
    }
    if (is_restart)
        run.comm.agree([&] { run.settings = read_case(run.text, run.all, run.overrides); });
    check_physics(run);
    return true;
}

// Says what the run could not write. The exit code of a run that is done otherwise. Collective.
int code_of_output(const Communicator& comm) {
    const std::vector<std::string> missing = unwritten();
    if (!missing.empty()) log::warning("not written: {}", fmt::join(missing, "; "));
    return comm.any(!missing.empty()) ? 1 : 0;
}

}  // namespace

void set_up(Run& run) {
    const Physics& physics = *run.settings.physics;
    run.summary.case_name = run.settings.name;
    run.summary.version = version;
    run.summary.ranks = run.comm.size();
    set_threads(run.options.threads ? run.options.threads : thread_share(run.comm));
    run.summary.threads = threads();
    run.summary.precision = run.options.precision;
    run.summary.is_reproducible = run.options.reproducible;
    log::info("solenoid {}: {}, {}", version, run.settings.name,
              physics.name() + (run.settings.time.steady ? ", steady" : ", in time"));
    for (SolverSettings* solver : physics.solvers(run.settings))
        solver->is_mixed = run.options.precision == "mixed";
    if (run.options.reproducible) make_reproducible(run.comm);
    choose_device(run);
    if (run.options.reproducible) check_reproducible(run);
    choose_transport(run);
    cut_mesh(run);
    check_case_against_mesh(run);
}

int run(const Communicator& comm, const RunOptions& given, const PhysicsList& all) {
    RunOptions options = given;  // a checkpoint has some, too
    Run run(comm, options);
    set_stop_patience(HUGE_VAL);  // until there is a folder for the summary
    comm.agree([&] {
        if (!options.wall_time.empty()) stop_after(wall_time_of(options.wall_time));
    });
    run.all = all;
    if (!options.case_file.empty()) read_case_file(run);
    if (!open_folder(run, options)) return 0;
    run.as_run = as_run(run.text, run.overrides);
    run.summary.case_hash = hash_of(run.text.text);
    set_stop_patience(0);
    try {
        set_up(run);
        run_simulation(run, [&] {
            const Physics& physics = *run.settings.physics;
            const auto initial = take_initial_state(run);
            auto simulation = options.precision == "single" ? physics.simulation_in_single(run)
                                                            : physics.simulation_in_double(run);
            if (initial) initial->clear();
            return simulation;
        });
    } catch (const AgreedError& error) {
        if (error.exit_code() == stopped_exit_code) finish_summary(run, error);
        throw;
    }
    const int missing = code_of_output(comm);
    return missing ? missing : run.exit_code;
}

}  // namespace solenoid

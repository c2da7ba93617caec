#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "case/case_text.hpp"
#include "case/named.hpp"
#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "core/reproducible.hpp"
#include "core/stop_signal.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "device/choice/select_device.hpp"
#include "io/files/unwritten.hpp"
#include "parallel/checks/choose_transport.hpp"
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

// The mesh that the physics makes, what the summary has of it, and how the ranks share it.
void make_mesh(Run& run) {
    run.mesh = run.settings.physics->make_mesh(run);
    Summary& summary = run.summary;
    const Topology& topology = run.topology();
    summary.nodes = topology.count(Kind::node);
    summary.edges = topology.count(Kind::edge);
    summary.faces = topology.count(Kind::face);
    summary.cells = topology.count(Kind::cell);
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
            grouped(summary.edge_cut), summary.imbalance, summary.seconds.partition);
}

void check_case_against_mesh(Run& run) {
    const MeshNames names = run.mesh->names(run.comm);
    run.comm.agree([&] {
        with_default(run.settings, names.boundaries);
        check_names(run.settings, names);
    });
    run.mesh->check(run.comm);
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
    if (!missing.empty()) log::warning("not written: {}", joined_words(missing, "; "));
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
    // all that is made from here on has the same bits on any number of ranks
    set_reproducible(run.options.reproducible);
    choose_device(run);
    if (run.options.reproducible) check_reproducible(run);
    choose_transport(run);
    make_mesh(run);
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

// The command line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "app/device_commands.hpp"
#include "app/diff_command.hpp"
#include "app/init_command.hpp"
#include "app/keys_command.hpp"
#include "app/mesh_commands.hpp"
#include "app/one_of.hpp"
#include "app/physics.hpp"
#include "app/smooth_command.hpp"
#include "app/tonemap_command.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "core/nearest_name.hpp"
#include "core/stop_signal.hpp"
#include "core/version.hpp"
#include "device/choice/select_device.hpp"
#include "mesh/length_units.hpp"
#include "parallel/reported.hpp"
#include "parallel/thread_share.hpp"
#include "parallel/transport.hpp"
#include "program/program.hpp"
#include "run/run.hpp"

namespace {

using namespace solenoid;
using Action = std::function<int(const Communicator&)>;

// What a run is given beside its case.
void add_run_options(CLI::App& command, RunOptions& options) {
    command
        .add_option("--device", options.device,
                    "device of the computation; auto: a GPU if there is one")
        ->take_last()
        ->check(one_of(device_choices()))
        ->capture_default_str();
    command
        .add_option(
            "--transport", options.transport,
            "way of messages between the ranks of a host; auto: GPU memory if a check of it "
            "passes, else shared memory")
        ->take_last()
        ->check(one_of(transport_choices()))
        ->capture_default_str();
    command
        .add_option(
            "--threads", options.threads,
            "number of threads of each rank; default: OMP_NUM_THREADS, else the rank's share of "
            "the host's cores")
        ->take_last()
        ->type_name("N")
        ->check(CLI::Range(1, most_threads));
    command
        .add_option("--set", options.overrides, "override a key of the case file; may be repeated")
        ->type_name("KEY=VALUE")
        ->type_size(1)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        .add_option("--wall-time", options.wall_time,
                    "stop before so much wall-clock time has passed, able to continue: exit code 3")
        ->type_name("H:MM:SS")
        ->take_last();
    command.add_flag("--reproducible", options.reproducible,
                     "the same bits on any number of ranks of one kind of device");
    command.add_flag("--quiet", options.quiet, "print warnings and errors only");
    command.add_flag("--view", options.view, "show the field in a window while it is computed");
}

CLI::Option* add_precision(CLI::App& command, RunOptions& options, const std::string& what) {
    return command.add_option("--precision", options.precision, what)
        ->take_last()
        ->check(one_of({"single", "double", "mixed"}));
}

void set_run_action(CLI::App& command, RunOptions& options, Action& action) {
    command.callback([&] {
        action = [&options](const Communicator& comm) {
            log::configure(!comm.is_root(), options.quiet);
            return run(comm, options, all_physics());
        };
    });
}

void add_run(CLI::App& app, RunOptions& options, Action& action) {
    CLI::App* command = app.add_subcommand("run", "run a case file, alone or under mpirun");
    command->add_option("CASE.toml", options.case_file, "the case file")
        ->required()
        ->type_name(" ");
    command->add_option("-o,--output", options.output, "folder for the results (default: out/CASE)")
        ->type_name("DIR")
        ->take_last();
    add_precision(*command, options,
                  "precision of the fields; mixed: double, and iterations of solves in single")
        ->capture_default_str();
    CLI::Option* overwrite = command->add_flag(
        "--overwrite", options.overwrite, "replace the results of an earlier run in the folder");
    command
        ->add_flag("--continue", options.continues,
                   "go on from the newest checkpoint in the folder; where there is none, start")
        ->excludes(overwrite);
    add_run_options(*command, options);
    set_run_action(*command, options, action);
}

void add_restart(CLI::App& app, RunOptions& options, Action& action) {
    CLI::App* command = app.add_subcommand(
        "restart",
        "go on with the run of an output folder from its newest checkpoint, alone or "
        "under mpirun, on any number of ranks");
    command->add_option("DIR", options.output, "the folder of its results")
        ->required()
        ->type_name(" ");
    options.precision.clear();
    add_precision(*command, options, "precision of the fields; default: as before");
    add_run_options(*command, options);
    set_run_action(*command, options, action);
}

struct InitOptions {
    std::filesystem::path mesh, output = "case.toml";
    std::string unit = "m";
    std::string physics = all_physics().front()->name();
};

void add_unit(CLI::App& command, std::string& unit) {
    command.add_option("--unit", unit, "unit of the file's coordinates")
        ->check(one_of(names_of_length_units()))
        ->type_name("UNIT")
        ->capture_default_str();
}

void add_init(CLI::App& app, InitOptions& options, Action& action) {
    CLI::App* init =
        app.add_subcommand("init", "write a starter case for a mesh, or on a structured grid");
    init->add_option("MESH", options.mesh, "a Gmsh file; none for a case on a structured grid")
        ->type_name(" ");
    init->add_option("-o,--output", options.output, "the case file to write")
        ->type_name("FILE")
        ->capture_default_str();
    std::vector<std::string> summaries;
    for (const Physics* physics : all_physics())
        summaries.push_back(fmt::format("{}: {}", physics->name(), physics->summary()));
    init->add_option("--physics", options.physics, joined_words(summaries, "; "))
        ->check(one_of(names_of(all_physics())))
        ->type_name("NAME")
        ->capture_default_str();
    add_unit(*init, options.unit);
    init->callback([&] {
        action = [&options](const Communicator&) {
            return init_case(options.mesh, options.output, options.physics, options.unit);
        };
    });
}

void add_keys(CLI::App& app, std::string& part, Action& action) {
    CLI::App* keys = app.add_subcommand("keys", "list the keys of case files, with defaults");
    keys->add_option("TABLE", part,
                     "only tables whose names contain this: flow, solver, boundary, ...")
        ->type_name(" ");
    keys->callback([&] {
        action = [&part](const Communicator& comm) {
            return comm.is_root() ? print_keys(part) : 0;
        };
    });
}

struct MeshOptions {
    std::filesystem::path file, output;
    bool json = false;
    std::string unit = "m";
    double cells = 0;
    BoxSettings box;
    std::vector<double> low{0, 0, 0}, high{1, 1, 1};
};

Vec3 corner(const std::vector<double>& numbers) {
    return {numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0.0};
}

void add_mesh(CLI::App& app, MeshOptions& options, Action& action) {
    CLI::App* mesh = app.add_subcommand("mesh", "inspect or make a mesh")->require_subcommand(1);
    CLI::App* info = mesh->add_subcommand("info", "print counts, groups and quality of a mesh");
    info->add_option("FILE", options.file, "a Gmsh file")->required()->type_name(" ");
    info->add_flag("--json", options.json, "print one JSON object");
    add_unit(*info, options.unit);
    info->callback([&] {
        action = [&options](const Communicator&) {
            return mesh_info(options.file, options.json, options.unit);
        };
    });

    CLI::App* box =
        mesh->add_subcommand("box", "make an unstructured mesh of a box, of tets or triangles");
    box->add_option("--cells", options.cells, "approximate number of cells, up to 5e8")
        ->required()
        ->type_name("N")
        ->check(refused_count);
    box->add_option("--dimension", options.box.dimension, "3: tets, 2: triangles")
        ->check(CLI::IsMember({2, 3}))
        ->capture_default_str();
    box->add_option("--low", options.low, "lower corner [m]; default: 0 0 0")
        ->type_name("X Y [Z]")
        ->expected(2, 3);
    box->add_option("--high", options.high, "upper corner [m]; default: 1 1 1")
        ->type_name("X Y [Z]")
        ->expected(2, 3);
    box->add_option("--jitter", options.box.jitter,
                    "largest displacement of a node, in lattice spacings")
        ->capture_default_str();
    box->add_option("-o,--output", options.output, "the Gmsh file to write")
        ->required()
        ->type_name("FILE");
    box->callback([&] {
        action = [&options](const Communicator&) {
            options.box.cells =
                static_cast<decltype(options.box.cells)>(std::llround(options.cells));
            options.box.low = corner(options.low);
            options.box.high = corner(options.high);
            return mesh_box(options.box, options.output);
        };
    });
}

void add_diff(CLI::App& app, DiffOptions& options, Action& action) {
    CLI::App* command = app.add_subcommand("diff",
                                           "compare checkpoints, states (.pvtu), tables (.csv) or "
                                           "output folders: how much and where they "
                                           "differ; exit code 0: alike, 1: different");
    command->add_option("A", options.a, "a file or a folder")->required()->type_name(" ");
    command->add_option("B", options.b, "another of the same kind")->required()->type_name(" ");
    command
        ->add_option("--tolerance", options.tolerance,
                     "numbers are alike that differ by at most this part of their column's range "
                     "in A; 0: that have the same bits")
        ->type_name("T")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->callback([&] { action = [&options](const Communicator&) { return diff(options); }; });
}

void add_smoothing(CLI::App& app, SmoothOptions& options, Action& action) {
    add_smooth(app, options, one_of(device_choices()))->callback([&] {
        action = [&options](const Communicator&) { return smooth(options); };
    });
}

// Runs a command on the root only, and returns its exit code on all ranks.
int on_root(const Communicator& comm, const Action& action) {
    int code = 0;
    comm.agree([&] {
        if (comm.is_root()) code = action(comm);
    });
    return code;
}

// The subcommand whose options were being parsed when the error occurred.
const CLI::App& innermost(const CLI::App& app) {
    const auto used = app.get_subcommands();
    return used.empty() ? app : innermost(*used.front());
}

std::string full_name(const CLI::App& app) {
    return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : "solenoid";
}

// A message such as "there is no option --ouput: did you mean --output?" for the first argument
// that looks like an option; empty without one.
std::string unknown_option(const CLI::App& command) {
    for (const std::string& extra : command.remaining()) {
        if (extra.size() < 2 || extra[0] != '-') continue;
        const std::string word = extra.substr(0, extra.find('='));
        std::vector<std::string> names;
        for (const CLI::Option* option : command.get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        const std::string near = nearest_name(word, names);
        return "there is no option " + word + (near.empty() ? "" : ": did you mean " + near + "?");
    }
    return "";
}

// A one-line message for an error of the command line.
std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = innermost(app);
    std::string message = error.what();
    std::vector<std::string> names;
    for (const CLI::App* sub : command.get_subcommands(nullptr)) names.push_back(sub->get_name());
    const auto extras = command.remaining();
    if (!extras.empty() && extras.front() == "bench")
        message = "benchmarks are in another program, solenoid-bench (tools/build solenoid-bench)";
    else if (const std::string option = unknown_option(command); !option.empty())
        message = option;
    else if (!names.empty() && !extras.empty()) {
        const std::string near = nearest_name(extras.front(), names);
        message = "there is no command " + extras.front() +
                  (near.empty() ? "" : ": did you mean " + near + "?");
    }
    return fmt::format("{} (see {} --help)", message, full_name(command));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == "run" || first == "restart") catch_signals();  // before MPI starts
    const Program program(argc, argv);
    const Communicator& comm = program.comm;
    CLI::App app{
        "solenoid: incompressible flow, heat and waves on meshes of triangles and tets and on "
        "structured grids, by any number of CPUs and GPUs"};
    app.name("solenoid");
    app.set_version_flag("--version", std::string("solenoid ") + version);
    app.require_subcommand(1);
    RunOptions run_options, restart_options;
    InitOptions init_options;
    Action action;
    add_run(app, run_options, action);
    add_restart(app, restart_options, action);
    add_init(app, init_options, action);
    std::string keys_part;
    add_keys(app, keys_part, action);
    MeshOptions mesh_options;
    add_mesh(app, mesh_options, action);
    DiffOptions diff_options;
    add_diff(app, diff_options, action);
    add_tonemap(app, action);
    SmoothOptions smooth_options;
    add_smoothing(app, smooth_options, action);
    app.add_subcommand("devices", "list the devices of this host, with their limits")
        ->callback([&] { action = [](const Communicator&) { return show_devices(); }; });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return told(comm, app, error, "solenoid: " + usage_mistake(app, error));
    }
    return reported(comm, "solenoid", [&] {
        return app.got_subcommand("run") || app.got_subcommand("restart") ? action(comm)
                                                                          : on_root(comm, action);
    });
}

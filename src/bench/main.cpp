// The command line of solenoid-bench, with a subcommand for each benchmark. Errors go to
// reported().
#include <fmt/format.h>

#include "bench/benchmark.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/nearest_name.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "io/files/atomic_file.hpp"
#include "parallel/reported.hpp"
#include "parallel/thread_share.hpp"
#include "parallel/transport.hpp"
#include "program/program.hpp"

namespace {

using namespace solenoid;
using namespace solenoid::bench;

// Adds the common options. sizes: as given, perhaps as 1e6.
void add_common(CLI::App& command, const Benchmark& benchmark, Settings& settings,
                std::vector<double>& sizes) {
    for (Index size : benchmark.default_sizes()) sizes.push_back(size);
    command
        .add_option("--device", settings.device,
                    "device of the computation; auto: a GPU if there is one")
        ->check(CLI::IsMember(device_choices()))
        ->capture_default_str();
    command.add_option("--precision", settings.precision, "of the numbers")
        ->check(CLI::IsMember(benchmark.precisions()))
        ->capture_default_str();
    command
        .add_option(
            "--transport", settings.transport,
            "way of messages between the ranks of a host; auto: GPU memory if a check of it "
            "passes, else shared memory")
        ->check(CLI::IsMember(transport_choices()))
        ->capture_default_str();
    command.add_option("--size", sizes, benchmark.size_help())
        ->type_name("N,...")
        ->delimiter(',')
        ->check(refused_count)
        ->capture_default_str();
    command
        .add_option("--repeats", settings.repeats, "measurements, of which the median is reported")
        ->check(CLI::Range(1, 999))
        ->capture_default_str();
    command
        .add_option("--threads", settings.threads,
                    "number of threads of each rank, in its set-up and on the device cpu")
        ->check(CLI::Range(1, most_threads))
        ->capture_default_str();
    command.add_option("--csv", settings.csv, "a table for other programs")->type_name("FILE");
    command.add_option("--json", settings.json, "one JSON object, which tools/plot-bench reads")
        ->type_name("FILE");
}

void write(const Results& results, const Settings& settings) {
    if (!settings.csv.empty()) write_atomically(settings.csv, results.csv());
    if (!settings.json.empty()) write_atomically(settings.json, results.json());
}

// Checks the folder of an output file before anything is measured.
void check_folder(const std::filesystem::path& file, const char* option) {
    if (file.empty()) return;
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (!std::filesystem::is_directory(folder))
        throw InputError(option, fmt::format("there is no directory {}", folder.string()));
}

void measure(const Communicator& comm, Benchmark& benchmark, const Settings& settings) {
    comm.agree([&] {
        check_folder(settings.csv, "--csv");
        check_folder(settings.json, "--json");
    });
    set_threads(settings.threads);
    comm.set_transport(transport_of(settings.transport));
    Results results(benchmark.name(), comm.size(), settings.threads);
    benchmark.run({comm, settings, results});
    log::print(results.table());
    comm.agree([&] {
        if (comm.is_root()) write(results, settings);
    });
}

// A one-line message for an error of the command line.
std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error) {
    const auto used = app.get_subcommands();
    const auto extras = app.remaining();
    std::string message = error.what();
    if (used.empty() && !extras.empty()) {
        std::vector<std::string> names;
        for (const Benchmark* benchmark : benchmarks()) names.push_back(benchmark->name());
        const std::string near = nearest_name(extras.front(), names);
        message = fmt::format("there is no benchmark {}{}", extras.front(),
                              near.empty() ? "" : ": did you mean " + near + "?");
    }
    return fmt::format("solenoid-bench: {} (see solenoid-bench{} --help)", message,
                       used.empty() ? "" : " " + used.front()->get_name());
}

}  // namespace

int main(int argc, char** argv) {
    const Program program(argc, argv);
    const Communicator& comm = program.comm;
    CLI::App app{"solenoid-bench: times of solenoid's parts, alone or under mpirun"};
    app.name("solenoid-bench");
    app.set_version_flag("--version", std::string("solenoid-bench ") + version);
    app.require_subcommand(1);
    Settings settings;
    Benchmark* chosen = nullptr;
    std::vector<std::vector<double>> sizes(benchmarks().size());
    for (std::size_t k = 0; k < benchmarks().size(); ++k) {
        Benchmark& benchmark = *benchmarks()[k];
        CLI::App* command = app.add_subcommand(benchmark.name(), benchmark.help());
        add_common(*command, benchmark, settings, sizes[k]);
        benchmark.add_options(*command);
        command->callback([&, k] {
            chosen = benchmarks()[k];
            settings.sizes.assign(sizes[k].begin(), sizes[k].end());
        });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return told(comm, app, error, usage_mistake(app, error));
    }
    return reported(comm, "solenoid-bench", [&] {
        measure(comm, *chosen, settings);
        return 0;
    });
}

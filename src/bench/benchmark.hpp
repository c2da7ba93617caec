// A subcommand of solenoid-bench: one object in a file of its own, and its line in benchmarks.cpp.
// Nothing else lists them.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/results.hpp"
#include "device/choice/select_device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// What every benchmark is asked.
struct Settings {
    std::string device = "auto";
    std::string precision = "double";
    std::string transport = "auto";
    std::vector<Index> sizes;  // in the benchmark's own unit, of all ranks together
    int repeats = 5, threads = 1;
    std::filesystem::path csv, json;  // empty: none
};

// A benchmark under way.
struct Session {
    const Communicator& comm;
    const Settings& settings;
    Results& results;

    // The device that the settings name, noted in the results; messages between the ranks take the
    // way that the settings name. Collective.
    std::unique_ptr<Device> device(const DeviceRequest& request = {}) const;
    // of this rank, where all ranks hold as many
    Index share_of(Index all) const {
        return std::max<Index>(1, all / static_cast<Index>(comm.size()));
    }
    bool is_double() const { return settings.precision != "single"; }
};

class Benchmark {
  public:
    virtual ~Benchmark() = default;
    virtual std::string name() const = 0;
    virtual std::string help() const = 0;       // a line
    virtual std::string size_help() const = 0;  // what --size counts
    virtual std::vector<Index> default_sizes() const = 0;
    virtual std::vector<std::string> precisions() const { return {"single", "double"}; }
    virtual void add_options(CLI::App&) {}         // beside the common ones
    virtual void run(const Session& session) = 0;  // collective; throws Error
};

// In the order of the help.
const std::vector<Benchmark*>& benchmarks();

}  // namespace solenoid::bench

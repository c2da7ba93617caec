// A benchmark is a subcommand of solenoid-bench: one object in a file of its own and one line of
// benchmarks.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/results.hpp"
#include "device/choice/select_device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// Options of all benchmarks.
struct Settings {
    std::string device = "auto";
    std::string precision = "double";
    std::string transport = "auto";
    std::vector<Index> sizes;  // in the benchmark's unit, for all ranks together
    int repeats = 5, threads = 1;
    std::filesystem::path csv, json;  // empty: none
};

// A running benchmark.
struct Session {
    const Communicator& comm;
    const Settings& settings;
    Results& results;

    // Opens the device of the settings, notes it in the results, and chooses the transport of the
    // settings. Collective.
    std::unique_ptr<Device> device(const DeviceRequest& request = {}) const;
    // The share of this rank; all ranks have equal shares.
    Index share_of(Index all) const {
        return std::max<Index>(1, all / static_cast<Index>(comm.size()));
    }
    bool is_double() const { return settings.precision != "single"; }
};

class Benchmark {
  public:
    virtual ~Benchmark() = default;
    virtual std::string name() const = 0;
    virtual std::string help() const = 0;       // one line
    virtual std::string size_help() const = 0;  // the unit of --size
    virtual std::vector<Index> default_sizes() const = 0;
    virtual std::vector<std::string> precisions() const { return {"single", "double"}; }
    virtual void add_options(CLI::App&) {}         // additional options
    virtual void run(const Session& session) = 0;  // collective; throws Error
};

// In the order of the help.
const std::vector<Benchmark*>& benchmarks();

}  // namespace solenoid::bench

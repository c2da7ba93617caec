// Many exchanges and sums between ranks with known results, each of which is checked.
#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmark.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"
#include "parallel/checks/exchange_check.hpp"
#include "parallel/checks/sum_check.hpp"
#include "parallel/checks/watchdog.hpp"
#include "parallel/transport.hpp"

namespace solenoid::bench {
namespace {

// One kind of check, done in slices.
struct Work {
    const char* operation;
    std::int64_t count;
    // runs more checks; returns a text about the first wrong result
    std::function<std::string(std::int64_t)> run;
    std::int64_t done = 0;
    double seconds = 0;
};

class StressBenchmark : public Benchmark {
  public:
    std::string name() const override { return "stress"; }
    std::string help() const override {
        return "random exchanges and sums between ranks, each compared with its known result; exit "
               "code 1 if one is wrong";
    }
    std::string size_help() const override {
        return "entities in a message, at most (the largest of several)";
    }
    std::vector<Index> default_sizes() const override { return {100000}; }
    void add_options(CLI::App& command) override {
        command
            .add_option("--sums", sums_,
                        "on the devices, where they stay there, and as many by the host")
            ->check(CLI::Range(std::int64_t(0), most))
            ->capture_default_str();
        command.add_option("--exchanges", exchanges_, "of ghosts")
            ->check(CLI::Range(std::int64_t(0), most))
            ->capture_default_str();
        command.add_option("--halos", halos_, "made at the start, used at random")
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        command.add_option("--seed", seed_, "of all that is random")->capture_default_str();
        command.add_option("--seconds", seconds_, "to end after, about; 0: when all is done")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        const Communicator& comm = session.comm;
        const std::string transport = transport_name(comm, *device);
        Watchdog watchdog(
            comm, patience,
            fmt::format(
                "stress: a message by {} has not arrived within {:.0f} s: use --transport host{}",
                transport, patience, again(session)));
        SumCheck of_sums(comm, *device, seed_);
        ExchangeCheck of_exchanges(comm, *device,
                                   {.seed = seed_,
                                    .halos = halos_,
                                    .most_entities = std::ranges::max(session.settings.sizes)});
        std::vector<Work> works;
        if (of_sums.has_device_sums())
            works.push_back({"sum on the devices", sums_,
                             [&](std::int64_t n) { return of_sums.run_on_device(n); }});
        works.push_back({"sum by the host", sums_,
                         [&](std::int64_t n) { return of_sums.run_by_communicator(n); }});
        works.push_back(
            {"exchange", exchanges_, [&](std::int64_t n) { return of_exchanges.run(n); }});
        const Stopwatch watch;
        const std::int64_t slices = 1 + std::max(sums_ / 5000, exchanges_ / 200);
        for (std::int64_t slice = 0; slice < slices; ++slice) {
            for (Work& work : works) {
                do_slice(session, work, work.count * (slice + 1) / slices - work.done);
                watchdog.alive();
            }
            if (seconds_ > 0 && comm.max(watch.seconds()) > seconds_) break;
        }
        for (const Work& work : works)
            if (work.done > 0)
                session.results.add({{"operation", work.operation},
                                     {"transport", transport},
                                     {"count", work.done},
                                     {"seconds", work.seconds},
                                     {"wrong", 0}});
    }

  private:
    static constexpr std::int64_t most = 1'000'000'000;
    static constexpr double patience = 120;  // for a slice [s]

    void do_slice(const Session& session, Work& work, std::int64_t count) const {
        if (count == 0) return;
        const Stopwatch watch;
        const std::string wrong = work.run(count);
        work.done += count;
        work.seconds += watch.seconds();
        session.comm.agree([&] {
            if (!wrong.empty()) throw ComputationError("stress: " + wrong + again(session));
        });
    }

    std::string again(const Session& session) const {
        const Settings& s = session.settings;
        return fmt::format(
            "; again by: tools/mpirun -n {} solenoid-bench stress --device {} --transport {} "
            "--size {} --sums {} --exchanges {} --halos {} --seed {}",
            session.comm.size(), s.device, s.transport, std::ranges::max(s.sizes), sums_,
            exchanges_, halos_, seed_);
    }

    std::int64_t sums_ = 1'000'000, exchanges_ = 100'000;
    Index halos_ = 24;
    std::uint64_t seed_ = 1;
    double seconds_ = 0;
};

}  // namespace

Benchmark& stress() {
    static StressBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench

// Checkpoints: written and read, against plain writes of as many bytes on the same disk.
#include <fcntl.h>

#include <algorithm>
#include <random>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/row_partition.hpp"
#include "core/timer.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/write_checkpoint.hpp"

namespace solenoid::bench {
namespace {

namespace fs = std::filesystem;

class CheckpointBenchmark : public Benchmark {
  public:
    std::string name() const override { return "checkpoint"; }
    std::string help() const override {
        return "a checkpoint of a flow written and read, and plain writes of as many bytes, each "
               "flushed to the disk";
    }
    std::string size_help() const override { return "cells"; }
    std::vector<Index> default_sizes() const override { return {1000, 100000, 1000000}; }
    std::vector<std::string> precisions() const override { return {"double"}; }
    void add_options(CLI::App& command) override {
        command.add_option("--folder", folder_, "where the files are written, and removed again")
            ->type_name("FOLDER")
            ->check(CLI::ExistingDirectory)
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const fs::path file = fs::path(folder_) / "solenoid-bench.checkpoint";
        const fs::path plain = fs::path(folder_) / "solenoid-bench.plain";
        const Communicator& comm = session.comm;
        for (const Index cells : session.settings.sizes) {
            CheckpointHeader header;
            header.count = {cells, 4 * GlobalIndex(cells), 2 * GlobalIndex(cells), cells};
            std::vector<StateArray> arrays = state(comm, header);
            std::int64_t bytes = 0;
            std::vector<double> to_write, to_read, to_write_plainly;
            for (int k = -1; k < session.settings.repeats; ++k) {  // the first warms up
                const double write =
                    seconds(comm, [&] { write_checkpoint(comm, file, header, arrays); });
                comm.agree([&] { bytes = static_cast<std::int64_t>(fs::file_size(file)); });
                const double read = seconds(comm, [&] {
                    const CheckpointFile stored(comm, file);
                    for (StateArray& array : arrays) stored.fill(array);
                });
                const double plainly = seconds(comm, [&] { write_plainly(comm, plain, bytes); });
                if (k < 0) continue;
                to_write.push_back(write);
                to_read.push_back(read);
                to_write_plainly.push_back(plainly);
            }
            const Timing write = timing_of(to_write);
            const Timing plainly = timing_of(to_write_plainly);
            add(session, "write", cells, bytes, write, plainly.seconds / write.seconds);
            add(session, "plain write", cells, bytes, plainly, 1);
            const Timing read = timing_of(to_read);
            add(session, "verify and read", cells, bytes, read, plainly.seconds / read.seconds);
            comm.agree([&] {
                if (!comm.is_root()) return;
                fs::remove(file);
                fs::remove(plain);
            });
        }
    }

  private:
    // Eight columns of cells, two of faces. A rank has 64 numbers in a row, then those of the
    // others come; their order in memory is random.
    static std::vector<StateArray> state(const Communicator& comm, const CheckpointHeader& header) {
        std::mt19937 random(1);
        const auto array = [&](const char* name, StateArray::Of of, int columns) {
            StateArray array{name, of, columns, {}, {}};
            for (GlobalIndex n = 0; n < header.count[static_cast<int>(of) - 1]; ++n)
                if (n / 64 % comm.size() == comm.rank()) array.entity.push_back(n);
            std::shuffle(array.entity.begin(), array.entity.end(), random);
            std::vector<double> values(columns * array.entity.size());
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1 * double(i);
            array.values = std::move(values);
            return array;
        };
        std::vector<StateArray> arrays{array("velocity", StateArray::Of::cells, 3)};
        for (const auto& [name, columns] :
             {std::pair{"velocity_before", 3}, std::pair{"gradient", 2}}) {
            StateArray next = arrays.front();
            next.name = name;
            next.columns = columns;
            std::get<0>(next.values).resize(columns * next.entity.size());
            arrays.push_back(std::move(next));
        }
        arrays.push_back(array("flux", StateArray::Of::faces, 1));
        arrays.push_back(arrays.back());
        arrays.back().name = "flux_before";
        return arrays;
    }

    // Each rank writes its share of a file in pieces of 1 MiB and flushes it.
    static void write_plainly(const Communicator& comm, const fs::path& file, std::int64_t bytes) {
        comm.agree([&] {
            if (comm.is_root()) RawFile(file, O_WRONLY | O_CREAT | O_TRUNC).close();
        });
        comm.agree([&] {
            RawFile part(file, O_WRONLY);
            const std::vector<std::byte> piece(1 << 20, std::byte{1});
            const auto share = RowPartition::even(bytes, comm.size());
            for (std::int64_t at = share.first(comm.rank()); at < share.first(comm.rank() + 1);) {
                const auto length =
                    std::min<std::int64_t>(std::ssize(piece), share.first(comm.rank() + 1) - at);
                part.write_at(at, std::span(piece).first(static_cast<std::size_t>(length)));
                at += length;
            }
            part.flush();
            part.close();
        });
    }

    static double seconds(const Communicator& comm, const std::function<void()>& call) {
        comm.barrier();
        const Stopwatch watch;
        call();
        return comm.max(watch.seconds());
    }

    static void add(const Session& session, const char* operation, Index cells, std::int64_t bytes,
                    const Timing& t, double of_plain) {
        session.results.add({{"operation", operation},
                             {"cells", cells},
                             {"bytes", bytes},
                             {"seconds", t.seconds},
                             {"spread", t.relative_quartiles},
                             {"gb_per_s", double(bytes) / t.seconds * 1e-9},
                             {"of_plain_rate", of_plain}});
    }

    std::string folder_ = ".";
};

}  // namespace

Benchmark& checkpoint() {
    static CheckpointBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench

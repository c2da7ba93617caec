// Restarts from checkpoints in which one array is another: of other counts, types, values, names,
// or gone, with checksums that are right. Each is refused in words, or leaves a state of finite
// values.
//
//   changed_checkpoints COUNT SEED FIRST CASE.toml...
//
// Of each case a run is made, whose checkpoint is changed; COUNT changes follow from SEED and their
// numbers FIRST, FIRST + 1, ..., so that one can be repeated.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <vector>

#include "app/physics.hpp"
#include "core/log.hpp"
#include "fuzz/memory_meter.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/checkpoint/write_checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "run/run.hpp"

// Of the address sanitizer, where that is linked.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace solenoid::fuzz {
namespace {

namespace fs = std::filesystem;
using Of = StateArray::Of;
using Numbers = std::vector<double>;

constexpr unsigned longest = 60;                    // [s] for a change, also beside sanitizers
constexpr std::size_t most_memory = 1u << 30;       // [bytes]
constexpr std::size_t longest_message = 2000;       // characters
constexpr const char* more_steps = "time.steps=7";  // a case makes fewer

std::array<char, 1000> doing;  // what is tried, for the message of a death

void tell_what() {
    const ssize_t ignored = ::write(2, doing.data(), std::char_traits<char>::length(doing.data()));
    static_cast<void>(ignored);
}

void die(int signal) {
    tell_what();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

[[noreturn]] void finding(const std::string& what) {
    tell_what();
    std::fprintf(stderr, "finding: %s\n", what.c_str());
    std::_Exit(1);
}

// ---- the checkpoint of a case

StateArray read_array(const CheckpointFile& file, const CheckpointArray& stored) {
    StateArray array{stored.name, stored.of, stored.columns, {}, {}, stored.belongs_to};
    if (stored.of != Of::numbers) array.entity = file.numbers(stored, 0, stored.count);
    const auto read = [&]<class T>(std::vector<T> all) {
        for (int k = 0; k < stored.columns; ++k) {
            const std::vector<T> column = file.values<T>(stored, k, 0, stored.count);
            all.insert(all.end(), column.begin(), column.end());
        }
        array.values = std::move(all);
    };
    if (stored.type == CheckpointType::text)
        array.values = file.text(stored);
    else if (stored.type == CheckpointType::int64)
        read(std::vector<std::int64_t>());
    else
        read(Numbers());
    return array;
}

struct Saved {
    fs::path results;  // of the run
    std::string name;  // of the checkpoint's file
    CheckpointHeader header;
    std::vector<StateArray> arrays;
};

Saved saved_of(const Communicator& comm, const fs::path& results) {
    const auto file = CheckpointFolder(comm, results / "checkpoints").newest();
    if (!file) finding("a run has left no checkpoint");
    Saved saved{results, file->file().filename(), file->header(), {}};
    for (const CheckpointArray& array : file->arrays())
        saved.arrays.push_back(read_array(*file, array));
    return saved;
}

RunOptions options_of(const fs::path& results) {
    RunOptions options;
    options.output = results;
    options.device = "cpu";
    options.threads = 1;
    options.quiet = true;
    return options;
}

// ---- changes

class Changer {
  public:
    Changer(std::uint64_t seed, std::uint64_t number)
        : random_(seed * 0x9e3779b97f4a7c15u + number) {}

    std::size_t below(std::size_t count) { return random_() % count; }

    // Changes one of the arrays, and says how.
    std::string change(std::vector<StateArray>& arrays, const CheckpointHeader& header) {
        const std::size_t i = below(arrays.size());
        StateArray& array = arrays[i];
        const std::string of = "array \"" + array.name + "\" ";
        switch (below(10)) {
            case 0:
                arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(i));
                return of + "is gone";
            case 1:
                array.name += below(2) ? "/more" : "x";
                return of + "is renamed";
            case 2:
                return of + change_type(array);
            case 3:
                return of + change_place(array, header);
            case 4:
            case 5:
                return of + change_count(array);
            default:
                return of + change_values(array);
        }
    }

  private:
    double number() {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        const std::array<double, 36> numbers{
            NAN,  infinite, -infinite, 1e300, -1e300, 1e200,   1e150,  -1e150,       1e100,
            1e30, 1e-30,    5e-324,    0.0,   -0.0,   1.0,     -1.0,   2.0,          3.0,
            0.5,  -0.5,     1e18,      1e10,  -1e10,  2.2e9,   -2.2e9, 4294967296.0, 100.0,
            1e4,  1e6,      9.1e15,    1e19,  -1e19,  1.5e150, 1e-300, 7.0,          1e3};
        return numbers[below(numbers.size())];
    }

    static std::string change_type(StateArray& array) {
        const auto all = [&]<class T>(std::vector<T>) {
            return std::visit(
                [](const auto& values) { return std::vector<T>(values.size(), T(1)); },
                array.values);
        };
        if (array.of == Of::numbers && !std::holds_alternative<std::string>(array.values) &&
            array.name.size() % 2) {
            array.values = std::string("text");
            array.columns = 1;
            return "is a text";
        }
        if (std::holds_alternative<std::vector<std::int64_t>>(array.values))
            array.values = all(Numbers());
        else
            array.values = all(std::vector<std::int64_t>());
        return "is of another type";
    }

    // Of other entities, or in other columns.
    std::string change_place(StateArray& array, const CheckpointHeader& header) {
        const std::size_t size =
            std::visit([](const auto& values) { return values.size(); }, array.values);
        if (below(2) && size % 2 == 0 && !std::holds_alternative<std::string>(array.values)) {
            if (array.of == Of::numbers) {
                array.columns = 2;
                return "has two columns";
            }
            array.columns *= 2;
            array.entity.resize(array.entity.size() / 2);
            if (array.entity.size() * static_cast<std::size_t>(array.columns) == size)
                return "has twice the columns";
            array.columns /= 2;
        }
        array.of = static_cast<Of>(below(5));
        array.entity.clear();
        array.columns = 1;
        std::size_t count = below(4);
        if (array.of != Of::numbers) {
            count = static_cast<std::size_t>(header.count[static_cast<std::size_t>(array.of) - 1]);
            for (std::size_t k = 0; k < count; ++k)
                array.entity.push_back(static_cast<GlobalIndex>(k));
        }
        array.values = Numbers(count, 1.0);
        return "is of others";
    }

    std::string change_count(StateArray& array) {
        std::size_t count = 0;
        std::visit(
            [&](auto& values) {
                const std::size_t size = values.size();
                const std::array counts{std::size_t(0), size / 2, size - (size > 0),
                                        size + 1,       2 * size, size + 1000};
                count = counts[below(counts.size())];
                if (array.of == Of::numbers) return values.resize(count);
                // fewer entities, or others
                const std::size_t entries = array.entity.size(),
                                  kept = std::min(entries, count / array.columns);
                if (kept == entries) {
                    for (GlobalIndex& number : array.entity) ++number;
                    array.entity.pop_back();
                } else {
                    array.entity.resize(kept);
                }
                values.resize(array.entity.size() * array.columns);
            },
            array.values);
        return "has another count (" + std::to_string(count) + ")";
    }

    std::string change_values(StateArray& array) {
        if (auto* text = std::get_if<std::string>(&array.values)) return change_text(*text);
        std::string how;
        std::visit(
            [&]<class Values>(Values& values) {
                if constexpr (!std::is_same_v<Values, std::string>) {
                    using T = typename Values::value_type;
                    if (values.empty()) {
                        how = "is as it was";
                        return;
                    }
                    const std::size_t at = below(values.size());
                    if (below(5) == 0) {
                        values[at] += static_cast<T>(below(2) ? 1 : -1);
                        how = "has a value one off";
                        return;
                    }
                    const double to = number();
                    const T value = std::is_floating_point_v<T> ? static_cast<T>(to)
                                    : std::abs(to) < 9e18       ? static_cast<T>(to)
                                                                : T(-7);
                    how = "has " + std::to_string(to);
                    if (below(3) == 0)
                        std::ranges::fill(values, value);
                    else
                        values[at] = value;
                }
            },
            array.values);
        return how;
    }

    std::string change_text(std::string& text) {
        constexpr std::array texts{"stop_at_step=x\n",
                                   "stop_at_step=99999999999999999999\n",
                                   "stop_at_time=nan\n",
                                   "stop_at_time=1e999\n",
                                   "time.end=-1\n",
                                   "physics=\"heat\"\n",
                                   "time.end\n",
                                   "\n\n\n",
                                   "=\n",
                                   "[[[\n",
                                   "rows 9223372036854775807 in 0 bytes, hash 0\n",
                                   "rows 1 in 9223372036854775807 bytes, hash 0\n",
                                   "rows -1 in -1 bytes, hash ffff\n",
                                   "rows 2 in 0 bytes, hash 0\nx",
                                   "time.end=1e300\n",
                                   "output.interval=1e-300\n"};
        const std::size_t how = below(4);
        if (how == 0) {
            text = texts[below(texts.size())];
        } else if (how == 1 || text.empty()) {
            text.insert(below(text.size() + 1), 1 + below(300), static_cast<char>(below(256)));
        } else if (how == 2) {
            text[below(text.size())] = static_cast<char>(below(256));
        } else {
            text.resize(below(text.size()));
        }
        return "has another text";
    }

    std::mt19937_64 random_;
};

// ---- a restart

struct Tally {
    std::size_t refused = 0, failed = 0, went_on = 0, memory = 0;
    double seconds = 0;  // the longest
};

// What a trigger has seen may be any number; what is infinite says so.
void check_state(const Saved& saved) {
    for (const StateArray& array : saved.arrays)
        if (const auto* values = std::get_if<Numbers>(&array.values))
            for (const double value : *values)
                if (array.of == Of::numbers ? std::isnan(value) && !array.name.ends_with("/seen")
                                            : !std::isfinite(value))
                    finding("it has left a state with " + std::to_string(value) + " in \"" +
                            array.name + '"');
}

void try_restart(const Communicator& comm, const fs::path& results, Tally& tally) {
    RunOptions options = options_of(results);
    options.precision.clear();
    options.overrides = {more_steps};
    const auto started = std::chrono::steady_clock::now();
    const MemoryMeter meter;
    ::alarm(longest);
    try {
        run(comm, options, all_physics());
        ++tally.went_on;
        check_state(saved_of(comm, results));
    } catch (const Error& error) {
        ++(error.exit_code() == 2 ? tally.refused : tally.failed);
        const std::string message = error.what();
        if (message.size() < 20 || message.size() > longest_message)
            finding("a message of " + std::to_string(message.size()) + " characters: " + message);
        if (error.exit_code() != 1 && error.exit_code() != 2)
            finding("exit code " + std::to_string(error.exit_code()) + ": " + message);
        if (error.exit_code() == 2 && message.find(results.string()) == std::string::npos)
            finding("a message without the file: " + message);
        if (!dynamic_cast<const AgreedError*>(&error) && error.exit_code() == 2)
            finding("an error that the ranks did not agree on: " + message);
    } catch (const std::exception& error) {
        finding(error.what());
    }
    ::alarm(0);
    tally.memory = std::max(tally.memory, meter.most());
    if (meter.most() > most_memory) finding(std::to_string(meter.most()) + " bytes at once");
    tally.seconds =
        std::max(tally.seconds,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
}

int all(int argc, char** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: changed_checkpoints COUNT SEED FIRST CASE.toml...\n");
        return 2;
    }
    const auto whole = [](const char* text) { return std::strtoull(text, nullptr, 10); };
    const std::uint64_t count = whole(argv[1]), seed = whole(argv[2]), first = whole(argv[3]);
    const Communicator comm = Communicator::self();
    const fs::path scratch =
        fs::temp_directory_path() / ("solenoid-changed-" + std::to_string(::getpid()));
    fs::create_directories(scratch);
    for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, die);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell_what);
    log::configure(true, true);
    std::vector<Saved> cases;
    Tally tally;
    const fs::path folder = scratch / "out";
    for (int i = 4; i < argc; ++i) {
        RunOptions options = options_of(scratch / fs::path(argv[i]).stem());
        options.case_file = argv[i];
        run(comm, options, all_physics());
        cases.push_back(saved_of(comm, options.output));
        std::snprintf(doing.data(), doing.size(), "%s as it is\n", argv[i]);
        fs::remove_all(folder);
        fs::copy(options.output, folder, fs::copy_options::recursive);
        try_restart(comm, folder, tally);
        if (tally.went_on != cases.size()) finding("an unchanged checkpoint is not taken");
    }
    tally = {};
    for (std::uint64_t n = first; n < first + count; ++n) {
        Changer changer(seed, n);
        const Saved& saved = cases[changer.below(cases.size())];
        std::vector<StateArray> arrays = saved.arrays;
        const std::string how = changer.change(arrays, saved.header);
        std::snprintf(doing.data(), doing.size(), "change %llu of seed %llu: of %s, %s\n",
                      static_cast<unsigned long long>(n), static_cast<unsigned long long>(seed),
                      saved.results.filename().c_str(), how.c_str());
        fs::remove_all(folder);
        fs::copy(saved.results, folder, fs::copy_options::recursive);
        write_checkpoint(comm, folder / "checkpoints" / saved.name, saved.header, arrays);
        try_restart(comm, folder, tally);
    }
    std::error_code ignored;
    fs::remove_all(scratch, ignored);
    std::printf(
        "%llu changes of seed %llu: %zu refused, %zu ended in an error of the run, %zu went "
        "on; at most %.1f MB and %.2f s for one\n",
        static_cast<unsigned long long>(count), static_cast<unsigned long long>(seed),
        tally.refused, tally.failed, tally.went_on, 1e-6 * double(tally.memory), tally.seconds);
    return 0;
}

}  // namespace
}  // namespace solenoid::fuzz

int main(int argc, char** argv) {
    const solenoid::MpiSession session(argc, argv);
    return solenoid::fuzz::all(argc, argv);
}

// The entry of libFuzzer, and the bounds of each input: memory, and the errors that may come.
#include "fuzz/target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "core/error.hpp"
#include "core/log.hpp"
#include "fuzz/memory_meter.hpp"

namespace solenoid::fuzz {
namespace {

namespace fs = std::filesystem;

// What a reader may take (docs/reliability.md).
constexpr std::size_t memory_at_least = 200 << 20, memory_per_byte = 20;  // [bytes]
constexpr std::size_t longest_message = 50000;                            // characters

struct Figures {
    std::size_t inputs = 0, most_memory = 0;
    double longest = 0;  // [s]

    ~Figures() {
        std::fprintf(stderr, "fuzz: %zu inputs, at most %.2f MB and %.3f s for one\n", inputs,
                     1e-6 * static_cast<double>(most_memory), longest);
    }
};

struct Folder {
    fs::path path;

    Folder() {
        const fs::path memory = "/dev/shm";
        path = (access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) /
               ("solenoid-fuzz-" + std::to_string(getpid()));
        fs::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

}  // namespace

void finding(const std::string& what) {
    std::fprintf(stderr, "fuzz: finding: %s\n", what.c_str());
    std::error_code ignored;
    fs::remove_all(scratch_folder(), ignored);
    std::abort();
}

bool accepts(const std::string& place, const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const Error& error) {
        const std::string message = error.what();
        if (error.exit_code() != 2) finding("not an error of the input: " + message);
        if (!message.starts_with(place))
            finding("a message that does not begin with " + place + ": " + message);
        if (message.size() > longest_message)
            finding("a message of " + std::to_string(message.size()) +
                    " characters: " + message.substr(0, 300));
    } catch (const std::exception& error) {
        finding(std::string("an exception that is no Error: ") + error.what());
    }
    return false;
}

const fs::path& scratch_folder() {
    static const Folder folder;
    return folder.path;
}

fs::path scratch_file(const std::string& name, std::string_view bytes) {
    const fs::path path = scratch_folder() / name;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    int file = open(path.c_str(), flags, 0600);
    if (file < 0) {
        fs::create_directories(path.parent_path());
        file = open(path.c_str(), flags, 0600);
    }
    if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        std::fprintf(stderr, "fuzz: cannot write %s\n", path.c_str());
        std::exit(1);
    }
    close(file);
    return path;
}

}  // namespace solenoid::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace solenoid::fuzz;
    using Clock = std::chrono::steady_clock;
    static Figures figures;
    solenoid::log::configure(true, true);
    const MemoryMeter meter;
    const auto start = Clock::now();
    read_input({reinterpret_cast<const char*>(data), size});
    const std::size_t most = meter.most();
    if (most > memory_at_least + memory_per_byte * size)
        finding(std::to_string(most) + " bytes of memory for an input of " + std::to_string(size));
    ++figures.inputs;
    figures.most_memory = std::max(figures.most_memory, most);
    figures.longest =
        std::max(figures.longest, std::chrono::duration<double>(Clock::now() - start).count());
    return 0;
}

#include "io/files/output_folder.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* remedy =
    "choose another folder with --output, or give this one write permission and space";

void write_probe(const fs::path& folder, const fs::path& probe) {
    try {
        fs::create_directories(folder);
        write_atomically(probe, "probe\n");
    } catch (const fs::filesystem_error& error) {
        throw InputError(folder.string(),
                         fmt::format("cannot be made: {}; {}", error.code().message(), remedy));
    } catch (const Error& error) {
        throw InputError(folder.string(),
                         fmt::format("cannot be written to ({}); {}", error.what(), remedy));
    }
}

// Waits for a file: network file systems may show it to other hosts after some seconds.
bool appears(const fs::path& file) {
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    std::error_code ignored;
    while (!fs::exists(file, ignored)) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(50ms);
    }
    return true;
}

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

// Whether text is NAME_000123.
bool is_state(std::string_view text, std::string_view name) {
    return take_prefix(text, name) && take_prefix(text, "_") && text.size() >= 6 &&
           all_digits(text);
}

// Whether text is NAME_000123_R.vtu for the folder NAME_000123.
bool is_piece(std::string_view text, std::string_view state) {
    take_suffix(text, ".part");
    return take_suffix(text, ".vtu") && take_prefix(text, state) && take_prefix(text, "_") &&
           all_digits(text);
}

bool is_result(std::string_view text, std::string_view name) {
    take_suffix(text, ".part");
    if (text == "summary.json" || text == std::string(name) + ".pvd") return true;
    return take_suffix(text, ".pvtu") && is_state(text, name);
}

std::vector<fs::directory_entry> entries(const fs::path& folder) {
    return {fs::directory_iterator(folder), fs::directory_iterator()};
}

void remove_pieces(const fs::path& state_folder) {
    const std::string state = state_folder.filename().string();
    for (const auto& entry : entries(state_folder))
        if (entry.is_regular_file() && is_piece(entry.path().filename().string(), state))
            fs::remove(entry.path());
    if (fs::is_empty(state_folder)) fs::remove(state_folder);
}

}  // namespace

OutputFolder::OutputFolder(const Communicator& comm, fs::path folder, std::string case_name)
    : comm_(comm), folder_(std::move(folder)), case_name_(std::move(case_name)) {
    std::string name = fmt::format(".solenoid-probe-{}", ::getpid());
    comm_.broadcast(name);
    const fs::path probe = folder_ / name;
    comm_.agree([&] {
        if (comm_.is_root()) write_probe(folder_, probe);
    });
    comm_.agree([&] {
        if (appears(probe)) return;
        throw InputError(
            folder_.string(),
            fmt::format(
                "not shared by all hosts: {} does not see what rank 0 wrote there; choose a "
                "folder on a shared file system",
                comm_.host_name()));
    });
    if (comm_.is_root()) {
        std::error_code ignored;
        fs::remove(probe, ignored);
    }
}

void OutputFolder::remove_old_results() const {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        try {
            // Removes the index first, so that an interrupted removal leaves no list of missing
            // files.
            fs::remove(folder_ / (case_name_ + ".pvd"));
            for (const auto& entry : entries(folder_)) {
                const std::string name = entry.path().filename().string();
                if (entry.is_regular_file() && is_result(name, case_name_))
                    fs::remove(entry.path());
                if (entry.is_directory() && is_state(name, case_name_)) remove_pieces(entry.path());
            }
        } catch (const fs::filesystem_error& error) {
            throw InputError(error.path1().string(),
                             fmt::format("an earlier result cannot be removed: {}; {}",
                                         error.code().message(), remedy));
        }
    });
}

}  // namespace solenoid

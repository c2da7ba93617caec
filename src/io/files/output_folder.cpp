#include "io/files/output_folder.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/results.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* remedy =
    "choose another folder with --output, or give this one write permission and space";

// The folders that are missing, the outermost first.
std::vector<fs::path> missing_folders(const fs::path& folder) {
    std::vector<fs::path> missing;
    std::error_code ignored;
    for (fs::path p = fs::absolute(folder).lexically_normal();
         !p.empty() && !fs::exists(p, ignored); p = p.parent_path())
        missing.push_back(p);
    std::ranges::reverse(missing);
    return missing;
}

std::vector<fs::path> write_probe(const fs::path& folder, const fs::path& probe) {
    try {
        std::vector<fs::path> made = missing_folders(folder);
        fs::create_directories(folder);
        write_atomically(probe, "probe\n");
        return made;
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

void remove_empty(std::vector<fs::path> folders) {
    std::ranges::reverse(folders);
    std::error_code not_empty;
    for (const fs::path& folder : folders) fs::remove(folder, not_empty);
}

// Folders of results that are something else.
void check_inner_folders(const fs::path& folder) {
    for (const char* name : {"monitors", "pictures", "checkpoints"}) {
        std::error_code ignored;
        const fs::path inner = folder / name;
        if (fs::exists(inner, ignored) && !fs::is_directory(inner, ignored))
            throw InputError(inner.string(),
                             "is no folder, and results go into one of this name: rename it, or "
                             "choose another folder with --output");
    }
}

}  // namespace

std::vector<fs::path> make_shared_folder(const Communicator& comm, const fs::path& folder) {
    std::string name = fmt::format(".solenoid-probe-{}", ::getpid());
    comm.broadcast(name);
    const fs::path probe = folder / name;
    std::vector<fs::path> made;
    comm.agree([&] {
        if (comm.is_root()) made = write_probe(folder, probe);
    });
    comm.agree([&] {
        if (appears(probe)) return;
        throw InputError(
            folder.string(),
            fmt::format(
                "not shared by all hosts: {} does not see what rank 0 wrote there; choose a "
                "folder on a shared file system",
                comm.host_name()));
    });
    if (comm.is_root()) {
        std::error_code ignored;
        fs::remove(probe, ignored);
    }
    return made;
}

OutputFolder::OutputFolder(const Communicator& comm, fs::path folder, const std::string& of_case,
                           EarlierResults earlier)
    : comm_(comm),
      folder_(std::move(folder)),
      made_(make_shared_folder(comm, folder_)),
      earlier_(earlier) {
    try {
        comm_.agree([&] {
            if (comm_.is_root()) open(of_case);
        });
    } catch (...) {
        lock_.reset();
        remove_empty(made_);
        throw;
    }
    has_earlier_ = comm_.any(has_earlier_);
}

// On the root.
void OutputFolder::open(const std::string& of_case) {
    lock_.emplace(folder_, of_case);
    if (!lock_->note().empty()) log::warning("{}: {}", folder_.string(), lock_->note());
    try {
        if (has_set_aside(folder_)) {
            bring_back(folder_);
            log::warning(
                "{}: the last run was killed before its first step ended: the results "
                "before it are back",
                folder_.string());
        }
        check_inner_folders(folder_);
        const std::vector<fs::path> results = results_in(folder_);
        has_earlier_ = !results.empty();
        if (has_earlier_ && earlier_ == EarlierResults::refuse)
            throw InputError(folder_.string(),
                             fmt::format("holds results of an earlier run ({}): add --overwrite to "
                                         "replace them, or choose another folder with --output",
                                         description_of_results(results)));
    } catch (const fs::filesystem_error& error) {
        throw InputError(folder_.string(),
                         fmt::format("cannot be read: {}; {}", error.code().message(), remedy));
    }
}

OutputFolder::~OutputFolder() {
    if (!comm_.is_root()) return;
    try {
        if (has_earlier_ && has_begun_) bring_back(folder_);
    } catch (const std::exception& error) {
        log::warning(
            "{}: earlier results could not be put back ({}): they are in a hidden folder "
            "of it",
            folder_.string(), error.what());
    }
    lock_.reset();
    remove_empty(made_);
}

void OutputFolder::begin() {
    if (has_begun_) {
        comm_.agree([&] {
            if (comm_.is_root() && lock_->is_lost())
                throw ComputationError(
                    folder_.string() +
                    ": another run has taken this folder over, since this one stood still for "
                    "long: choose another folder with --output");
        });
        return;
    }
    has_begun_ = true;
    if (earlier_ == EarlierResults::continue_) has_earlier_ = false;  // they are the run's own
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        try {
            if (has_earlier_) set_aside(folder_);
            remove_leftovers(folder_);
        } catch (const fs::filesystem_error& error) {
            throw InputError(error.path1().string(),
                             fmt::format("an earlier result cannot be removed: {}; {}",
                                         error.code().message(), remedy));
        }
        if (first_) first_();
    });
}

void OutputFolder::keep() {
    if (!has_earlier_ || !has_begun_) return;
    has_earlier_ = false;
    if (!comm_.is_root()) return;
    try {
        remove_set_aside(folder_);
    } catch (const fs::filesystem_error& error) {
        log::warning("{}: earlier results cannot be removed: {}", error.path1().string(),
                     error.code().message());
    }
}

}  // namespace solenoid

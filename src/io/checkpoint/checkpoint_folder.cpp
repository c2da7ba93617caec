#include "io/checkpoint/checkpoint_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "step-", suffix = ".checkpoint";

// The step in a file's name, or -1.
std::int64_t step_of(const std::string& name) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
        name.size() <= prefix.size() + suffix.size())
        return -1;
    const char* end = name.data() + name.size() - suffix.size();
    std::int64_t step = -1;
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, step);
    return error == std::errc() && stop == end && step >= 0 ? step : -1;
}

}  // namespace

CheckpointFolder::CheckpointFolder(const Communicator& comm, fs::path folder, int keep)
    : comm_(comm), folder_(std::move(folder)), keep_(std::max(1, keep)) {}

fs::path CheckpointFolder::file(std::int64_t step) const {
    return folder_ / fmt::format("{}{:010}{}", prefix, step, suffix);
}

std::vector<std::int64_t> CheckpointFolder::steps() const {
    std::vector<std::int64_t> found;
    comm_.agree([&] {
        std::error_code error;
        if (!comm_.is_root() || !fs::exists(folder_, error)) return;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::int64_t step = step_of(entry.path().filename().string());
            if (step >= 0 && entry.path() == file(step)) found.push_back(step);
        }
        std::sort(found.rbegin(), found.rend());
    });
    return gathered(comm_, found);
}

// The name of a new folder is flushed to the disk, as those in it are. Where it cannot be, the
// folder goes, so that the next attempt makes and flushes it.
void CheckpointFolder::make_folder() const {
    comm_.agree([&] {
        std::error_code error;
        if (!comm_.is_root() || !fs::create_directories(folder_, error)) {
            if (error)
                throw ComputationError(folder_.string() + ": cannot be made: " + error.message());
            return;
        }
        const fs::path above = fs::absolute(folder_ / ".").parent_path().parent_path();
        try {
            RawFile(above, O_RDONLY | O_DIRECTORY).flush();
        } catch (const Error&) {
            fs::remove(folder_, error);
            throw;
        }
    });
}

// What cannot be removed is said and stays.
void CheckpointFolder::remove_others(std::int64_t step) const {
    int kept = 0;
    for (const std::int64_t other : steps()) {
        if (other <= step && kept++ < keep_) continue;
        std::error_code error;
        if (comm_.is_root()) fs::remove(file(other), error);
        if (error) log::warning("{}: cannot be removed: {}", file(other).string(), error.message());
    }
    if (!comm_.is_root()) return;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        const fs::path& path = entry.path();
        if (path.extension() == ".part" && step_of(path.stem().string()) >= 0)
            fs::remove(path, error);
    }
}

void CheckpointFolder::write(const CheckpointHeader& header, const EachArray& arrays) const {
    make_folder();
    write_checkpoint(comm_, file(header.step), header, arrays);
    remove_others(header.step);
}

void CheckpointFolder::write(const CheckpointHeader& header,
                             std::span<const StateArray> arrays) const {
    make_folder();
    write_checkpoint(comm_, file(header.step), header, arrays);
    remove_others(header.step);
}

std::unique_ptr<CheckpointFile> CheckpointFolder::newest() const {
    std::string refused;
    for (const std::int64_t step : steps()) {
        try {
            auto found = std::make_unique<CheckpointFile>(comm_, file(step));
            if (!refused.empty() && comm_.is_root())
                log::warning("{}; going on from step {} ({})", refused, found->header().step,
                             found->file().string());
            return found;
        } catch (const AgreedError& error) {
            if (error.exit_code() != 2) throw;
            refused += (refused.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    if (refused.empty()) return nullptr;
    comm_.agree([&] { throw InputError(refused + "; no checkpoint is whole"); });
    return nullptr;
}

}  // namespace solenoid

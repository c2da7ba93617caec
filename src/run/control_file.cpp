#include "run/control_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest = 1 << 20;  // bytes of a request

// What tells a file from what it was; empty: there is none, or it is empty or no plain one.
std::string state_of(const fs::path& file) {
    struct stat s {};
    if (lstat(file.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_size == 0) return "";
    return fmt::format("{} {} {}.{}", s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

// Seconds since the file was last written to, by this host's clock.
double age_of(const fs::path& file) {
    struct stat s {};
    if (lstat(file.c_str(), &s) != 0) return 0;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec - s.st_mtim.tv_sec) +
           1e-9 * static_cast<double>(now.tv_nsec - s.st_mtim.tv_nsec);
}

std::string text_of(const fs::path& file) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        throw InputError(file.string(),
                         fmt::format("cannot be read: {}; give the program's user the right to, "
                                     "and write it anew",
                                     std::strerror(errno)));
    std::string text(largest + 1, '\0');
    std::size_t size = 0;
    ssize_t count = 0;
    while (size < text.size() &&
           ((count = read(descriptor, text.data() + size, text.size() - size)) > 0 ||
            (count < 0 && errno == EINTR)))
        if (count > 0) size += static_cast<std::size_t>(count);
    close(descriptor);
    text.resize(size);
    if (size > largest)
        throw InputError(file.string(), "larger than 1 MiB: not a request, write it anew");
    return text;
}

}  // namespace

ControlFile::ControlFile(fs::path folder, double seconds_ago) : folder_(std::move(folder)) {
    const fs::path file = folder_ / name;
    if (state_of(file).empty() || age_of(file) <= seconds_ago) return;
    try {
        answer(take(), false, "not done: it was there before the run; rename it to ask this one");
        log::warning("{}: it was there before the run, which does not do it; it is {} now",
                     file.string(), refused);
    } catch (const InputError& error) {
        log::warning("{}", error.what());
    }
}

bool ControlFile::waits() {
    if (has_looked_ && since_look_.seconds() < look_seconds) return false;
    has_looked_ = true;
    since_look_.restart();
    const fs::path file = folder_ / name;
    const std::string state = state_of(file);
    const bool is_finished = state == last_ || age_of(file) >= look_seconds;
    last_ = state;
    return !state.empty() && state != not_taken_ && is_finished;
}

std::string ControlFile::take() {
    const fs::path file = folder_ / name, taken = folder_ / done;
    not_taken_ = state_of(file);  // is not tried again
    if (std::rename(file.c_str(), taken.c_str()) != 0)
        throw InputError(file.string(),
                         fmt::format("cannot be renamed to {}: {}; give the program's user the "
                                     "right to write in the folder",
                                     done, std::strerror(errno)));
    return text_of(taken);
}

void ControlFile::answer(const std::string& text, bool is_done,
                         const std::string& comment) noexcept {
    try {
        const std::string end = text.empty() || text.ends_with('\n') ? "" : "\n";
        write_atomically(folder_ / (is_done ? done : refused), text + end + "# " + comment + "\n");
        std::error_code ignored;
        fs::remove(folder_ / (is_done ? refused : done), ignored);
    } catch (const std::exception& error) {
        log::warning("the answer to {} is missing: {}", name, error.what());
    }
}

}  // namespace solenoid

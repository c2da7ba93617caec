#include "io/files/unwritten.hpp"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <thread>

#include "core/log.hpp"
#include "io/files/atomic_file.hpp"

namespace solenoid {
namespace {

struct Unwritten {
    std::map<std::filesystem::path, std::string> files;  // what is missing of each
    std::string last_reason;                             // that was warned of
};
Unwritten& state() {
    static Unwritten state;
    return state;
}

}  // namespace

std::vector<double> pauses_of_trials() {
    return state().files.empty() ? std::vector<double>{0, 0.2, 1} : std::vector<double>{0};
}

bool write_or_note(const std::filesystem::path& file, const std::function<void()>& write,
                   const std::string& what) {
    std::string why;
    for (const double pause : pauses_of_trials()) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        try {
            write();
            why.clear();
            break;
        } catch (const WriteError& error) {
            why = error.what();
        }
    }
    note_written(file, why, what);
    return why.empty();
}

void note_written(const std::filesystem::path& file, const std::string& why,
                  const std::string& what) {
    Unwritten& s = state();
    if (why.empty()) {
        if (s.files.erase(file) > 0 && s.files.empty()) {
            s.last_reason.clear();
            log::info("         output is written again");
        }
        return;
    }
    // one warning for each failure of the disk, not for each file of each step
    if (s.files.empty() || (!s.files.contains(file) && why != s.last_reason)) {
        log::warning("{}; the run goes on, and tries again with the next output", why);
        s.last_reason = why;
    }
    s.files[file] = what;
}

std::vector<std::string> unwritten() {
    std::vector<std::string> texts;
    for (const auto& [file, what] : state().files)
        texts.push_back(what.empty() ? file.string()
                                     : fmt::format("{} of {}", what, file.string()));
    return texts;
}

}  // namespace solenoid

// control.toml in a run's folder: a request that is taken once and answered beside it. Rank 0 alone
// has one.
#pragma once

#include <filesystem>
#include <string>

#include "core/timer.hpp"

namespace solenoid {

class ControlFile {
  public:
    static constexpr const char* name = "control.toml";
    // Where a request goes that was carried out, and one that was not.
    static constexpr const char *done = "control.done.toml", *refused = "control.refused.toml";

    // seconds_ago: when the run started; a file from before is no request to it and is set aside.
    ControlFile(std::filesystem::path folder, double seconds_ago);

    // Whether a request waits. Looks at the folder every look_seconds at most. A file that is empty
    // or was written to within that time may not be finished: it waits for a next look.
    bool waits();
    static constexpr double look_seconds = 0.2;

    // The request's text. It then has the name of one that was carried out, so that no run takes it
    // again. Throws InputError where it cannot be taken.
    std::string take();
    // Writes the answer behind the text, as a comment. Does not throw: a disk may be full.
    void answer(const std::string& text, bool is_done, const std::string& comment) noexcept;

  private:
    std::filesystem::path folder_;
    Stopwatch since_look_;
    bool has_looked_ = false;
    std::string last_, not_taken_;  // states of the file: at the last look, where it was tried
};

}  // namespace solenoid

#include "run/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/log.hpp"

namespace solenoid {
namespace {

std::string clock_time(double seconds) {
    constexpr double day = 86400, most = 1000 * day;
    if (!(seconds < most)) return "over 1000 days";
    if (seconds >= 2 * day) return fmt::format("{:.0f} days", seconds / day);
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
    if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} s", whole);
}

// mpirun gives its ranks pseudo-terminals even where its own output goes elsewhere.
bool is_started_by_mpirun() { return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr; }

// The columns of the terminal that shows the output; 0 for a file or a pipe.
int terminal_columns() {
    const std::string path =
        is_started_by_mpirun() ? fmt::format("/proc/{}/fd/1", getppid()) : "/proc/self/fd/1";
    struct stat status {};
    if (!isatty(STDOUT_FILENO) || stat(path.c_str(), &status) != 0 || !S_ISCHR(status.st_mode))
        return 0;
    const int terminal = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return 0;
    winsize size{};
    const bool is_terminal = ioctl(terminal, TIOCGWINSZ, &size) == 0;
    close(terminal);
    if (!is_terminal) return 0;
    return size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(bool shown) : shown_(shown), columns_(shown ? terminal_columns() : 0) {}

Progress::~Progress() { clear(); }

void Progress::show(double fraction, double seconds_left, const std::string& what) {
    const double elapsed = watch_.seconds();
    const bool is_due = elapsed >= next_ || fraction >= 1;
    if (!shown_ || !is_due) return;
    next_ = elapsed + (columns_ ? 0.2 : std::clamp(0.1 * elapsed, 1.0, 60.0));
    fraction = std::clamp(fraction, 0.0, 1.0);
    const bool tell_left = elapsed > 1 && fraction < 1;
    const std::string left = tell_left ? ", " + clock_time(seconds_left) + " left" : "";
    const std::string text = fmt::format("{:3.0f} %  {}{}", 100 * fraction, what, left);
    if (columns_)
        draw(fraction, text);
    else
        log::info("{}", text);
}

// Draws the bar into the rest of the line.
void Progress::draw(double fraction, const std::string& text) {
    const int room = columns_ - 1;
    const int width = std::min(30, room - static_cast<int>(text.size()) - 3);
    std::string line = text;
    if (width >= 5) {
        const int done = static_cast<int>(std::lround(fraction * width));
        line =
            fmt::format("[{}{}] {}", std::string(done, '#'), std::string(width - done, '.'), text);
    }
    fmt::print("\r\033[K{}", line.substr(0, room));
    std::fflush(stdout);
    drawn_ = true;
}

void Progress::clear() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stdout);
    std::fflush(stdout);
    drawn_ = false;
}

}  // namespace solenoid

#include "core/log.hpp"

#include <cstdio>

#include "core/plain_text.hpp"

namespace solenoid::log {
namespace {
bool is_silent = false;
bool is_quiet = false;
}  // namespace

void configure(bool silent, bool quiet) {
    is_silent = silent;
    is_quiet = quiet;
}

void print(const std::string& line) {
    if (is_silent || is_quiet) return;
    std::fputs((without_controls(line) + "\n").c_str(), stdout);
    std::fflush(stdout);
}

void caution(const std::string& line) {
    if (is_silent) return;
    std::fflush(stdout);
    std::fputs(("warning: " + without_controls(line) + "\n").c_str(), stderr);
}

}  // namespace solenoid::log

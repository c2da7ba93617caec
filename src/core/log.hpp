// Messages to the terminal. Only rank 0 prints; warnings go to standard error.
#pragma once

#include <fmt/core.h>

#include <string>

namespace solenoid::log {

// Called once by the app. silent: prints nothing (ranks > 0). quiet: prints warnings only.
void configure(bool silent, bool quiet);

void print(const std::string& line);    // to standard output, flushed; nothing when quiet
void caution(const std::string& line);  // "warning: ..." to standard error

template <class... T>
void info(fmt::format_string<T...> format, T&&... values) {
    print(fmt::format(format, std::forward<T>(values)...));
}

template <class... T>
void warning(fmt::format_string<T...> format, T&&... values) {
    caution(fmt::format(format, std::forward<T>(values)...));
}

}  // namespace solenoid::log

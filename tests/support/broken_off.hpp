// Set-ups that a signal breaks off.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstddef>
#include <functional>

#include "core/error.hpp"
#include "core/stop_signal.hpp"

namespace solenoid::test {

// How often a set-up calls evaluated() once more when a signal was heard at call number `at`: what
// it still evaluates before it ends with exit code 3.
inline std::size_t calls_after_stop(
    std::size_t at, const std::function<void(const std::function<void()>& evaluated)>& set_up) {
    catch_signals();
    set_stop_patience(HUGE_VAL);
    std::raise(SIGTERM);
    std::size_t calls = 0;
    int code = 0;
    try {
        set_up([&] {
            if (++calls == at) set_stop_patience(0);
        });
    } catch (const Error& error) {
        code = error.exit_code();
    }
    set_stop_patience(HUGE_VAL);
    EXPECT_EQ(code, stopped_exit_code) << "of " << calls << " calls, stopped at " << at;
    EXPECT_GE(calls, at);
    return calls - at;
}

}  // namespace solenoid::test

// What signals ask for, in processes of their own: each test forks, since a request stays.
#include "core/stop_signal.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <functional>

namespace solenoid::stop_signal_test {
namespace {

// The exit code of a child that runs `action`; 128 + n where signal n killed it.
int in_a_child(const std::function<int()>& action) {
    const pid_t child = fork();
    if (child == 0) {
        for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, SIG_DFL);
        _exit(action());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(StopSignal, IsEachOfFive) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR2}) {
        EXPECT_EQ(in_a_child([&] {
                      catch_signals();
                      if (stop_requested() || stop_signal() != 0) return 1;
                      raise(number);
                      return stop_requested() && !save_requested() ? stop_signal() : 2;
                  }),
                  number);
    }
    EXPECT_EQ(name_of_signal(SIGXCPU), "SIGXCPU");
    EXPECT_EQ(name_of_signal(SIGUSR2), "SIGUSR2");
}

TEST(StopSignal, OfTheFirstCounts) {
    EXPECT_EQ(in_a_child([] {
                  catch_signals();
                  raise(SIGUSR2);
                  raise(SIGTERM);
                  return stop_signal();
              }),
              SIGUSR2);
}

TEST(StopSignal, IsOverdueAfterThePatience) {
    EXPECT_EQ(in_a_child([] {
                  catch_signals();
                  if (stop_is_overdue()) return 1;
                  raise(SIGTERM);
                  if (!stop_is_overdue()) return 2;  // no patience at first
                  set_stop_patience(100);
                  if (stop_is_overdue()) return 3;
                  raise(SIGTERM);  // a launcher's second one
                  if (stop_is_overdue()) return 4;
                  usleep(1'100'000);
                  raise(SIGTERM);  // a user's
                  if (!stop_is_overdue()) return 5;
                  set_stop_patience(HUGE_VAL);
                  return stop_is_overdue() ? 6 : 0;
              }),
              0);
}

TEST(StopSignal, BreaksOffWhatMayBeBrokenOff) {
    EXPECT_EQ(in_a_child([] {
                  catch_signals();
                  const auto goes_on = [] {
                      try {
                          break_off_if_overdue();
                          return true;
                      } catch (const Stopped&) {
                          return false;
                      }
                  };
                  {
                      const Breakable breakable;
                      if (!goes_on()) return 1;
                      raise(SIGTERM);
                      if (goes_on()) return 2;
                      set_stop_patience(100);
                      if (!goes_on()) return 3;
                      set_stop_patience(0);
                  }
                  return goes_on() ? 0 : 4;
              }),
              0);
}

TEST(StopSignal, OfSavingAsksForNoEnd) {
    EXPECT_EQ(in_a_child([] {
                  catch_signals();
                  if (save_requested()) return 1;
                  raise(SIGUSR1);
                  if (stop_requested() || !save_requested()) return 2;
                  if (save_requested()) return 3;  // asked once
                  save_was_done();
                  raise(SIGUSR1);  // the same one, handed on late
                  return save_requested() ? 4 : 0;
              }),
              0);
}

// A pipe that nobody reads and a file that grows too large are errors of the writer.
TEST(StopSignal, IsNoneOfWriting) {
    EXPECT_EQ(in_a_child([] {
                  catch_signals();
                  int ends[2];
                  if (pipe(ends) != 0) return 1;
                  close(ends[0]);
                  if (write(ends[1], "x", 1) != -1 || errno != EPIPE) return 2;
                  raise(SIGXFSZ);
                  return stop_requested() ? 3 : 0;
              }),
              0);
}

// What a shell lets a background process ignore stays ignored, as under nohup.
TEST(StopSignal, IsNotCaughtWhereTheProcessIgnoresIt) {
    EXPECT_EQ(in_a_child([] {
                  std::signal(SIGHUP, SIG_IGN);
                  catch_signals();
                  raise(SIGHUP);
                  return stop_requested() ? 1 : 0;
              }),
              0);
}

}  // namespace
}  // namespace solenoid::stop_signal_test

// The progress of a run: a bar with the remaining time on a terminal, a line from time to time in a
// log file.
#pragma once

#include <string>

#include "core/timer.hpp"

namespace solenoid {

class Progress {
  public:
    explicit Progress(bool shown);
    ~Progress();
    // fraction: of the run, 0 to 1. seconds_left: wall-clock time. what: such as "step 12, t = 0.3
    // s".
    void show(double fraction, double seconds_left, const std::string& what);
    void clear();  // removes the bar before other output

  private:
    void draw(double fraction, const std::string& text);

    bool shown_, drawn_ = false;
    int columns_;      // of the terminal; 0: none
    double next_ = 0;  // time of the next output, in seconds since the start
    Stopwatch watch_;
};

}  // namespace solenoid

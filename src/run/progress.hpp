// How far a run is: a bar with the time left on a terminal, a plain line now and then in a log
// file.
#pragma once

#include <string>

#include "core/timer.hpp"

namespace solenoid {

class Progress {
  public:
    explicit Progress(bool shown);
    ~Progress();
    // fraction: of the run, 0 to 1; seconds_left: of the wall clock; what: "step 12, t = 0.3 s".
    void show(double fraction, double seconds_left, const std::string& what);
    void clear();  // removes the bar before something else is printed

  private:
    void draw(double fraction, const std::string& text);

    bool shown_, drawn_ = false;
    int columns_;      // of the terminal, 0: no terminal
    double next_ = 0;  // seconds since the start at which it speaks again
    Stopwatch watch_;
};

}  // namespace solenoid

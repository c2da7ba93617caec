// The limit of wall time of a run, --wall-time, and whether there is time left for a step.
#pragma once

#include <deque>
#include <string>

namespace solenoid {

// Seconds of "hours:minutes:seconds", such as 3:50:00. Throws InputError.
double wall_time_of(const std::string& text);

class WallTime {
  public:
    explicit WallTime(double limit) : limit_(limit) {}  // [s] since the start of the run
    void note_step(double seconds) { note(steps_, seconds); }
    void note_write(double seconds) { note(writes_, seconds); }
    void note_checkpoint(double seconds) { note(checkpoints_, seconds); }
    // Whether another step, and a write and a checkpoint after it, would pass the limit: each is
    // taken for half as much again as the longest of the last ten, and a checkpoint, before there
    // was one, for as long as a write; and 0.2 s remain. elapsed: since the start [s].
    bool is_over(double elapsed) const;

  private:
    static void note(std::deque<double>& last, double seconds);

    double limit_;
    std::deque<double> steps_, writes_, checkpoints_;  // the last ones [s]
};

}  // namespace solenoid

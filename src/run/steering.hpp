// What a run is asked for from outside while it goes on. All ranks agree on it between two steps,
// by one sum over the ranks.
#pragma once

#include <cstdint>
#include <string>

#include "run/run.hpp"

namespace solenoid {

class Steering {
  public:
    explicit Steering(Run& run) : run_(run) {}  // the run must outlive this

    struct Orders {
        bool writes = false;  // the present state
        std::string stop;     // why to stop, such as "SIGTERM"; empty: go on
    };
    // Between two steps: what to do before the next one. Collective.
    Orders orders();
    // The state has been written, by orders. Collective.
    void note_write();

  private:
    Run& run_;
};

}  // namespace solenoid

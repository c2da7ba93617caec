// What the mouse and keys of the window ask of a run in time: a push of the surface, steering, the
// initial state.
#pragma once

#include "run/run.hpp"
#include "run/simulation.hpp"
#include "view/controls.hpp"

namespace solenoid {

class WindowOrders {
  public:
    // Keeps the present state, to go back to. Both must outlive this. Collective, as all below.
    WindowOrders(const Run& run, Simulation& simulation);

    // Between two steps. asked: alike on all ranks. Returns whether the state has changed. Says
    // once what this physics cannot do.
    bool obey(const ViewRequests& asked);

  private:
    void go_back();

    const Run& run_;
    Simulation& simulation_;
    bool told_of_push_ = false, told_of_steering_ = false;
};

}  // namespace solenoid

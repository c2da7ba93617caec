#include "run/window_orders.hpp"

#include <utility>

#include "case/physics.hpp"
#include "core/log.hpp"

namespace solenoid {

WindowOrders::WindowOrders(const Run& run, Simulation& simulation)
    : run_(run), simulation_(simulation) {
    simulation.state().take();
}

bool WindowOrders::obey(const ViewRequests& asked) {
    bool is_changed = asked.resets;
    if (asked.resets) go_back();
    for (const ViewRequests::Push& push : asked.pushes) {
        if (simulation_.push(push.at, push.radius, push.height))
            is_changed = true;
        else if (!std::exchange(told_of_push_, true))
            log::info("         --view: the physics \"{}\" has nothing that a click can push",
                      run_.settings.physics->name());
    }
    if ((asked.turning != 0 || asked.faster != 0) && !asked.is_paused &&
        !simulation_.steer(asked.turning, asked.faster) && !std::exchange(told_of_steering_, true))
        log::info("         --view: this case of \"{}\" has nothing that the arrow keys steer",
                  run_.settings.physics->name());
    if (is_changed) simulation_.quantities().state_changed();
    return is_changed;
}

// Files go on: their rows and states begin again from the time of that state.
void WindowOrders::go_back() {
    const double before = simulation_.time();
    simulation_.restart();  // lets go of the states that the simulation has kept itself
    simulation_.state().restore();
    simulation_.state().take();
    log::info("         --view: back from t = {:.6g} s to the state at {:.6g} s", before,
              simulation_.time());
}

}  // namespace solenoid

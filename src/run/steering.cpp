#include "run/steering.hpp"

#include <array>
#include <span>

#include "core/log.hpp"
#include "core/stop_signal.hpp"

namespace solenoid {

Steering::Orders Steering::orders() {
    // ranks told to stop, ranks told to save
    std::array<std::int64_t, 2> asked{stop_requested(), save_requested()};
    run_.comm.sum(std::span(asked));
    Orders orders;
    if (asked[0] > 0) orders.stop = name_of_signal(static_cast<int>(run_.comm.max(stop_signal())));
    if (asked[1] > 0) {
        log::info("         SIGUSR1 before step {}: the state is written", run_.summary.steps + 1);
        orders.writes = true;
    }
    return orders;
}

void Steering::note_write() { save_was_done(); }

}  // namespace solenoid

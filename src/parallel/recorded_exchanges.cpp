#include "parallel/recorded_exchanges.hpp"

#include "parallel/communicator_handle.hpp"

namespace solenoid {

void RecordedExchanges::repeat(const Communicator& comm, Device& device,
                               const RecordedCalls& calls) {
    Traffic& traffic = comm.handle().traffic;
    const Traffic before = traffic;
    bool are_made = false;
    device.repeat(recording_, [&] {
        calls();
        are_made = true;
    });
    if (are_made)
        once_ = traffic - before;
    else
        traffic += once_;
}

}  // namespace solenoid

// Ghost exchange of values on the host, for the set-up.
#pragma once

#include "parallel/bytes.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Fills the ghosts of a vector over [0, all). T is trivially copyable. Collective.
template <class T, class Allocator>
void fill_ghosts(const Communicator& comm, const HaloPlan& plan,
                 std::vector<T, Allocator>& values) {
    if (comm.size() == 1) return;
    std::map<int, std::vector<T>> outgoing;
    for (std::size_t n = 0; n < plan.neighbours.size(); ++n)
        for (Index s = plan.send_start[n]; s < plan.send_start[n + 1]; ++s)
            outgoing[plan.neighbours[n]].push_back(values[plan.send[s]]);
    const auto incoming = exchange_values(comm, outgoing);
    for (std::size_t n = 0; n < plan.neighbours.size(); ++n)
        for (Index r = plan.receive_start[n]; r < plan.receive_start[n + 1]; ++r)
            values[plan.receive[r]] = incoming.at(plan.neighbours[n])[r - plan.receive_start[n]];
}

}  // namespace solenoid

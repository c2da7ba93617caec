// A random halo plan, as irregular as plans can be.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct RandomPlan {
    struct Origin {
        int rank = 0;
        Index entity = 0;  // number on that rank
    };

    HaloPlan plan;
    Index owned = 0, all = 0;     // number of owned entities, and with ghosts
    std::vector<Origin> origins;  // of the ghosts [owned, all)
};

// The plan of one rank. All ranks compute it from the same pseudo-random numbers. A rank has at
// most about six neighbours. A fifth of the messages are empty, so that some ranks are neighbours
// in one direction only. Messages and ranks have 1 to most_entities, mostly few. Entities to send
// are drawn one by one (one may be sent twice); the ghosts that receive them are in random order.
RandomPlan random_plan(int rank, int ranks, std::uint64_t seed, Index most_entities);

}  // namespace solenoid

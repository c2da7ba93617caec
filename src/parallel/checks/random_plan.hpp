// A halo between ranks that is as irregular as a halo may be.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct RandomPlan {
    struct Origin {
        int rank = 0;
        Index entity = 0;  // among that rank's own
    };

    HaloPlan plan;
    Index owned = 0, all = 0;     // entities: this rank's own, with ghosts
    std::vector<Origin> origins;  // of the ghosts [owned, all)
};

// The part of one rank of several, from numbers that all draw alike. A rank has about six
// neighbours, at most; a fifth of the messages are empty, so that some neighbours are neighbours in
// one direction alone. Messages and ranks hold 1 to most_entities, most of them few. The entities
// sent are drawn one by one (an entity may be sent twice), the ghosts that receive them lie in any
// order.
RandomPlan random_plan(int rank, int ranks, std::uint64_t seed, Index most_entities);

}  // namespace solenoid

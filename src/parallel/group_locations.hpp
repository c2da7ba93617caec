// Locations of the named groups of a mesh.
#pragma once

#include <vector>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Of each boundary, over all ranks.
struct GroupLocations {
    std::vector<bool> on_boundary;  // has faces on the domain's boundary
    std::vector<bool> inside;       // has faces between two cells
};
GroupLocations group_locations(const Communicator& comm, const DistributedMesh& mesh);

// Puts the boundary faces that are in no group into the group `name`, which is added if it is
// missing and needed. Returns their number in the whole mesh. Collective.
std::int64_t group_the_rest(const Communicator& comm, DistributedMesh& mesh,
                            const std::string& name);

// Throws InputError where a boundary face is in no group. Collective.
void check_every_face_is_named(const Communicator& comm, const DistributedMesh& mesh);

}  // namespace solenoid

// Where the named groups of a mesh lie.
#pragma once

#include <vector>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Agreed by all ranks.
struct GroupLocations {
    std::vector<bool> on_boundary;  // has faces on the domain's boundary
    std::vector<bool> inside;       // has faces between two cells
};
GroupLocations group_locations(const Communicator& comm, const DistributedMesh& mesh);

// Puts the faces of the domain's boundary that lie in no group into one of this name, which is
// added where it is missing and wanted. How many they are in the whole mesh. Collective.
std::int64_t group_the_rest(const Communicator& comm, DistributedMesh& mesh,
                            const std::string& name);

// Throws InputError where a face of the domain's boundary lies in no group. Collective.
void check_every_face_is_named(const Communicator& comm, const DistributedMesh& mesh);

}  // namespace solenoid

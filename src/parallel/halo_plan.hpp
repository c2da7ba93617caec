// Who sends which entities of one kind to whom.
#pragma once

#include <span>

#include "parallel/distributed_mesh.hpp"
#include "partition/numbering.hpp"

namespace solenoid {

// For everything in [owned, all) of the kind, from its owner. For ghosts the numbering names the
// owner of a cell that contains them; that rank knows the entity's own owner and is asked first.
// Collective.
HaloPlan halo_plan(const Communicator& comm, const Mesh& mesh, Kind kind,
                   const Numbering& numbering);

// The part of a plan that fills what is read, and nothing else: receivers tell senders which they
// need. read: places of any kind, in any order, perhaps several times. Collective.
HaloPlan narrowed(const Communicator& comm, const HaloPlan& plan, std::span<const Index> read);

}  // namespace solenoid

// Construction of halo plans.
#pragma once

#include <span>

#include "parallel/distributed_mesh.hpp"
#include "partition/numbering.hpp"

namespace solenoid {

// The plan that fills [owned, all) of a kind from the owners. For a ghost the numbering gives the
// owner of one of its cells; that rank knows the ghost's owner and is asked first. Collective.
HaloPlan halo_plan(const Communicator& comm, const Mesh& mesh, Kind kind,
                   const Numbering& numbering);

// The part of a plan that fills the entities in `read`. Receivers tell senders which entities they
// need. read: numbers of any entities, in any order, perhaps repeated. Collective.
HaloPlan narrowed(const Communicator& comm, const HaloPlan& plan, std::span<const Index> read);

}  // namespace solenoid

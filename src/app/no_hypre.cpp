#include "app/hypre_reference.hpp"
#include "core/error.hpp"

namespace solenoid {

bool has_hypre() { return false; }

HypreResult solve_with_hypre(const Communicator&, const EntityRanges&, const HaloPlan&, const PoissonProblem&, const HypreSettings&) {
    throw InputError("this program was built without hypre: install its development files (Debian: libhypre-dev) and build again");
}

}  // namespace solenoid

#include "bench/hypre_reference.hpp"
#include "core/error.hpp"

namespace solenoid::bench {

void require_hypre() {
    throw InputError("this program was built without hypre: install its development files (Debian: libhypre-dev) and build again");
}

HypreResult solve_with_hypre(const Communicator&, const EntityRanges&, const HaloPlan&, const PoissonProblem&, const HypreSettings&) {
    require_hypre();
    return {};
}

}  // namespace solenoid::bench

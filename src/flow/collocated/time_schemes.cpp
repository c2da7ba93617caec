#include "flow/collocated/time_scheme.hpp"

namespace solenoid {

// Each in its own file.
TimeSchemeKind bdf2_kind();
TimeSchemeKind midpoint_kind();

const std::vector<TimeSchemeKind>& time_scheme_kinds() {
    static const std::vector<TimeSchemeKind> kinds{bdf2_kind(), midpoint_kind()};
    return kinds;
}

}  // namespace solenoid

#include "flow/viscosity/viscosity_law.hpp"

namespace solenoid {

// Each is defined in its own file.
ViscosityLawKind power_law_kind();
ViscosityLawKind carreau_yasuda_kind();

const std::vector<ViscosityLawKind>& viscosity_law_kinds() {
    static const std::vector<ViscosityLawKind> kinds{power_law_kind(), carreau_yasuda_kind()};
    return kinds;
}

}  // namespace solenoid

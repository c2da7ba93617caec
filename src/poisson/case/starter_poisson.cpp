// What `solenoid init --physics poisson` writes: a plate with an obstacle.
#include <fmt/format.h>

#include "case/starter_tables.hpp"
#include "poisson/case/poisson_physics.hpp"
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

std::string PoissonPhysics::grid_starter() const {
    std::string text = grid_starter_heading(*this, "[129, 129]") +
                       "[poisson]                # -div(k grad U) + c U = f\n"
                       "conductivity = 1.0       # k; a number, or a formula of x, y\n"
                       "# source = 0.0           # f\n"
                       "# reaction = 0.0         # c\n\n"
                       "# Boundaries: west, east, south, north, and land where there is some. The "
                       "types are\n";
    for (const PoissonConditionKind& kind : poisson_condition_kinds())
        text += fmt::format("#   type = {:<8} {}\n", '"' + kind.name + '"', kind.summary);
    text +=
        "[boundary.west]\n"
        "type = \"value\"\n"
        "value = 1.0\n\n"
        "[boundary.default]\n"
        "type = \"value\"\n"
        "value = 0.0\n\n"
        "[output]\n"
        "vtk = true               # files for ParaView\n\n";
    return text + starter_monitor(2, "Values") +
           "# A picture of the result, NAME.png.\n"
           "[[picture]]\n"
           "name = \"U\"\n"
           "field = \"U\"\n";
}

}  // namespace solenoid

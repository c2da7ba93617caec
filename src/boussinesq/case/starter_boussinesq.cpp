// What `solenoid init --physics boussinesq` writes: a ship on a shelf, waves from the west.
#include <fmt/format.h>

#include "boussinesq/case/boussinesq_physics.hpp"
#include "boussinesq/conditions/boussinesq_condition.hpp"
#include "case/starter_tables.hpp"

namespace solenoid {

std::string BoussinesqPhysics::grid_starter() const {
    std::string text =
        "# A case for solenoid: water waves and ships over a varying depth\n"
        "# Run it with: solenoid run THIS-FILE. Every key is explained in docs/case-file.md. Units "
        "are SI.\n\n"
        "physics = \"boussinesq\"\n\n"
        "[grid]\n"
        "nodes = [321, 161]       # along x and y\n"
        "low = [0.0, 0.0]         # corners of the rectangle [m]\n"
        "high = [640.0, 320.0]\n"
        "# land = \"abs(x - 400) < 5 && y < 150\"   # a mole: nodes that are no part of the "
        "grid\n\n"
        "[boussinesq]\n"
        "depth = \"10 - 0.01*x\"   # h [m]; land where it is not above 0\n"
        "# depth_file = \"harbour.asc\"   # in its place: an ESRI ASCII grid of depths\n\n"
        "# Boundaries: west, east, south, north; shores of land are walls. The types are\n";
    for (const BoussinesqConditionKind& kind : boussinesq_condition_kinds())
        text += fmt::format("#   type = {:<18} {}\n", '"' + kind.name + '"', kind.summary);
    return text +
           "[boundary.west]\n"
           "type = \"regular_waves\"\n"
           "amplitude = 0.5          # [m]\n"
           "period = 8.0             # [s]\n"
           "width = 70.0             # [m]: a wavelength\n\n"
           "[boundary.east]\n"
           "type = \"absorbing\"\n"
           "width = 70.0\n"
           "period = 8.0\n\n"
           "[boundary.default]\n"
           "type = \"wall\"\n\n"
           "[[ship]]\n"
           "length = 40.0            # [m]\n"
           "beam = 12.0\n"
           "draught = 2.0\n"
           "at = [150.0, 160.0]\n"
           "heading = 0.0            # [deg]\n"
           "speed = 6.0              # [m/s]\n\n"
           "[time]\n"
           "end = 40.0               # [s]\n\n"
           "[output]\n"
           "interval = 10.0          # [s]\n"
           "vtk = true               # files for ParaView\n\n" +
           starter_monitor(2, "Elevations") +
           "# A picture of the result, NAME.png: the surface, raised.\n"
           "[[picture]]\n"
           "name = \"surface\"\n"
           "field = \"elevation\"\n"
           "height_of = \"elevation\"\n";
}

}  // namespace solenoid

// What `solenoid init` writes for heat: a case that runs as it is, with the mesh's own names and
// every table explained.
#include <fmt/format.h>

#include "case/starter_tables.hpp"
#include "heat/case/heat_physics.hpp"
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {
namespace {

std::string material_tables(const std::vector<std::string>& regions) {
    std::string text =
        "# Materials, one table a region of the mesh; [material.default] would serve every region "
        "without "
        "its own.\n";
    const std::vector<std::string> names =
        regions.empty() ? std::vector<std::string>{"default"} : regions;
    for (const std::string& name : names)
        text += fmt::format(
            "[material.{}]\n"
            "conductivity = 1.0       # k [W/(m K)]; a number, or a formula such as \"1 + 0.5*x\"\n"
            "heat_capacity = 1.0      # rho c [J/(m^3 K)], for cases with a [time]\n"
            "# source = 0.0           # heat made in the volume [W/m^3]\n\n",
            toml_key(name));
    return text;
}

std::string boundary_tables(const std::vector<std::string>& names) {
    std::string text =
        "# Boundaries: every side of the mesh needs a condition; [boundary.default] serves all "
        "that have none. The types are\n";
    for (const HeatConditionKind& kind : heat_condition_kinds())
        text += fmt::format("#   type = {:<14} {}\n", '"' + kind.name + '"', kind.summary);
    text += "# Values are numbers or formulas of x, y, z [m] and t [s]: \"300 + 20*sin(pi*x)\".\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += fmt::format("[boundary.{}]\n", toml_key(names[i]));
        if (i == 0)
            text += "type = \"temperature\"\nvalue = 1.0\n\n";
        else if (i + 1 == names.size())
            text += "type = \"temperature\"\nvalue = 0.0\n\n";
        else
            text += "type = \"insulated\"\n\n";
    }
    return text;
}

const char* const time_tables =
    "# Without a [time] the steady temperature is computed. With it, the way there:\n"
    "# [time]\n"
    "# end = 60.0             # [s]\n"
    "# tolerance = 1e-3       # of the error estimate, which the step follows; step = ... [s] "
    "instead fixes it\n"
    "#\n"
    "# [initial]\n"
    "# temperature = 293.15   # [K], a number or a formula of x, y, z\n\n";

const char* const solver_and_output_tables =
    "[solver.temperature]\n"
    "# tolerance = 1e-10      # of the residual; 1e-10 in double and 1e-5 in single precision if "
    "absent\n"
    "max_iterations = 100000\n\n"
    "[output]\n"
    "# interval = 1.0         # [s] between written states; start and end only if absent\n"
    "vtk = true               # files for ParaView\n\n";

const char* const picture_table =
    "# A picture of the result, NAME.png.\n"
    "[[picture]]\n"
    "name = \"temperature\"\n"
    "field = \"temperature\"\n"
    "mesh = true              # draw the mesh's edges\n"
    "# range = [0.0, 1.0]     # of the colours; the field's own if absent\n";

}  // namespace

std::string HeatPhysics::starter(const std::filesystem::path& mesh_file, int dimension,
                                 const std::vector<std::string>& boundaries,
                                 const std::vector<std::string>& regions) const {
    return starter_heading(*this, mesh_file) + material_tables(regions) +
           boundary_tables(boundaries) + time_tables + solver_and_output_tables +
           starter_monitor(dimension, "Temperatures") + picture_table;
}

std::string HeatPhysics::starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const {
    return with_inner_groups(
        starter(mesh_file, mesh.dimension, outer_groups(mesh), mesh.regions), mesh, time_tables,
        "heat passes without a table",
        "# type = \"contact\"       # or \"insulated\"\n# resistance = 1e-4      # [m^2 K/W]\n");
}

}  // namespace solenoid

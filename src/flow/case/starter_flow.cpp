// The case that `solenoid init --physics flow` writes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/starter_tables.hpp"
#include "flow/case/flow_physics.hpp"
#include "flow/conditions/flow_conditions.hpp"

namespace solenoid {
namespace {

std::string vector(const Vec3& v, int dimension) {
    const auto number = [](double x) {
        const double rounded = std::round(1e6 * x) / 1e6 + 0.0;
        return rounded == std::round(rounded) ? fmt::format("{:.1f}", rounded)
                                              : fmt::format("{:.6g}", rounded);
    };
    std::string text = "[";
    for (int k = 0; k < dimension; ++k) text += (k ? ", " : "") + number(v[k]);
    return text + "]";
}

std::string fluid_table(double length) {
    return fmt::format(
        "[fluid]\n"
        "viscosity = {:<12.3g} # kinematic, nu = mu / rho [m^2/s]; here: a Reynolds number of 100\n"
        "# density = 1.0          # rho [kg/m^3]\n\n",
        length / 100);
}

std::string boundary_tables(const std::vector<FlowPhysics::StarterBoundary>& boundaries,
                            int dimension) {
    std::string text =
        "# Boundaries: every side of the mesh needs a condition; [boundary.default] serves all "
        "that have none. The types are\n";
    std::size_t width = 0;
    for (const FlowConditionKind& kind : flow_condition_kinds())
        width = std::max(width, kind.name.size() + 2);
    for (const FlowConditionKind& kind : flow_condition_kinds())
        text += fmt::format("#   {:<{}}  {}\n", '"' + kind.name + '"', width,
                            fmt::format(fmt::runtime(kind.summary), vector({1, 0, 0}, dimension)));
    text += fmt::format(
        "#   {:<{}}  partner = \"NAME\": what leaves here enters there; both sides are meshed "
        "alike\n",
        "\"periodic\"", width);
    text +=
        "# Components are numbers or formulas of x, y, z [m] and t [s]: \"4*y*(1 - y) * min(t, "
        "1)\".\n";
    for (const FlowPhysics::StarterBoundary& b : boundaries) {
        text += fmt::format("[boundary.{}]\ntype = \"{}\"\n", toml_key(b.name), b.type);
        if (b.velocity != Vec3(0))
            text += fmt::format("velocity = {}\n", vector(b.velocity, dimension));
        text += "\n";
    }
    return text;
}

std::string time_tables(double length, int dimension) {
    return fmt::format(
        "# A steady flow is where a run in time ends.\n"
        "[time]\n"
        "end = {:<18.3g} # [s]; here: 1 m/s passes the mesh once\n"
        "courant = 0.6            # the step follows the flow; step = ... [s] instead fixes it\n"
        "# steady_tolerance = 1e-6 # stop where nothing changes by more than this part in a "
        "second\n\n"
        "# [initial]\n"
        "# velocity = {}     # [m/s], numbers or formulas of x, y, z; at rest if absent\n\n",
        length, vector(Vec3(0), dimension));
}

const char* const solver_and_output_tables =
    "[solver.stream_function]\n"
    "# tolerance = 1e-6       # of the residual; 1e-6 in double and 1e-4 in single precision if "
    "absent\n"
    "max_iterations = 100000\n\n"
    "[output]\n"
    "# interval = 1.0         # [s] between written states; start and end only if absent\n"
    "vtk = true               # files for ParaView\n\n";

const char* const picture_table =
    "# A picture of the result, NAME.png.\n"
    "[[picture]]\n"
    "name = \"speed\"\n"
    "field = \"speed\"\n"
    "mesh = true              # draw the mesh's edges\n"
    "# range = [0.0, 1.0]     # of the colours; the field's own if absent\n";

}  // namespace

std::string FlowPhysics::starter(const std::filesystem::path& mesh_file, int dimension,
                                 const std::vector<StarterBoundary>& boundaries,
                                 double length) const {
    return starter_heading(*this, mesh_file) + fluid_table(length) +
           boundary_tables(boundaries, dimension) + time_tables(length, dimension) +
           solver_and_output_tables + starter_monitor(dimension, "Velocities") + picture_table;
}

}  // namespace solenoid

// What `solenoid init --physics wave` writes: a bump let go between clamped sides.
#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>

#include "case/starter_tables.hpp"
#include "wave/case/wave_physics.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {
namespace {

struct Extent {
    Vec3 low, high;
    double length() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

Extent extent_of(const Mesh& mesh) {
    Extent e{mesh.points.front(), mesh.points.front()};
    for (const Vec3& p : mesh.points) e = {glm::min(e.low, p), glm::max(e.high, p)};
    return e;
}

// The formula of a bump in the middle of the mesh: h exp(-r^2 / w^2) with w = 10 % and h = 1 % of
// the largest side of the bounding box.
std::string bump(const Extent& e, int dimension) {
    const Vec3 middle = 0.5 * (e.low + e.high);
    std::string square;
    for (int k = 0; k < dimension; ++k)
        square += fmt::format("{}({} - {:.4g})^2", k ? " + " : "", "xyz"[k], middle[k]);
    const double width = 0.1 * e.length();
    return fmt::format("{:.3g}*exp(-({})/{:.3g})", 0.01 * e.length(), square, width * width);
}

std::string boundary_tables(const std::string& sides, const std::vector<std::string>& names) {
    std::string text = fmt::format("# Boundaries: {}. The types are\n", sides);
    for (const WaveConditionKind& kind : wave_condition_kinds())
        text += fmt::format("#   type = {:<8} {}\n", '"' + kind.name + '"', kind.summary);
    text += "# Values are numbers or formulas of x, y, z [m] and t [s]: \"0.01*sin(2*pi*t)\".\n";
    for (const std::string& name : names)
        text += fmt::format("[boundary.{}]\ntype = \"fixed\"\n\n", toml_key(name));
    return text;
}

const char* const picture_table =
    "# A picture of the result, NAME.png.\n"
    "[[picture]]\n"
    "name = \"displacement\"\n"
    "field = \"displacement\"\n";
const char* const picture_range =
    "# range = [-0.01, 0.01]  # of the colours; the field's own if absent\n";

std::string body(const std::string& boundaries, const Extent& e, int dimension) {
    return "[wave]\n"
           "speed = 1.0              # c [m/s]; a number, or a formula such as \"sqrt(9.81*(1 + "
           "x))\"\n"
           "# source = 0.0           # acceleration by a load [m/s^2], of x, y, z, t\n"
           "# time_scheme = \"trapezoidal\" # any step, a solve each; leapfrog, explicit, if "
           "absent\n\n" +
           boundaries +
           fmt::format(
               "[initial]\n"
               "displacement = \"{}\" # [m]\n"
               "# velocity = 0.0         # [m/s]\n\n"
               "[time]\n"
               "end = {:<18.3g} # [s]; here: a wave of 1 m/s passes the mesh once\n"
               "# step = 0.01            # [s]; 0.9 of what leapfrog bears if absent\n\n"
               "[output]\n"
               "# interval = 0.1         # [s] between written states; start and end only if "
               "absent\n"
               "vtk = true               # files for ParaView\n\n",
               bump(e, dimension), e.length()) +
           starter_monitor(dimension, "Displacements") + picture_table;
}

}  // namespace

std::string WavePhysics::starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const {
    const std::string text =
        starter_heading(*this, mesh_file) +
        body(boundary_tables("every named side of the mesh needs a condition", outer_groups(mesh)),
             extent_of(mesh), mesh.dimension) +
        "mesh = true              # draw the mesh's edges\n" + picture_range;
    return with_inner_groups(text, mesh, "[initial]", "waves pass without a table",
                             "# type = \"free\"\n");
}

std::string WavePhysics::grid_starter() const {
    return grid_starter_heading(*this, "[129, 129]") +
           body(boundary_tables("west, east, south, north, and land where there is some",
                                {"default"}),
                {Vec3(0), Vec3(1, 1, 0)}, 2) +
           picture_range +
           "# height_of = \"displacement\"                     # as a surface, in perspective\n";
}

}  // namespace solenoid

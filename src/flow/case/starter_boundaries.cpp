// The parts of a flow's starter case that come from the mesh.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "case/starter_tables.hpp"
#include "core/joined_words.hpp"
#include "flow/case/flow_physics.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

using StarterBoundary = FlowPhysics::StarterBoundary;

// The longest side of the box around the mesh [m].
double length_of(const Mesh& mesh) {
    Vec3 low = mesh.points.front(), high = low;
    for (const Vec3& p : mesh.points) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

// The axis along which a boundary can slide best, as a velocity of 1 m/s: the faces' areas
// projected along the axis are least.
Vec3 slide_of(const Mesh& mesh, const std::string& boundary) {
    const std::vector<Vec3> areas = geometry(mesh).face_area;
    Vec3 projected(0);
    for (const Side& side : mesh.sides)
        if (mesh.boundaries[side.boundary] == boundary) projected += glm::abs(areas[side.face]);
    int axis = 0;
    for (int k = 1; k < mesh.dimension; ++k)
        if (projected[k] < projected[axis]) axis = k;
    Vec3 slide(0);
    slide[axis] = 1;
    return slide;
}

// The mean direction into the domain through a boundary; 0 where the directions of its faces
// cancel.
Vec3 inward(const Mesh& mesh, const std::string& boundary) {
    const std::vector<Vec3> areas = geometry(mesh).face_area;
    Vec3 sum(0);
    double total = 0;
    for (const Side& side : mesh.sides) {
        const bool enters = mesh.face_cells(side.face, 0) == none;
        if (mesh.boundaries[side.boundary] != boundary ||
            enters == (mesh.face_cells(side.face, 1) == none))
            continue;
        sum += enters ? areas[side.face] : -areas[side.face];
        total += glm::length(areas[side.face]);
    }
    return glm::length(sum) > 0.1 * total ? glm::normalize(sum) : Vec3(0);
}

// The boundary conditions by the names of the boundaries: with an inlet and an outlet the flow
// passes through; otherwise the first boundary slides.
std::vector<StarterBoundary> starter_boundaries(const Mesh& mesh) {
    std::vector<StarterBoundary> boundaries;
    bool has_inlet = false, has_outlet = false;
    for (const std::string& name : outer_groups(mesh)) {
        std::string word = name;
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        const auto says = [&](const char* part) { return word.find(part) != std::string::npos; };
        StarterBoundary& b = boundaries.emplace_back(name);
        if (says("inlet") || says("inflow")) b.velocity = inward(mesh, name);
        if (b.velocity != Vec3(0)) b.type = "inflow";
        if (says("outlet") || says("outflow")) b.type = "outflow";
        if (says("symmetry")) b.type = "symmetry";
        has_inlet |= b.type == "inflow";
        has_outlet |= b.type == "outflow";
    }
    if (has_inlet && has_outlet) return boundaries;
    for (StarterBoundary& b : boundaries) b = {b.name};
    if (!boundaries.empty() && boundaries.front().name != "default")
        boundaries.front().velocity = slide_of(mesh, boundaries.front().name);
    return boundaries;
}

}  // namespace

std::string FlowPhysics::starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const {
    std::string text =
        starter(mesh_file, mesh.dimension, starter_boundaries(mesh), length_of(mesh));
    text = with_inner_groups(std::move(text), mesh, "# A steady flow is where",
                             "the flow passes without a table",
                             "# type = \"wall\"          # or \"symmetry\"\n");
    if (mesh.regions.size() < 2) return text;
    std::vector<std::string> regions;
    for (const std::string& name : mesh.regions) regions.push_back(toml_string(name));
    const std::string table = "[fluid]\n";
    return text.insert(
        text.find(table) + table.size(),
        fmt::format("regions = [{}]    # that the fluid fills; those left out are solid\n",
                    joined_words(regions, ", ")));
}

}  // namespace solenoid

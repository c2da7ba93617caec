// Frozen flows whose stability is looked at, and the meshes of the unit square and cube for them.
#pragma once

#include "frozen_flow.hpp"
#include "io/mesh/mesh_file.hpp"
#include "support/boundaries.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test {

struct FrozenCase {
    std::string name;
    SimplexMesh mesh;
    std::vector<FlowBoundary> boundaries;
    VectorFormula velocity;
};

// "box": jittered; "gmsh"; "graded": Gmsh's, cells at the far end of every axis a third as long as
// at the near one; "flat": a third as high as wide.
inline SimplexMesh small_mesh(const std::string& kind, int dimension, int cells) {
    if (kind == "box") {
        BoxSettings box;
        box.dimension = dimension;
        box.cells = cells;
        box.high = {1, 1, dimension == 2 ? 0 : 1};
        box.jitter = dimension == 2 ? 0.2 : 0.15;
        return box_mesh(box);
    }
    const SimplexMesh mesh =
        read_mesh(dimension == 2 ? gmsh_mesh("square", 2, 1.6 / std::sqrt(cells))
                                 : gmsh_mesh("cube", 3, 2.2 / std::cbrt(cells)));
    if (kind == "graded") return moved(mesh, [](const Vec3& x) { return x * (1.5 - 0.5 * x); });
    if (kind == "flat") return moved(mesh, [](const Vec3& x) { return Vec3(x.x, x.y / 3, x.z); });
    return mesh;
}

inline FlowBoundary side(const std::string& name, const std::string& type,
                         const std::vector<std::string>& velocity = {"0", "0", "0"}) {
    return test::boundary(name, type, vector_formula(velocity));
}

inline std::vector<FlowBoundary> walls(const SimplexMesh& mesh) {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries) all.push_back(side(name, "wall"));
    return all;
}

// Poiseuille's, from xmin to an outflow at xmax.
inline FrozenCase through_flow(const SimplexMesh& mesh) {
    double top = 0;
    for (const Vec3& x : mesh.points) top = std::max(top, x.y);
    const std::string y = "(y/" + std::to_string(top) + ")",
                      profile =
                          "4*" + y + "*(1-" + y + ")" + (mesh.dimension == 2 ? "" : "*4*z*(1-z)");
    FrozenCase made{"to an outlet", mesh, walls(mesh), vector_formula({profile, "0", "0"})};
    for (auto& one : made.boundaries) {
        if (one.name == "xmin") one = side("xmin", "inflow", {at_start(profile), "0", "0"});
        if (one.name == "xmax") one = side("xmax", "outflow");
    }
    return made;
}

// With a vortex, somewhat faster, on the outlet: fluid enters through a part of it.
inline FrozenCase entering_vortex(const SimplexMesh& mesh) {
    FrozenCase made = through_flow(mesh);
    made.name = "vortex on the outlet";
    const std::string vortex = "15*exp(-16*((x-1)^2+(y-0.5)^2))";
    made.velocity =
        vector_formula({made.velocity[0].text() + "-(y-0.5)*" + vortex, "(x-1)*" + vortex, "0"});
    return made;
}

inline FrozenCase walled_vortex(const SimplexMesh& mesh) {
    return {"between walls", mesh, walls(mesh),
            vector_formula({"sin(pi*x)^2*sin(2*pi*y)", "-sin(2*pi*x)*sin(pi*y)^2", "0"})};
}

// As rough as the mesh.
inline FrozenCase rough_flow(const SimplexMesh& mesh) {
    return {"rough, between walls", mesh, walls(mesh),
            vector_formula({"sin(37*x+5*y+29*z)", "cos(31*y-11*x)", "sin(41*z+23*x)"})};
}

inline FrozenCase periodic_vortices(const SimplexMesh& mesh) {
    return {"periodic",
            closed(mesh, mesh.dimension == 2 ? "xy" : "xyz"),
            {},
            vector_formula({"sin(2*pi*x)*cos(2*pi*y)", "-cos(2*pi*x)*sin(2*pi*y)", "0"})};
}

// corrections: of the classical method, which makes more where a mesh is oblique, by a rule that is
// not linear.
inline FlowSettings settings_of(const std::string& method, const std::string& convection,
                                int corrections = 0) {
    FlowSettings settings;
    settings.method = method;
    settings.convection = convection;
    settings.non_orthogonal_corrections = corrections;
    return settings;
}

inline FrozenFlow frozen(const FrozenCase& one, double viscosity, const FlowSettings& settings) {
    return FrozenFlow(one.mesh, viscosity, one.boundaries, one.velocity, settings);
}

}  // namespace solenoid::test

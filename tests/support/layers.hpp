// Two layers of a fluid on a mesh that follows the surface between them.
#pragma once

#include <fmt/format.h>

#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test {

// The unit square or cube, closed along x (and z), of a jittered lattice below y = 1/2 and its
// mirror image above; walls "ymin" and "far", at y = 1. Turned round z by an angle. finer: how
// often triangles are cut into four.
inline SimplexMesh layered_box(int dimension, std::size_t cells, double angle = 0, int finer = 0) {
    SimplexMesh half = plain_box(dimension, cells / 2, Vec3(0), Vec3(1, 0.5, 1));
    for (int n = 0; n < finer; ++n) half = quartered(half);
    SimplexMesh both = with_mirror_image(half, 1, 0.5, "ymax", "ymin");
    both = moved(std::move(both), [&](const Vec3& x) {
        return Vec3(std::cos(angle) * x.x - std::sin(angle) * x.y,
                    std::sin(angle) * x.x + std::cos(angle) * x.y, x.z);
    });
    return closed(std::move(both), dimension == 2 ? "x" : "xz");
}

// Of a force f along the layers, viscosity 1 in the lower one and `ratio` in the upper one: du/dy =
// (stress - f y) / nu, u = 0 at both walls.
struct Layers {
    double ratio, force = 1, angle = 0;

    std::string upper() const {
        return fmt::format("(({:.17g})*x + ({:.17g})*y >= 0.5)", -std::sin(angle), std::cos(angle));
    }
    std::string height() const {
        return fmt::format("(({:.17g})*x + ({:.17g})*y)", -std::sin(angle), std::cos(angle));
    }
    Formula viscosity() const { return {fmt::format("{} ? {:.17g} : 1", upper(), ratio), "test"}; }
    // on the lower wall
    double stress() const { return force * (0.125 + 0.375 / ratio) / (0.5 + 0.5 / ratio); }
    double at_surface() const { return 0.5 * stress() - 0.125 * force; }
    VectorFormula velocity() const {
        const std::string y = height(),
                          lower =
                              fmt::format("{:.17g}*{} - {:.17g}*{}^2", stress(), y, force / 2, y),
                          above = fmt::format(
                              "{:.17g} + ({:.17g}*({} - 0.5) - {:.17g}*({}^2 - 0.25))/{:.17g}",
                              at_surface(), stress(), y, force / 2, y, ratio);
        const std::string u = fmt::format("({} ? {} : {})", upper(), above, lower);
        return vector_formula({fmt::format("{:.17g}*{}", std::cos(angle), u),
                               fmt::format("{:.17g}*{}", std::sin(angle), u), "0"});
    }
    VectorFormula body_force() const {
        return vector_formula({fmt::format("{:.17g}", force * std::cos(angle)),
                               fmt::format("{:.17g}", force * std::sin(angle)), "0"});
    }
};

}  // namespace solenoid::test

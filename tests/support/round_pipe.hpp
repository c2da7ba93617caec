// A pipe along x, of radius 1/2 and length 1/2, whose ends match.
#pragma once

#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "parallel/distributed_mesh.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::test {

// Stretched to the circle's area: that of a polygon inscribed costs more of the flux than the
// scheme does.
inline SimplexMesh round_pipe(double size) {
    SimplexMesh mesh = read_mesh(gmsh_mesh("pipe", 3, size));
    double volume = 0;
    for (const double v : geometry(build_mesh(whole(SimplexMesh(mesh)))).cell_volume) volume += v;
    return moved(std::move(mesh), [scale = std::sqrt(M_PI / 8 / volume)](const Vec3& x) {
        return Vec3(x.x, scale * x.y, scale * x.z);
    });
}

}  // namespace solenoid::test

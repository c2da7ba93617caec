// Unstructured meshes of boxes: a jittered body-centred lattice of tets, or of nearly equilateral
// triangles.
#pragma once

#include "mesh/mesh_slice.hpp"

namespace solenoid {

struct BoxSettings {
    int dimension = 3;
    // wanted; the mesh has this number within some per cent, and at least that of the smallest
    // lattice
    std::size_t cells = 10000;
    Vec3 low{0, 0, 0};     // [m]
    Vec3 high{1, 1, 1};    // [m]
    double jitter = 0.15;  // largest displacement of a node, in lattice spacings
};

// The mesh of a box. Sides are named xmin, xmax, ymin, ymax (zmin, zmax); the one region is "box".
// Opposite sides match, so that a box of at least three cells across can be made periodic. Throws
// InputError for settings that give no mesh.
SimplexMesh box_mesh(const BoxSettings& settings);
// The slice of one rank of box_mesh(), built without the rest.
MeshSlice box_slice(const BoxSettings& settings, int rank, int ranks);

}  // namespace solenoid

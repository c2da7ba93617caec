// Unstructured boxes made in memory: a jittered body-centred lattice of tets, or of nearly
// equilateral triangles.
#pragma once

#include "mesh/mesh_slice.hpp"

namespace solenoid {

struct BoxSettings {
    int dimension = 3;
    // aimed at; the result is within some per cent (at least the smallest lattice)
    std::size_t cells = 10000;
    Vec3 low{0, 0, 0};     // [m]
    Vec3 high{1, 1, 1};    // [m]
    double jitter = 0.15;  // largest displacement of a node, in lattice spacings
};

// Sides are named xmin, xmax, ymin, ymax (and zmin, zmax), the one region "box". Opposite sides
// match: a box of three cells across can be made periodic.
SimplexMesh box_mesh(const BoxSettings& settings);
// Of the same mesh the slice of one rank, made without the rest.
MeshSlice box_slice(const BoxSettings& settings, int rank, int ranks);

}  // namespace solenoid

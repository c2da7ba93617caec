// How thin cells are, in layers at boundaries and inside, and how much the layers turn.
#pragma once

#include <array>
#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

// The largest value of each and where it is [m]; 0 where there is none.
struct Thinness {
    // Length along the layer over height across it: of a cell at a boundary the longest edge of its
    // face there and its height on that face, of others the longest edge of the largest face.
    double aspect = 0;
    Vec3 aspect_place{0};
    // Aspect times the angle between the face and its neighbours in the same wall: the aspect times
    // length along the wall over radius. Angles of more than 45 degrees are edges of the wall.
    double curved_aspect = 0;
    Vec3 curved_place{0};

    // Of values alike but for rounding, as of mirror images, the first place by coordinates counts.
    void include(const Thinness& other);
};

// A number that is the same for aspects alike but for rounding, and grows with them; and the
// coordinates by which the first of their places is found.
double thinness_grade(double aspect);
std::array<double, 3> thinness_order(const Vec3& place);

// Of the cells [0, cells) of this rank.
struct ThinLayers {
    std::vector<Thinness> at_boundary;  // one for each of Mesh::boundaries; of outer faces
    Thinness inside;                    // of all cells, as if flat
    // The same of layers, for which two thin cells lie side by side: the smaller aspect of the two,
    // on the face between them. A sliver alone in a good mesh counts for nothing.
    std::vector<Thinness> layer_at;  // the cell at the boundary, and the thinnest of its neighbours
    Thinness layer_inside;
};
ThinLayers thin_layers(const Mesh& mesh, Index cells);

}  // namespace solenoid

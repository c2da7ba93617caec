// Periodic meshes: matched sides are merged, so that the cells on both sides become neighbours.
#pragma once

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct PeriodicRequest {
    std::uint16_t from, to;  // indices into `boundaries`
    std::string place;       // of the request, for messages
};

// Merges the nodes of each pair and sets periodic_map. Each group must lie on the boundary, and
// `to` be `from` moved: node by node, to a thousandth of the shortest edge there, and face by face.
// Of merged nodes the lowest number remains, at its position; later nodes move up. The sides of
// both groups remain, as faces inside. Call once. Throws InputError at the request's place: for a
// node without a partner, faces that differ, groups that are no translation of one another, fewer
// than three cells between the sides.
void make_periodic(SimplexMesh& mesh, const std::vector<PeriodicRequest>& pairs);

}  // namespace solenoid

// Matched sides of a mesh, made one: cells on both become neighbours, and every direction between a
// pair closes on itself.
#pragma once

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct PeriodicRequest {
    std::uint16_t from, to;  // indices into `boundaries`
    std::string place;       // where it was asked for, for messages
};

// Merges the nodes of each pair and fills `folding`. The groups must lie on the boundary, and one
// be the other moved: node by node, to a thousandth of the shortest edge there, and face by face.
// Of merged nodes the one with the lowest number stays, in its position; the others go, and those
// behind move up. The sides of both groups stay, as faces inside. Throws InputError with the
// request's place: the first node without a partner, faces that differ, groups that are no
// translation of one another, fewer than three cells from one side to the other. Call once.
void make_periodic(SimplexMesh& mesh, const std::vector<PeriodicRequest>& pairs);

// The pairs of groups that a translation matches, each once.
std::vector<PeriodicPair> matching_groups(const SimplexMesh& mesh);

}  // namespace solenoid

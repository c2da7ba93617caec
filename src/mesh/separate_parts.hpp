// Bodies that share no nodes but touch or overlap, as if they were meant to be one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

// Disjoint sets of `count` things (union-find).
class JoinedSets {
  public:
    explicit JoinedSets(Index count);
    void join(Index a, Index b);
    // The number of each thing's set; sets are numbered in the order of their first things.
    std::vector<Index> numbers();

  private:
    Index root(Index i);
    std::vector<Index> parent_;
};
// The number of each node's connected part.
std::vector<Index> parts_of_nodes(const Mesh& mesh);

// A face of the domain's boundary, as its cell sees it.
struct OuterFace {
    // corners of the face, then the cell's remaining corner; `dimension` + 1 in all
    std::array<Vec3, 4> corners{};
    std::int32_t part = 0;    // connected part of the mesh
    std::int32_t region = 0;  // of the cell
    bool is_slit = false;     // the case slits it, so that a coinciding face is intended
};

struct Contact {
    std::size_t faces = 0;  // number of faces
    Vec3 place{0};          // of one of them [m]
    std::array<std::int32_t, 2> regions{0, 0}, parts{0, 0};
};
struct PartContacts {
    // pairs of faces of two parts, not both slit, whose corners coincide within a thousandth of
    // their edges or within `near`
    Contact coincident;
    Contact slit;         // such pairs of one part, or both slit
    Contact touching;     // faces of one part that lie on another part without coinciding corners
    Contact overlapping;  // faces of one part that lie inside another part
};
// Contacts among all faces of the domain's boundary, in any order. A face touches or overlaps a
// part that contains a point a twentieth of its cell's height outside, or a quarter inside.
PartContacts part_contacts(int dimension, const std::vector<OuterFace>& faces,
                           bool searches_inside = true, double near = 0);

// The boundary faces held here among the first `count` faces. slit: the groups that the case slits.
std::vector<OuterFace> outer_faces(const Mesh& mesh, Index count,
                                   const std::vector<Index>& part_of_node,
                                   const std::vector<std::string>& slit = {});

// The message of a run that contacts forbid; empty where they do not.
std::string contact_refusal(const PartContacts& contacts, const std::vector<std::string>& regions,
                            bool may_touch);

}  // namespace solenoid

// Bodies that share no nodes: do they touch, or overlap, as if they had been meant to be one?
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

// Sets of `count` things that are joined, pair by pair.
class JoinedSets {
  public:
    explicit JoinedSets(Index count);
    void join(Index a, Index b);
    // of each thing the number of its set, in the order of their first things
    std::vector<Index> numbers();

  private:
    Index root(Index i);
    std::vector<Index> parent_;
};
// of each node the number of its connected part
std::vector<Index> parts_of_nodes(const Mesh& mesh);

// A face of the domain's boundary, where its cell sees it.
struct OuterFace {
    // of the face, and the cell's other corner behind them; `dimension` + 1
    std::array<Vec3, 4> corners{};
    std::int32_t part = 0;    // connected part of the mesh
    std::int32_t region = 0;  // of the cell
    bool is_slit = false;     // by the case: its twin is no mistake
};

struct Contact {
    std::size_t faces = 0;  // how many
    Vec3 place{0};          // one of them
    std::array<std::int32_t, 2> regions{0, 0}, parts{0, 0};
};
struct PartContacts {
    // pairs of faces of two parts, not both slit, with the same corners, to a thousandth of their
    // edges, or `near`
    Contact coincident;
    Contact slit;         // of one part, or both slit
    Contact touching;     // faces of one part that lie on another one without the same corners
    Contact overlapping;  // faces of one part that lie within another one
};
// From all faces of the domain's boundary, in any order. Whether parts touch or overlap is asked of
// each face at a point a quarter of its cell's height inside, and a twentieth outside.
PartContacts part_contacts(int dimension, const std::vector<OuterFace>& faces,
                           bool searches_inside = true, double near = 0);

// The boundary faces held here that are among the first `count` ones. part: of each node. slit:
// groups that the case slits.
std::vector<OuterFace> outer_faces(const Mesh& mesh, Index count,
                                   const std::vector<Index>& part_of_node,
                                   const std::vector<std::string>& slit = {});

// Why a run is refused; empty where nothing is wrong.
std::string contact_refusal(const PartContacts& contacts, const std::vector<std::string>& regions,
                            bool may_touch);

}  // namespace solenoid

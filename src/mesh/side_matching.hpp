// Test whether one group of sides is a translation of another.
#pragma once

#include <optional>

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct SideMatch {
    Vec3 offset{0};
    double tolerance = 0;                        // within which nodes were matched [m]
    std::vector<std::pair<Index, Index>> nodes;  // nodes of `from` and `to`
    std::vector<std::pair<Index, Index>> sides;  // sides of `from` and `to`
    // empty where they match; else a sentence with both names
    std::string failure;
};

// Pairs of groups that match by a translation, each once. Not complete beyond 1000 pairs, or where
// very many groups are alike.
struct MatchingGroups {
    std::vector<PeriodicPair> pairs;
    bool is_complete = true;
};

// The sides of a mesh by their groups, sorted once for any number of tests. The mesh must outlive
// this and keep its sides.
class SideGroups {
  public:
    explicit SideGroups(const SimplexMesh& mesh);
    ~SideGroups();

    SideMatch match(std::uint16_t from, std::uint16_t to) const;
    // The pairs that match, in ascending order, each once. Ends early after many pairs or much
    // work.
    MatchingGroups all_matches() const;

  private:
    struct Group;

    const SimplexMesh& mesh_;
    std::vector<Group> groups_;
};

}  // namespace solenoid

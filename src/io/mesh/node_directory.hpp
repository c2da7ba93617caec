// The numbers that a file gives its nodes, over all ranks: any order, perhaps with gaps. For the io
// room alone.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class NodeDirectory {
  public:
    // numbers: of the nodes of this rank's range, not negative. Collective.
    NodeDirectory(const Communicator& comm, const RowPartition& nodes,
                  std::vector<GlobalIndex>&& numbers);

    // A number that came twice, if one did: the one that NodeNumbers tells. The same on every rank.
    std::optional<GlobalIndex> given_twice() const { return twice_; }
    // Places in the whole mesh for the file's numbers, -1 where it has no such node. Collective.
    void replace(std::vector<GlobalIndex>& numbers) const;

  private:
    struct Entry {
        GlobalIndex number, place;
        auto operator<=>(const Entry&) const = default;
    };
    int keeper(GlobalIndex number) const;
    void find_repeated(bool is_dense);
    GlobalIndex find(GlobalIndex number) const;

    const Communicator& comm_;
    GlobalIndex count_ = 0, least_ = 0;
    bool is_ascending_ = false;   // numbers are least_ + place: nothing is kept
    std::vector<Entry> entries_;  // that this rank keeps, sorted
    std::optional<GlobalIndex> twice_;
};

}  // namespace solenoid

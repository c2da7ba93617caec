// The node numbers of a file on all ranks, in any order, perhaps with gaps. Used in src/io only.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class NodeDirectory {
  public:
    // numbers: of the nodes in this rank's range, not negative. Collective.
    NodeDirectory(const Communicator& comm, const RowPartition& nodes,
                  std::vector<GlobalIndex>&& numbers);

    // A number that occurs twice, if any: the one that NodeNumbers reports. Equal on all ranks.
    std::optional<GlobalIndex> given_twice() const { return twice_; }
    // Replaces numbers of the file by places in the whole mesh, -1 for unknown numbers. Collective.
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
    bool is_ascending_ = false;   // numbers are least_ + place: entries_ is empty
    std::vector<Entry> entries_;  // kept by this rank, sorted
    std::optional<GlobalIndex> twice_;
};

}  // namespace solenoid

// Rows of matrices under way between ranks: their columns have their global numbers.
#pragma once

#include <algorithm>

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

struct GlobalRows {
    std::vector<Index> start{0};
    std::vector<GlobalIndex> column;
    std::vector<double> entry;

    void append(const GlobalRows& other) {
        const Index offset = start.back();
        for (std::size_t i = 1; i < other.start.size(); ++i)
            start.push_back(offset + other.start[i]);
        column.insert(column.end(), other.column.begin(), other.column.end());
        entry.insert(entry.end(), other.entry.begin(), other.entry.end());
    }
};

void sort_unique(std::vector<GlobalIndex>& numbers);

// From global numbers to own columns and places among the ghosts.
class Columns {
  public:
    Columns(const Communicator& comm, const RowPartition& partition,
            const std::vector<GlobalIndex>& ghosts)
        : first_(partition.start[comm.rank()]),
          own_(static_cast<Index>(partition.size(comm.rank()))),
          ghosts_(ghosts) {}
    bool is_own(GlobalIndex number) const { return number >= first_ && number < first_ + own_; }
    bool has(GlobalIndex number) const {
        return is_own(number) || std::binary_search(ghosts_.begin(), ghosts_.end(), number);
    }
    Index local(GlobalIndex number) const {
        if (is_own(number)) return static_cast<Index>(number - first_);
        return own_ + static_cast<Index>(std::lower_bound(ghosts_.begin(), ghosts_.end(), number) -
                                         ghosts_.begin());
    }

  private:
    GlobalIndex first_;
    Index own_;
    const std::vector<GlobalIndex>& ghosts_;
};

// A matrix's rows so.
GlobalRows global_rows(const Communicator& comm, const ParallelMatrix& a);

// And back: a matrix whose columns are spread like this.
ParallelMatrix localized(const Communicator& comm, const RowPartition& partition,
                         const GlobalRows& rows);

// Rows to and from several ranks: three messages each.
std::map<int, GlobalRows> exchange_rows(const Communicator& comm,
                                        const std::map<int, GlobalRows>& outgoing);

// The rows of b that `ghosts` name, in their ascending order; spread: of b's rows. Collective.
GlobalRows ghost_rows(const Communicator& comm, const RowPartition& partition,
                      const std::vector<GlobalIndex>& ghosts, const ParallelMatrix& b);

}  // namespace solenoid

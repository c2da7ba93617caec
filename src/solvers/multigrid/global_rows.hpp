// Rows of matrices under way between ranks: their columns have their global numbers.
#pragma once

#include <algorithm>

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

// Row i has the entries [start[i], start[i + 1]).
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

// Ascending, each number once.
void sort_unique(std::vector<GlobalIndex>& numbers);

// From global numbers to a rank's columns: [0, own) its own ones, then its ghosts. partition: of
// the columns; ghosts: ascending, outlive this.
class Columns {
  public:
    Columns(const Communicator& comm, const RowPartition& partition,
            const std::vector<GlobalIndex>& ghosts)
        : first_(partition.start[comm.rank()]),
          own_(static_cast<Index>(partition.size(comm.rank()))),
          ghosts_(ghosts) {}
    bool is_own(GlobalIndex number) const { return number >= first_ && number < first_ + own_; }
    bool has(GlobalIndex number) const {  // own or a ghost
        return is_own(number) || std::binary_search(ghosts_.begin(), ghosts_.end(), number);
    }
    Index local(GlobalIndex number) const {  // of a number that it has
        if (is_own(number)) return static_cast<Index>(number - first_);
        return own_ + static_cast<Index>(std::lower_bound(ghosts_.begin(), ghosts_.end(), number) -
                                         ghosts_.begin());
    }

  private:
    GlobalIndex first_;
    Index own_;
    const std::vector<GlobalIndex>& ghosts_;
};

// The rows of a matrix.
GlobalRows global_rows(const Communicator& comm, const ParallelMatrix& a);

// The matrix of a rank's rows; partition: of the columns. Its ghosts are those that rows name.
ParallelMatrix localized(const Communicator& comm, const RowPartition& partition,
                         const GlobalRows& rows);

// outgoing: the rows for each rank; returns those from each. Three messages each. Collective.
std::map<int, GlobalRows> exchange_rows(const Communicator& comm,
                                        const std::map<int, GlobalRows>& outgoing);

// The rows of b that `ghosts` name, rows of other ranks in ascending order; partition: of b's rows.
// Collective.
GlobalRows ghost_rows(const Communicator& comm, const RowPartition& partition,
                      const std::vector<GlobalIndex>& ghosts, const ParallelMatrix& b);

}  // namespace solenoid

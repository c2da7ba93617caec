// Matrices whose rows more ranks have, or fewer.
#include <map>

#include "solvers/multigrid/global_rows.hpp"

namespace solenoid {

LayeredRows layered(const Communicator& comm, const ParallelMatrix& a,
                    const std::vector<GlobalIndex>& first, int count) {
    LayeredRows result;
    const Index own = a.own_columns(comm);
    result.ends.push_back(own);
    std::vector<GlobalIndex> layer = first;
    GlobalRows rows = global_rows(comm, a);
    std::map<GlobalIndex, Index> place;  // of ghosts
    for (int k = 0; k < count; ++k) {
        for (GlobalIndex ghost : layer) place[ghost] = own + static_cast<Index>(place.size());
        result.ghosts.insert(result.ghosts.end(), layer.begin(), layer.end());
        result.ends.push_back(own + static_cast<Index>(place.size()));
        const GlobalRows next = ghost_rows(comm, a.partition, layer, a);
        rows.append(next);
        layer.clear();
        for (GlobalIndex column : next.column)
            if (a.partition.owner(column) != comm.rank() && !place.contains(column))
                layer.push_back(column);
        sort_unique(layer);
    }
    result.rows.rows.start = std::move(rows.start);
    result.rows.entries = std::move(rows.entry);
    const GlobalIndex start = a.partition.start[comm.rank()];
    for (GlobalIndex column : rows.column) {
        const auto ghost = place.find(column);
        const bool is_own = column >= start && column < start + own;
        result.rows.rows.index.push_back(is_own                 ? static_cast<Index>(column - start)
                                         : ghost != place.end() ? ghost->second
                                                                : none);
    }
    return result;
}

ParallelMatrix gathered(const Communicator& comm, const ParallelMatrix& a, int group) {
    RowPartition partition = a.partition;
    for (int rank = 0; rank < comm.size(); ++rank)
        if (rank % group)
            partition.start[rank] =
                a.partition.start[std::min(comm.size(), (rank / group + 1) * group)];
    GlobalRows all;
    for (const auto& [rank, part] :
         exchange_rows(comm, {{comm.rank() - comm.rank() % group, global_rows(comm, a)}}))
        all.append(part);
    return localized(comm, partition, all);
}

ParallelMatrix replicated(const Communicator& comm, const ParallelMatrix& a) {
    std::map<int, GlobalRows> outgoing;
    for (int rank = 0; rank < comm.size(); ++rank) outgoing[rank] = global_rows(comm, a);
    GlobalRows all;
    for (const auto& [rank, part] : exchange_rows(comm, outgoing)) all.append(part);
    const Communicator self = Communicator::self();
    return localized(self, row_partition(self, static_cast<Index>(a.partition.count())), all);
}

}  // namespace solenoid

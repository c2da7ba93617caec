#include "solvers/multigrid/global_rows.hpp"

#include "parallel/bytes.hpp"

namespace solenoid {

void sort_unique(std::vector<GlobalIndex>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

GlobalRows global_rows(const Communicator& comm, const ParallelMatrix& a) {
    GlobalRows rows;
    rows.start = a.rows.rows.start;
    rows.entry = a.rows.entries;
    for (Index column : a.rows.rows.index) rows.column.push_back(a.global(comm, column));
    return rows;
}

ParallelMatrix localized(const Communicator& comm, const RowPartition& partition,
                         const GlobalRows& rows) {
    ParallelMatrix matrix;
    matrix.partition = partition;
    const Columns own(comm, partition, matrix.ghosts);
    if (comm.size() > 1) {
        for (GlobalIndex column : rows.column)
            if (!own.is_own(column)) matrix.ghosts.push_back(column);
        sort_unique(matrix.ghosts);
    }
    matrix.rows.rows.start = rows.start;
    matrix.rows.rows.index.resize(rows.column.size());
    for_each(0, rows.column.size(),
             [&](std::size_t k) { matrix.rows.rows.index[k] = own.local(rows.column[k]); });
    matrix.rows.entries = rows.entry;
    return matrix;
}

std::map<int, GlobalRows> exchange_rows(const Communicator& comm,
                                        const std::map<int, GlobalRows>& outgoing) {
    std::map<int, std::vector<Index>> starts;
    std::map<int, std::vector<GlobalIndex>> columns;
    std::map<int, std::vector<double>> entries;
    for (const auto& [rank, rows] : outgoing) {
        starts[rank] = rows.start;
        columns[rank] = rows.column;
        entries[rank] = rows.entry;
    }
    std::map<int, GlobalRows> incoming;
    for (auto& [rank, start] : exchange_values(comm, starts))
        incoming[rank].start = std::move(start);
    for (auto& [rank, column] : exchange_values(comm, columns))
        incoming[rank].column = std::move(column);
    for (auto& [rank, entry] : exchange_values(comm, entries))
        incoming[rank].entry = std::move(entry);
    return incoming;
}

GlobalRows ghost_rows(const Communicator& comm, const RowPartition& partition,
                      const std::vector<GlobalIndex>& ghosts, const ParallelMatrix& b) {
    const HaloPlan plan = halo_plan(comm, partition, ghosts);
    std::map<int, GlobalRows> outgoing;
    for (std::size_t n = 0; n < plan.neighbours.size(); ++n) {
        GlobalRows& rows = outgoing[plan.neighbours[n]];
        for (Index s = plan.send_start[n]; s < plan.send_start[n + 1]; ++s) {
            const Index i = plan.send[s];
            for (Index k = b.rows.rows.start[i]; k < b.rows.rows.start[i + 1]; ++k) {
                rows.column.push_back(b.global(comm, b.rows.rows.index[k]));
                rows.entry.push_back(b.rows.entries[k]);
            }
            rows.start.push_back(static_cast<Index>(rows.column.size()));
        }
    }
    GlobalRows result;  // owners ascend as the ghosts do
    for (const auto& [rank, rows] : exchange_rows(comm, outgoing)) result.append(rows);
    return result;
}

}  // namespace solenoid

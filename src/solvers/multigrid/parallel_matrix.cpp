#include "solvers/multigrid/parallel_matrix.hpp"

#include <algorithm>
#include <tuple>

#include "parallel/bytes.hpp"
#include "parallel/fill_ghosts.hpp"
#include "solvers/multigrid/global_rows.hpp"

namespace solenoid {
namespace {

// A row under way: its columns as they come, and their sums.
struct Row {
    explicit Row(Index columns) : last_row(columns, none), column(columns + 1), sum(columns, 0.0) {}
    std::vector<Index> last_row, column;  // column: with room for one more
    std::vector<double> sum;
};

// row += factor times a row of b. Whether an entry is its row's first in a column is as good as
// random: nothing branches on it. Returns the new number of columns.
inline Index add_row(Row& row, Index count, Index i, double factor, const HostMatrix& b,
                     Index of_b) {
    // nothing aliases: or the product takes a fifth longer
    Index* __restrict last_row = row.last_row.data();
    Index* __restrict column = row.column.data();
    double* __restrict sum = row.sum.data();
    const Index* __restrict from = b.rows.index.data();
    const double* __restrict entry = b.entries.data();
    const Index end = b.rows.start[of_b + 1];
    for (Index k = b.rows.start[of_b]; k < end; ++k) {
        const Index j = from[k];
        column[count] = j;
        count += last_row[j] != i;
        last_row[j] = i;
        sum[j] += factor * entry[k];
    }
    return count;
}

// Adds the row to a matrix and clears it.
void flush(Row& row, Index count, HostMatrix& c) {
    const std::size_t first = c.entries.size();
    c.rows.index.insert(c.rows.index.end(), row.column.begin(), row.column.begin() + count);
    c.entries.resize(first + count);
    for (Index n = 0; n < count; ++n) {
        double& sum = row.sum[row.column[n]];
        c.entries[first + n] = sum;
        sum = 0;
    }
    c.end_row();
}

// C = A B on rows that are all here: of j < B's rows in `own`, of the others in `other`.
HostMatrix local_product(const HostMatrix& a, const HostMatrix& own, const HostMatrix& other,
                         Index columns) {
    const Index own_rows = static_cast<Index>(own.rows.rows());
    return joined(pieces_of(
        a.rows.rows(),
        [&](Index begin, Index end) {
            HostMatrix c;
            const Index entries = a.rows.start[end] - a.rows.start[begin];
            c.rows.start.reserve(end - begin + 1);
            c.rows.index.reserve(entries);
            c.entries.reserve(entries);
            Row row(columns);
            for (Index i = begin; i < end; ++i) {
                Index count = 0;
                for (Index k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
                    const Index j = a.rows.index[k];
                    count = j < own_rows
                                ? add_row(row, count, i, a.entries[k], own, j)
                                : add_row(row, count, i, a.entries[k], other, j - own_rows);
                }
                flush(row, count, c);
            }
            return c;
        },
        16384, 1));
}

// Brings ghosts in any order into ascending order, without those that no entry names.
void order_ghosts(const Communicator& comm, ParallelMatrix& matrix) {
    const Index own = matrix.own_columns(comm);
    std::vector<Index> place(matrix.ghosts.size(), none);
    for (Index column : matrix.rows.rows.index)
        if (column >= own) place[column - own] = 0;
    std::vector<GlobalIndex> kept;
    for (std::size_t g = 0; g < place.size(); ++g)
        if (place[g] != none) kept.push_back(matrix.ghosts[g]);
    sort_unique(kept);
    const Columns columns(comm, matrix.partition, kept);
    for (std::size_t g = 0; g < place.size(); ++g)
        if (place[g] != none) place[g] = columns.local(matrix.ghosts[g]);
    for (Index& column : matrix.rows.rows.index)
        if (column >= own) column = place[column - own];
    matrix.ghosts = std::move(kept);
}

}  // namespace

RowPartition row_partition(const Communicator& comm, Index own) {
    std::vector<GlobalIndex> sizes(comm.size(), 0);
    sizes[comm.rank()] = own;
    comm.sum(sizes);
    return RowPartition::of(sizes);
}

GlobalIndex ParallelMatrix::global(const Communicator& comm, Index column) const {
    const Index own = own_columns(comm);
    return column < own ? partition.start[comm.rank()] + column : ghosts[column - own];
}

HaloPlan halo_plan(const Communicator& comm, const RowPartition& partition,
                   const std::vector<GlobalIndex>& ghosts) {
    HaloPlan plan;
    if (comm.size() == 1) return plan;
    std::map<int, std::vector<GlobalIndex>> wanted;
    std::map<int, std::vector<Index>> positions;
    for (std::size_t g = 0; g < ghosts.size(); ++g) {
        const int owner = partition.owner(ghosts[g]);
        wanted[owner].push_back(ghosts[g]);
        positions[owner].push_back(static_cast<Index>(partition.size(comm.rank())) +
                                   static_cast<Index>(g));
    }
    const auto asked = exchange_values(comm, wanted);
    for (int rank = 0; rank < comm.size(); ++rank) {
        const auto out = asked.find(rank);
        const auto in = wanted.find(rank);
        if (out == asked.end() && in == wanted.end()) continue;
        plan.neighbours.push_back(rank);
        if (out != asked.end())
            for (GlobalIndex number : out->second)
                plan.send.push_back(static_cast<Index>(number - partition.start[comm.rank()]));
        if (in != wanted.end())
            plan.receive.insert(plan.receive.end(), positions[rank].begin(), positions[rank].end());
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

std::vector<GlobalIndex> names_of_columns(const Communicator& comm, const ParallelMatrix& a,
                                          std::vector<GlobalIndex> names) {
    names.resize(a.all_columns(comm));
    fill_ghosts(comm, halo_plan(comm, a.partition, a.ghosts), names);
    return names;
}

void sort_rows(HostMatrix& matrix, const std::vector<GlobalIndex>& names) {
    in_parts(0, matrix.rows.rows(), [&](std::size_t begin, std::size_t end) {
        std::vector<std::pair<Index, double>> row;
        for (std::size_t i = begin; i < end; ++i) {
            const Index first = matrix.rows.start[i], last = matrix.rows.start[i + 1];
            row.clear();
            for (Index k = first; k < last; ++k)
                row.emplace_back(matrix.rows.index[k], matrix.entries[k]);
            std::ranges::stable_sort(row, {},
                                     [&](const auto& entry) { return names[entry.first]; });
            for (Index k = first; k < last; ++k)
                std::tie(matrix.rows.index[k], matrix.entries[k]) = row[k - first];
        }
    });
}

ParallelMatrix parallel_matrix(const Communicator& comm, const EntityRanges& ranges,
                               const HaloPlan& halo, const HostMatrix& matrix,
                               const std::vector<Index>& fixed) {
    const RowPartition partition = row_partition(comm, ranges.owned);
    std::vector<GlobalIndex> number(ranges.all);
    std::vector<std::uint8_t> is_fixed(ranges.all, 0);
    for (Index i = 0; i < ranges.owned; ++i) number[i] = partition.start[comm.rank()] + i;
    for (Index i : fixed)
        if (i < ranges.owned) is_fixed[i] = 1;
    fill_ghosts(comm, halo, number);
    fill_ghosts(comm, halo, is_fixed);
    HostMatrix free = joined(pieces_of(ranges.owned, [&](Index begin, Index end) {
        HostMatrix piece;
        piece.rows.start.reserve(end - begin + 1);
        piece.rows.index.reserve(matrix.rows.start[end] - matrix.rows.start[begin]);
        piece.entries.reserve(matrix.rows.start[end] - matrix.rows.start[begin]);
        for (Index i = begin; i < end; ++i) {
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1] && !is_fixed[i];
                 ++k) {
                const Index j = matrix.rows.index[k];
                if (!is_fixed[j] && matrix.entries[k] != 0) piece.append(j, matrix.entries[k]);
            }
            piece.end_row();
        }
        return piece;
    }));
    if (halo.names) sort_rows(free, *halo.names);
    if (comm.size() == 1) return {partition, {}, std::move(free)};
    GlobalRows rows{std::move(free.rows.start), std::vector<GlobalIndex>(free.rows.index.size()),
                    std::move(free.entries)};
    for_each(0, rows.column.size(),
             [&](std::size_t k) { rows.column[k] = number[free.rows.index[k]]; });
    return localized(comm, partition, rows);
}

ParallelMatrix product(const Communicator& comm, const ParallelMatrix& a, const ParallelMatrix& b) {
    ParallelMatrix c;
    c.partition = b.partition;
    if (comm.size() == 1) {
        c.rows = local_product(a.rows, b.rows, {}, b.own_columns(comm));
        return c;
    }
    const GlobalRows far = ghost_rows(comm, a.partition, a.ghosts, b);
    // b's ghosts keep their places, so that its rows serve as they are; what the others' rows add
    // comes after them.
    const Columns known(comm, b.partition, b.ghosts);
    std::vector<GlobalIndex> added;
    for (GlobalIndex column : far.column)
        if (!known.has(column)) added.push_back(column);
    sort_unique(added);
    const Columns beyond(comm, b.partition, added);
    HostMatrix other;
    other.rows.start = far.start;
    other.entries = far.entry;
    for (GlobalIndex column : far.column)
        other.rows.index.push_back(known.has(column) ? known.local(column)
                                                     : beyond.local(column) +
                                                           static_cast<Index>(b.ghosts.size()));
    c.ghosts = b.ghosts;
    c.ghosts.insert(c.ghosts.end(), added.begin(), added.end());
    c.rows = local_product(a.rows, b.rows, other, c.all_columns(comm));
    order_ghosts(comm, c);
    return c;
}

ParallelMatrix transposed(const Communicator& comm, const ParallelMatrix& a,
                          const RowPartition& rows) {
    struct Entry {
        GlobalIndex row, column;
        double entry;
    };
    if (comm.size() == 1) return {rows, {}, transposed(a.rows, a.own_columns(comm))};
    const Index own = a.own_columns(comm), here = static_cast<Index>(a.rows.rows.rows());
    std::map<int, std::vector<Entry>> outgoing;
    std::vector<Index> start(own + 1, 0);
    for (Index i = 0; i < here; ++i)
        for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k) {
            const Index j = a.rows.rows.index[k];
            if (j < own)
                ++start[j + 1];
            else
                outgoing[a.partition.owner(a.ghosts[j - own])].push_back(
                    {a.ghosts[j - own], rows.start[comm.rank()] + i, a.rows.entries[k]});
        }
    ParallelMatrix result;
    result.partition = rows;
    const auto incoming = exchange_values(comm, outgoing);
    const GlobalIndex first = a.partition.start[comm.rank()];
    for (const auto& [rank, entries] : incoming)
        for (const Entry& e : entries) {
            ++start[e.row - first + 1];
            result.ghosts.push_back(e.column);
        }
    sort_unique(result.ghosts);
    for (Index j = 0; j < own; ++j) start[j + 1] += start[j];
    result.rows.rows.start = start;
    result.rows.rows.index.resize(start.back());
    result.rows.entries.resize(start.back());
    const auto append_entry = [&](Index row, Index column, double entry) {
        result.rows.rows.index[start[row]] = column;
        result.rows.entries[start[row]++] = entry;
    };
    for (Index i = 0; i < here; ++i)
        for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k)
            if (a.rows.rows.index[k] < own)
                append_entry(a.rows.rows.index[k], i, a.rows.entries[k]);
    const Columns columns(comm, rows, result.ghosts);
    for (const auto& [rank, entries] : incoming)
        for (const Entry& e : entries)
            append_entry(static_cast<Index>(e.row - first), columns.local(e.column), e.entry);
    return result;
}

}  // namespace solenoid

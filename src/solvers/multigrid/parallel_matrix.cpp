#include "solvers/multigrid/parallel_matrix.hpp"

#include <algorithm>

#include "parallel/bytes.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {
namespace {

// Rows whose columns have their global numbers.
struct GlobalRows {
    std::vector<Index> start{0};
    std::vector<GlobalIndex> column;
    std::vector<double> entry;

    void append(const GlobalRows& other) {
        const Index offset = start.back();
        for (std::size_t i = 1; i < other.start.size(); ++i) start.push_back(offset + other.start[i]);
        column.insert(column.end(), other.column.begin(), other.column.end());
        entry.insert(entry.end(), other.entry.begin(), other.entry.end());
    }
};

void sort_unique(std::vector<GlobalIndex>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// From global numbers to own columns and places among the ghosts.
class Columns {
  public:
    Columns(const Communicator& comm, const Spread& spread, const std::vector<GlobalIndex>& ghosts)
        : first_(spread.first[comm.rank()]), own_(spread.own(comm.rank())), ghosts_(ghosts) {}
    bool is_own(GlobalIndex number) const { return number >= first_ && number < first_ + own_; }
    bool has(GlobalIndex number) const { return is_own(number) || std::binary_search(ghosts_.begin(), ghosts_.end(), number); }
    Index local(GlobalIndex number) const {
        if (is_own(number)) return static_cast<Index>(number - first_);
        return own_ + static_cast<Index>(std::lower_bound(ghosts_.begin(), ghosts_.end(), number) - ghosts_.begin());
    }

  private:
    GlobalIndex first_;
    Index own_;
    const std::vector<GlobalIndex>& ghosts_;
};

GlobalRows global_rows(const Communicator& comm, const ParallelMatrix& a) {
    GlobalRows rows;
    rows.start = a.rows.rows.start;
    rows.entry = a.rows.entries;
    for (Index column : a.rows.rows.index) rows.column.push_back(a.global(comm, column));
    return rows;
}

ParallelMatrix localized(const Communicator& comm, const Spread& spread, const GlobalRows& rows) {
    ParallelMatrix matrix;
    matrix.spread = spread;
    const Columns own(comm, spread, matrix.ghosts);
    if (comm.size() > 1) {
        for (GlobalIndex column : rows.column)
            if (!own.is_own(column)) matrix.ghosts.push_back(column);
        sort_unique(matrix.ghosts);
    }
    matrix.rows.rows.start = rows.start;
    matrix.rows.rows.index.resize(rows.column.size());
    for_each(0, rows.column.size(), [&](std::size_t k) { matrix.rows.rows.index[k] = own.local(rows.column[k]); });
    matrix.rows.entries = rows.entry;
    return matrix;
}

// Rows to and from several ranks: three messages each.
std::map<int, GlobalRows> exchange_rows(const Communicator& comm, const std::map<int, GlobalRows>& outgoing) {
    std::map<int, std::vector<Index>> starts;
    std::map<int, std::vector<GlobalIndex>> columns;
    std::map<int, std::vector<double>> entries;
    for (const auto& [rank, rows] : outgoing) {
        starts[rank] = rows.start;
        columns[rank] = rows.column;
        entries[rank] = rows.entry;
    }
    std::map<int, GlobalRows> incoming;
    for (auto& [rank, start] : exchange_values(comm, starts)) incoming[rank].start = std::move(start);
    for (auto& [rank, column] : exchange_values(comm, columns)) incoming[rank].column = std::move(column);
    for (auto& [rank, entry] : exchange_values(comm, entries)) incoming[rank].entry = std::move(entry);
    return incoming;
}

// The rows of b that a's ghosts name, in their order.
GlobalRows ghost_rows(const Communicator& comm, const ParallelMatrix& a, const ParallelMatrix& b) {
    const HaloPlan plan = halo_plan(comm, a.spread, a.ghosts);
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

// A row under way: its columns as they come, and their sums.
struct Row {
    explicit Row(Index columns) : last_row(columns, none), column(columns + 1), sum(columns, 0.0) {}
    std::vector<Index> last_row, column;  // column: with room for one more
    std::vector<double> sum;
};

// row += factor times a row of b. Whether an entry is its row's first in a column is as good as random: nothing branches on
// it. Returns the new number of columns.
inline Index add_row(Row& row, Index count, Index i, double factor, const HostMatrix& b, Index of_b) {
    Index* __restrict last_row = row.last_row.data();  // nothing aliases: or the product takes a fifth longer
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
HostMatrix local_product(const HostMatrix& a, const HostMatrix& own, const HostMatrix& other, Index columns) {
    const Index own_rows = static_cast<Index>(own.rows.rows());
    return joined(pieces_of(a.rows.rows(), [&](Index begin, Index end) {
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
                count = j < own_rows ? add_row(row, count, i, a.entries[k], own, j) : add_row(row, count, i, a.entries[k], other, j - own_rows);
            }
            flush(row, count, c);
        }
        return c;
    }, 16384, 1));
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
    const Columns columns(comm, matrix.spread, kept);
    for (std::size_t g = 0; g < place.size(); ++g)
        if (place[g] != none) place[g] = columns.local(matrix.ghosts[g]);
    for (Index& column : matrix.rows.rows.index)
        if (column >= own) column = place[column - own];
    matrix.ghosts = std::move(kept);
}

}  // namespace

Spread Spread::of(const Communicator& comm, Index own) {
    std::vector<std::int64_t> counts(comm.size(), 0);
    counts[comm.rank()] = own;
    comm.sum(counts);
    Spread spread;
    for (std::int64_t count : counts) spread.first.push_back(spread.first.back() + count);
    return spread;
}

int Spread::owner(GlobalIndex number) const {
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), number) - first.begin()) - 1;
}

GlobalIndex ParallelMatrix::global(const Communicator& comm, Index column) const {
    const Index own = own_columns(comm);
    return column < own ? spread.first[comm.rank()] + column : ghosts[column - own];
}

HaloPlan halo_plan(const Communicator& comm, const Spread& spread, const std::vector<GlobalIndex>& ghosts) {
    HaloPlan plan;
    if (comm.size() == 1) return plan;
    std::map<int, std::vector<GlobalIndex>> wanted;
    for (GlobalIndex ghost : ghosts) wanted[spread.owner(ghost)].push_back(ghost);
    const auto asked = exchange_values(comm, wanted);
    Index place = spread.own(comm.rank());
    for (int rank = 0; rank < comm.size(); ++rank) {
        const auto out = asked.find(rank);
        const auto in = wanted.find(rank);
        if (out == asked.end() && in == wanted.end()) continue;
        plan.neighbours.push_back(rank);
        if (out != asked.end())
            for (GlobalIndex number : out->second) plan.send.push_back(static_cast<Index>(number - spread.first[comm.rank()]));
        if (in != wanted.end())
            for (std::size_t k = 0; k < in->second.size(); ++k) plan.receive.push_back(place++);
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

ParallelMatrix parallel_matrix(const Communicator& comm, const EntityRanges& ranges, const HaloPlan& halo, const HostMatrix& matrix,
                               const std::vector<Index>& fixed) {
    const Spread spread = Spread::of(comm, ranges.owned);
    std::vector<GlobalIndex> number(ranges.all);
    std::vector<std::uint8_t> is_fixed(ranges.all, 0);
    for (Index i = 0; i < ranges.owned; ++i) number[i] = spread.first[comm.rank()] + i;
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
            for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1] && !is_fixed[i]; ++k) {
                const Index j = matrix.rows.index[k];
                if (!is_fixed[j] && matrix.entries[k] != 0) piece.append(j, matrix.entries[k]);
            }
            piece.end_row();
        }
        return piece;
    }));
    if (comm.size() == 1) return {spread, {}, std::move(free)};
    GlobalRows rows{std::move(free.rows.start), std::vector<GlobalIndex>(free.rows.index.size()), std::move(free.entries)};
    for_each(0, rows.column.size(), [&](std::size_t k) { rows.column[k] = number[free.rows.index[k]]; });
    return localized(comm, spread, rows);
}

ParallelMatrix product(const Communicator& comm, const ParallelMatrix& a, const ParallelMatrix& b) {
    ParallelMatrix c;
    c.spread = b.spread;
    if (comm.size() == 1) {
        c.rows = local_product(a.rows, b.rows, {}, b.own_columns(comm));
        return c;
    }
    const GlobalRows far = ghost_rows(comm, a, b);
    // b's ghosts keep their places, so that its rows serve as they are; what the others' rows add comes after them.
    const Columns known(comm, b.spread, b.ghosts);
    std::vector<GlobalIndex> added;
    for (GlobalIndex column : far.column)
        if (!known.has(column)) added.push_back(column);
    sort_unique(added);
    const Columns beyond(comm, b.spread, added);
    HostMatrix other;
    other.rows.start = far.start;
    other.entries = far.entry;
    for (GlobalIndex column : far.column)
        other.rows.index.push_back(known.has(column) ? known.local(column) : beyond.local(column) + static_cast<Index>(b.ghosts.size()));
    c.ghosts = b.ghosts;
    c.ghosts.insert(c.ghosts.end(), added.begin(), added.end());
    c.rows = local_product(a.rows, b.rows, other, c.all_columns(comm));
    order_ghosts(comm, c);
    return c;
}

ParallelMatrix transposed(const Communicator& comm, const ParallelMatrix& a, const Spread& rows) {
    struct Entry {
        GlobalIndex row, column;
        double entry;
    };
    const Index own = a.own_columns(comm), here = static_cast<Index>(a.rows.rows.rows());
    std::map<int, std::vector<Entry>> outgoing;
    std::vector<Index> start(own + 1, 0);
    for (Index i = 0; i < here; ++i)
        for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k) {
            const Index j = a.rows.rows.index[k];
            if (j < own) ++start[j + 1];
            else outgoing[a.spread.owner(a.ghosts[j - own])].push_back({a.ghosts[j - own], rows.first[comm.rank()] + i, a.rows.entries[k]});
        }
    ParallelMatrix result;
    result.spread = rows;
    const auto incoming = comm.size() > 1 ? exchange_values(comm, outgoing) : outgoing;
    const GlobalIndex first = a.spread.first[comm.rank()];
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
    const auto put = [&](Index row, Index column, double entry) {
        result.rows.rows.index[start[row]] = column;
        result.rows.entries[start[row]++] = entry;
    };
    for (Index i = 0; i < here; ++i)
        for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k)
            if (a.rows.rows.index[k] < own) put(a.rows.rows.index[k], i, a.rows.entries[k]);
    const Columns columns(comm, rows, result.ghosts);
    for (const auto& [rank, entries] : incoming)
        for (const Entry& e : entries) put(static_cast<Index>(e.row - first), columns.local(e.column), e.entry);
    return result;
}

ParallelMatrix gathered(const Communicator& comm, const ParallelMatrix& a, int group) {
    Spread spread = a.spread;
    for (int rank = 0; rank < comm.size(); ++rank)
        if (rank % group) spread.first[rank] = a.spread.first[std::min(comm.size(), (rank / group + 1) * group)];
    GlobalRows all;
    for (const auto& [rank, part] : exchange_rows(comm, {{comm.rank() - comm.rank() % group, global_rows(comm, a)}})) all.append(part);
    return localized(comm, spread, all);
}

ParallelMatrix replicated(const Communicator& comm, const ParallelMatrix& a) {
    std::map<int, GlobalRows> outgoing;
    for (int rank = 0; rank < comm.size(); ++rank) outgoing[rank] = global_rows(comm, a);
    GlobalRows all;
    for (const auto& [rank, part] : exchange_rows(comm, outgoing)) all.append(part);
    const Communicator self = Communicator::self();
    return localized(self, Spread::of(self, static_cast<Index>(a.spread.total())), all);
}

}  // namespace solenoid

#include "parallel/global_numbers.hpp"

#include <stdexcept>

#include "core/row_partition.hpp"
#include "core/sorted.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {
namespace {

using Key = std::array<GlobalIndex, 3>;  // the nodes of an edge or a face, ascending, then -1

struct Entry {
    Key key;
    Index place;  // among the entries of this rank, by sender
};

Key key_of(const Mesh& mesh, Kind kind, Index entity) {
    Key key{-1, -1, -1};
    const Index* nodes = mesh.nodes_of(kind, entity);
    for (int j = 0; j < mesh.node_count_of(kind); ++j) key[j] = mesh.node_number[nodes[j]];
    return key;
}

// For each key that other ranks have sent, by sender, its place in the order of all keys.
std::map<int, std::vector<GlobalIndex>> order_keys(const Communicator& comm,
                                                   std::map<int, std::vector<Key>>&& keys) {
    std::vector<Entry> entries;
    for (auto& [rank, some] : keys)
        for (const Key& key : some) entries.push_back({key, static_cast<Index>(entries.size())});
    sort_in_threads(entries, [](const Entry& a, const Entry& b) {
        return std::tie(a.key, a.place) < std::tie(b.key, b.place);
    });
    comm.agree([&] {
        const auto same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
        if (std::adjacent_find(entries.begin(), entries.end(), same) != entries.end())
            throw std::logic_error("two edges or faces have the same nodes");
    });
    const auto sizes =
        gathered(comm, std::vector<GlobalIndex>{static_cast<GlobalIndex>(entries.size())});
    const GlobalIndex first = RowPartition::of(sizes).first(comm.rank());
    std::vector<GlobalIndex> number(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        number[entries[i].place] = first + static_cast<GlobalIndex>(i);
    std::map<int, std::vector<GlobalIndex>> result;
    auto next = number.begin();
    for (const auto& [rank, some] : keys) {
        const auto end = next + static_cast<std::ptrdiff_t>(some.size());
        result[rank].assign(next, end);
        next = end;
    }
    return result;
}

}  // namespace

// An entity's key goes to the rank whose range of nodes has the entity's lowest one, so that the
// keys of a rank stand before those of the next.
std::vector<GlobalIndex> global_numbers(const Communicator& comm, const DistributedMesh& mesh,
                                        Kind kind) {
    if (kind == Kind::node) return mesh.mesh.node_number;
    if (kind == Kind::cell) return mesh.mesh.cell_number;
    const EntityRanges& range = mesh.range(kind);
    const auto nodes =
        RowPartition::even(mesh.global_count[static_cast<int>(Kind::node)], comm.size());
    std::map<int, std::vector<Key>> keys;
    for (Index e = 0; e < range.owned; ++e) {
        const Key key = key_of(mesh.mesh, kind, e);
        keys[nodes.owner(key[0])].push_back(key);
    }
    const auto answers =
        exchange_values(comm, order_keys(comm, exchange_values(comm, std::move(keys))));
    std::map<int, std::size_t> next;
    std::vector<GlobalIndex> number(range.all);
    for (Index e = 0; e < range.owned; ++e) {
        const int rank = nodes.owner(key_of(mesh.mesh, kind, e)[0]);
        number[e] = answers.at(rank)[next[rank]++];
    }
    fill_ghosts(comm, mesh.halo(kind), number);
    return number;
}

}  // namespace solenoid

#include "parallel/halo_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/hash.hpp"
#include "core/reproducible.hpp"
#include "core/threads.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

// A key of an entity, equal on all ranks: the cell's number, or the numbers of its nodes,
// ascending.
using EntityKey = std::array<GlobalIndex, 3>;

EntityKey entity_key(const Mesh& mesh, Kind kind, Index entity) {
    EntityKey key{-1, -1, -1};
    if (kind == Kind::cell) {
        key[0] = mesh.cell_number[entity];
    } else {
        const Index* nodes = mesh.nodes_of(kind, entity);
        for (int j = 0; j < mesh.node_count_of(kind); ++j) key[j] = mesh.node_number[nodes[j]];
    }
    return key;
}

// Numbers of cells and nodes, and hashes of the keys of edges and faces.
std::shared_ptr<const std::vector<GlobalIndex>> names_of(const Mesh& mesh, Kind kind, Index count) {
    auto names = std::make_shared<std::vector<GlobalIndex>>(count);
    for_each(0, count, [&](Index e) {
        const EntityKey key = entity_key(mesh, kind, e);
        std::uint64_t hash = 0;
        for (const GlobalIndex number : key) hash = mixed(hash + std::uint64_t(number));
        (*names)[e] = key[1] < 0 ? key[0] : static_cast<GlobalIndex>(hash >> 1);
    });
    return names;
}

// Lookup of entities by key.
class Directory {
  public:
    Directory(const Mesh& mesh, Kind kind, Range range) : kind_(kind) {
        entries_.reserve(range.size());
        for (Index e = range.begin; e < range.end; ++e)
            entries_.emplace_back(entity_key(mesh, kind, e), e);
        std::sort(entries_.begin(), entries_.end());
    }
    Index find(const EntityKey& key) const {
        const auto found =
            std::lower_bound(entries_.begin(), entries_.end(), std::pair(key, Index(0)));
        if (found == entries_.end() || found->first != key)
            throw std::logic_error(
                fmt::format("halo: {} ({} {} {}) is not where a neighbour expects it",
                            name_of(kind_), key[0], key[1], key[2]));
        return found->second;
    }

  private:
    Kind kind_;
    std::vector<std::pair<EntityKey, Index>> entries_;
};

using Keys = std::map<int, std::vector<EntityKey>>;

// The owners of the entities in [owned, all): those of shared ones are known, those of ghosts are
// requested from other ranks.
std::vector<int> settle_owners(const Communicator& comm, const Mesh& mesh, Kind kind,
                               const Numbering& numbering) {
    const EntityRanges& ranges = numbering.ranges;
    std::vector<int> owner = numbering.foreign_owner;
    if (kind == Kind::cell) return owner;

    Keys questions;
    for (Index e = ranges.shared; e < ranges.all; ++e)
        questions[owner[e - ranges.owned]].push_back(entity_key(mesh, kind, e));
    questions = exchange_values(comm, questions);

    std::map<int, std::vector<int>> answers;
    comm.agree([&] {
        const Directory directory(mesh, kind, {ranges.interior, ranges.shared});
        for (const auto& [rank, keys] : questions)
            for (const EntityKey& key : keys) {
                const Index e = directory.find(key);
                answers[rank].push_back(
                    e < ranges.owned ? comm.rank() : numbering.foreign_owner[e - ranges.owned]);
            }
    });
    answers = exchange_values(comm, answers);

    std::map<int, std::size_t> taken;
    for (Index e = ranges.shared; e < ranges.all; ++e) {
        int& rank = owner[e - ranges.owned];
        rank = answers.at(rank)[taken[rank]++];
    }
    return owner;
}

}  // namespace

HaloPlan halo_plan(const Communicator& comm, const Mesh& mesh, Kind kind,
                   const Numbering& numbering) {
    HaloPlan plan;
    if (is_reproducible()) plan.names = names_of(mesh, kind, numbering.ranges.all);
    if (comm.size() == 1) return plan;
    const EntityRanges& ranges = numbering.ranges;
    const std::vector<int> owner = settle_owners(comm, mesh, kind, numbering);

    std::map<int, std::vector<Index>> receive, send;
    Keys wanted;
    for (Index e = ranges.owned; e < ranges.all; ++e) {
        receive[owner[e - ranges.owned]].push_back(e);
        wanted[owner[e - ranges.owned]].push_back(entity_key(mesh, kind, e));
    }
    wanted = exchange_values(comm, wanted);
    comm.agree([&] {
        const Directory directory(mesh, kind, {ranges.interior, ranges.owned});
        for (const auto& [rank, keys] : wanted)
            for (const EntityKey& key : keys) send[rank].push_back(directory.find(key));
    });

    std::set<int> neighbours;
    for (const auto& side : {receive, send})
        for (const auto& [rank, entities] : side) neighbours.insert(rank);
    for (int rank : neighbours) {
        plan.neighbours.push_back(rank);
        plan.send.insert(plan.send.end(), send[rank].begin(), send[rank].end());
        plan.send_start.push_back(static_cast<Index>(plan.send.size()));
        plan.receive.insert(plan.receive.end(), receive[rank].begin(), receive[rank].end());
        plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
    }
    return plan;
}

HaloPlan narrowed(const Communicator& comm, const HaloPlan& plan, std::span<const Index> read) {
    if (comm.size() == 1) return plan;
    std::vector<bool> is_read(read.empty() ? 0 : *std::ranges::max_element(read) + 1, false);
    for (Index i : read) is_read[i] = true;
    std::map<int, std::vector<Index>> wanted;  // places in the neighbour's message
    for (std::size_t n = 0; n < plan.neighbours.size(); ++n)
        for (Index r = plan.receive_start[n]; r < plan.receive_start[n + 1]; ++r)
            if (plan.receive[r] < is_read.size() && is_read[plan.receive[r]])
                wanted[plan.neighbours[n]].push_back(r - plan.receive_start[n]);
    const auto asked = exchange_values(comm, wanted);
    HaloPlan result;
    result.names = plan.names;
    for (std::size_t n = 0; n < plan.neighbours.size(); ++n) {
        const int rank = plan.neighbours[n];
        const auto in = wanted.find(rank);
        const auto out = asked.find(rank);
        if (in == wanted.end() && out == asked.end()) continue;
        result.neighbours.push_back(rank);
        if (out != asked.end())
            for (Index place : out->second)
                result.send.push_back(plan.send[plan.send_start[n] + place]);
        if (in != wanted.end())
            for (Index place : in->second)
                result.receive.push_back(plan.receive[plan.receive_start[n] + place]);
        result.send_start.push_back(static_cast<Index>(result.send.size()));
        result.receive_start.push_back(static_cast<Index>(result.receive.size()));
    }
    return result;
}

std::vector<std::uint8_t> DistributedMesh::marker(Kind kind) const {
    std::vector<std::uint8_t> marker(range(kind).all, 0);
    std::fill_n(marker.begin(), range(kind).owned, std::uint8_t(1));
    return marker;
}

}  // namespace solenoid

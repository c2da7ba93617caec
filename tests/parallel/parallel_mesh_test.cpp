// The distributed mesh against the same mesh on one rank.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "entity_keys.hpp"
#include "parallel/bytes.hpp"
#include "parallel/global_numbers.hpp"
#include "parallel/mesh_hash.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/periodic_meshes.hpp"
#include "support/sample_meshes.hpp"

namespace solenoid::parallel_mesh_test {
namespace {

struct Sample {
    const char* name;
    int dimension;
    std::size_t cells;
    bool is_two = false;
    CellOrdering ordering = CellOrdering::hilbert;

    SimplexMesh mesh() const {
        return is_two ? sample::two_boxes(dimension, cells) : sample::box(dimension, cells);
    }
};
std::ostream& operator<<(std::ostream& out, const Sample& sample) { return out << sample.name; }

class Distributed : public testing::TestWithParam<Sample> {
  protected:
    Distributed()
        : comm(Communicator::world()),
          whole(distribute(Communicator::self(), GetParam().mesh(), CellOrdering::file)),
          part(distribute(comm, comm.is_root() ? std::optional(GetParam().mesh()) : std::nullopt,
                          GetParam().ordering)) {
        for (Index c = 0; c < whole.mesh.cells(); ++c) cell_at[whole.mesh.cell_number[c]] = c;
    }

    std::vector<EntityKey> keys(const DistributedMesh& from, Kind kind, Range range) const {
        std::vector<EntityKey> result;
        for (Index e = range.begin; e < range.end; ++e)
            result.push_back(entity_key(from.mesh, kind, e));
        std::sort(result.begin(), result.end());
        return result;
    }

    // The cells of the whole mesh that contain an entity of the kind.
    std::map<EntityKey, std::set<GlobalIndex>> cells_of_entities(Kind kind) const {
        std::map<EntityKey, std::set<GlobalIndex>> cells;
        const Table& table = cell_entities(whole.mesh, kind);
        for (Index c = 0; c < whole.mesh.cells(); ++c)
            for (int j = 0; j < table.width; ++j)
                cells[entity_key(whole.mesh, kind, entity_of(table(c, j)))].insert(
                    whole.mesh.cell_number[c]);
        return cells;
    }

    Communicator comm;
    DistributedMesh whole, part;
    std::map<GlobalIndex, Index> cell_at;  // in the whole mesh
};

TEST_P(Distributed, MarksEveryEntityOnce) {
    for (Kind kind : all_kinds) {
        const auto own = keys(part, kind, part.range(kind).owned_range());
        std::vector<EntityKey> all;
        for (const auto& bytes : comm.gather(bytes_of(own))) {
            const auto some = values_in<EntityKey>(bytes);
            all.insert(all.end(), some.begin(), some.end());
        }
        std::sort(all.begin(), all.end());
        if (comm.is_root()) {
            EXPECT_EQ(all, keys(whole, kind, whole.range(kind).whole())) << name_of(kind);
        }
        EXPECT_EQ(part.global_count, whole.global_count);
        EXPECT_EQ(part.mesh.count(kind), part.range(kind).all);
        const auto marker = part.marker(kind);
        EXPECT_EQ(std::count(marker.begin(), marker.end(), 1),
                  std::ptrdiff_t(part.range(kind).owned));
    }
}

TEST_P(Distributed, HoldsEveryCellThatSharesANode) {
    const auto cells_at = cells_of_entities(Kind::node);
    std::set<GlobalIndex> expected;
    for (Index c = 0; c < part.range(Kind::cell).owned; ++c)
        for (int j = 0; j < part.mesh.cell_nodes.width; ++j) {
            const auto& cells =
                cells_at.at(entity_key(part.mesh, Kind::node, part.mesh.cell_nodes(c, j)));
            expected.insert(cells.begin(), cells.end());
        }
    EXPECT_EQ(std::set<GlobalIndex>(part.mesh.cell_number.begin(), part.mesh.cell_number.end()),
              expected);
    EXPECT_EQ(part.mesh.cell_number.size(), expected.size());
    for (Index c = 0; c < part.mesh.cells(); ++c)
        EXPECT_EQ(part.cell_owner[c] == comm.rank(), c < part.range(Kind::cell).owned);
}

TEST_P(Distributed, OrdersEntitiesByTheCellsThatContainThem) {
    std::map<GlobalIndex, Index> local;
    for (Index c = 0; c < part.mesh.cells(); ++c) local[part.mesh.cell_number[c]] = c;
    const EntityRanges& cells = part.range(Kind::cell);
    for (Kind kind : {Kind::node, Kind::edge, Kind::face}) {
        const auto cells_at = cells_of_entities(kind);
        const EntityRanges& ranges = part.range(kind);
        for (Index e = 0; e < ranges.all; ++e) {
            bool is_inside = true, is_own = false;
            for (GlobalIndex c : cells_at.at(entity_key(part.mesh, kind, e))) {
                is_inside &= local.count(c) && local[c] < cells.interior;
                is_own |= local.count(c) && local[c] < cells.owned;
            }
            EXPECT_EQ(is_inside, e < ranges.interior) << name_of(kind);
            EXPECT_EQ(is_own, e < ranges.shared) << name_of(kind);
        }
    }
}

TEST_P(Distributed, InteriorEntitiesTouchNoGhost) {
    const Mesh& mesh = part.mesh;
    std::set<Index> ghost_nodes;
    for (Index c = part.range(Kind::cell).owned; c < mesh.cells(); ++c)
        ghost_nodes.insert(mesh.cell_nodes.row(c), mesh.cell_nodes.row(c) + mesh.cell_nodes.width);
    for (Kind kind : all_kinds)
        for (Index e = 0; e < part.range(kind).interior; ++e)
            for (int j = 0; j < mesh.node_count_of(kind); ++j)
                EXPECT_FALSE(ghost_nodes.count(mesh.nodes_of(kind, e)[j])) << name_of(kind);
}

TEST_P(Distributed, OrientsAsOneRankDoes) {
    const Mesh& mesh = part.mesh;
    for (Index c = 0; c < mesh.cells(); ++c) {
        const Index w = cell_at.at(mesh.cell_number[c]);
        EXPECT_EQ(mesh.cell_region[c], whole.mesh.cell_region[w]);
        for (Kind kind : {Kind::node, Kind::edge, Kind::face}) {
            const Table &here = cell_entities(mesh, kind), &there = cell_entities(whole.mesh, kind);
            for (int j = 0; j < here.width; ++j) {
                EXPECT_EQ(orientation_of(here(c, j)), orientation_of(there(w, j)));
                EXPECT_EQ(entity_key(mesh, kind, entity_of(here(c, j))),
                          entity_key(whole.mesh, kind, entity_of(there(w, j))));
            }
        }
    }
}

TEST_P(Distributed, KeepsFacesAndTheirCells) {
    const Mesh& mesh = part.mesh;
    std::map<EntityKey, Index> face_at;
    for (Index f = 0; f < whole.mesh.faces(); ++f)
        face_at[entity_key(whole.mesh, Kind::face, f)] = f;
    for (Index f = 0; f < mesh.faces(); ++f) {
        const Index w = face_at.at(entity_key(mesh, Kind::face, f));
        for (int side = 0; side < 2; ++side) {
            const Index here = mesh.face_cells(f, side), there = whole.mesh.face_cells(w, side);
            if (here != none)
                EXPECT_EQ(mesh.cell_number[here], whole.mesh.cell_number[there]);
            else
                EXPECT_TRUE(there == none || f >= part.range(Kind::face).shared);
        }
        const auto here = mesh.face_codim2(f), there = whole.mesh.face_codim2(w);
        for (int j = 0; j < mesh.dimension; ++j) {
            EXPECT_EQ(orientation_of(here[j]), orientation_of(there[j]));
            EXPECT_EQ(entity_key(mesh, mesh.codim2_kind(), entity_of(here[j])),
                      entity_key(whole.mesh, mesh.codim2_kind(), entity_of(there[j])));
        }
    }
}

TEST_P(Distributed, KeepsTheSidesOfHeldCells) {
    std::set<EntityKey> held;
    for (Index f = 0; f < part.mesh.faces(); ++f) held.insert(entity_key(part.mesh, Kind::face, f));
    std::multiset<std::pair<int, EntityKey>> expected, sides;
    for (const Side& side : whole.mesh.sides)
        if (const auto key = entity_key(whole.mesh, Kind::face, side.face); held.count(key))
            expected.emplace(side.boundary, key);
    for (const Side& side : part.mesh.sides)
        sides.emplace(side.boundary, entity_key(part.mesh, Kind::face, side.face));
    EXPECT_EQ(sides, expected);
    EXPECT_EQ(part.mesh.boundaries, whole.mesh.boundaries);
    EXPECT_EQ(part.mesh.regions, whole.mesh.regions);
}

TEST_P(Distributed, KnowsTheComponents) {
    EXPECT_EQ(part.components, GetParam().is_two ? 2u : 1u);
    EXPECT_EQ(whole.components, part.components);
    std::map<GlobalIndex, Index> component;
    for (Index n = 0; n < whole.mesh.nodes(); ++n)
        component[whole.mesh.node_number[n]] = whole.node_component[n];
    for (Index n = 0; n < part.mesh.nodes(); ++n)
        EXPECT_EQ(part.node_component[n], component.at(part.mesh.node_number[n]));
}

TEST_P(Distributed, PlansReceiveAllThatIsNotOwned) {
    for (Kind kind : all_kinds) {
        const HaloPlan& plan = part.halo(kind);
        const EntityRanges& ranges = part.range(kind);
        std::vector<Index> received = plan.receive, expected;
        for (Index e = ranges.owned; e < ranges.all; ++e) expected.push_back(e);
        std::sort(received.begin(), received.end());
        EXPECT_EQ(received, expected);
        EXPECT_EQ(plan.send_start.back(), plan.send.size());
        EXPECT_EQ(plan.receive_start.back(), plan.receive.size());
        EXPECT_TRUE(std::is_sorted(plan.neighbours.begin(), plan.neighbours.end()));
        for (Index e : plan.send) EXPECT_TRUE(e >= ranges.interior && e < ranges.owned);
    }
}

TEST_P(Distributed, ReportsTheCut) {
    std::int64_t halves = 0;  // faces between a cell of this rank and another's
    for (Index f = 0; f < part.range(Kind::face).shared; ++f) {
        const Index a = part.mesh.face_cells(f, 0), b = part.mesh.face_cells(f, 1);
        halves += a != none && b != none && part.cell_owner[a] != part.cell_owner[b];
    }
    EXPECT_EQ(2 * std::int64_t(part.edge_cut), comm.sum(halves));
    const double cells = part.range(Kind::cell).owned, all = double(whole.mesh.cells());
    EXPECT_DOUBLE_EQ(part.imbalance, comm.max(cells) * comm.size() / all);
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, Distributed,
    testing::Values(Sample{"triangles", 2, 600}, Sample{"few_triangles", 2, 24},
                    Sample{"tets", 3, 2500}, Sample{"few_tets", 3, 48},
                    Sample{"two_triangulations", 2, 300, true}, Sample{"two_bodies", 3, 600, true},
                    Sample{"file_order", 3, 1500, false, CellOrdering::file},
                    Sample{"cuthill_mckee", 2, 500, false, CellOrdering::reverse_cuthill_mckee}),
    [](const auto& info) { return std::string(info.param.name); });

// Every entity held has the place that its nodes have among those of the whole mesh.
void expect_global_numbers(const Communicator& comm, const SimplexMesh& mesh) {
    const auto whole = distribute(Communicator::self(), SimplexMesh(mesh), CellOrdering::file);
    const auto part = distribute(comm, comm.is_root() ? std::optional(mesh) : std::nullopt);
    for (const Kind kind : all_kinds) {
        std::vector<EntityKey> ordered;  // the whole mesh has the file's order of cells
        for (Index e = 0; e < whole.mesh.count(kind); ++e)
            ordered.push_back(entity_key(whole.mesh, kind, e));
        if (kind != Kind::cell) std::sort(ordered.begin(), ordered.end());
        const auto numbers = global_numbers(comm, part, kind);
        Index wrong = 0;
        for (Index e = 0; e < part.mesh.count(kind); ++e)
            wrong += ordered.at(numbers.at(e)) != entity_key(part.mesh, kind, e);
        EXPECT_EQ(wrong, 0u) << name_of(kind);
        EXPECT_EQ(numbers.size(), part.mesh.count(kind)) << name_of(kind);
    }
}

TEST(GlobalNumbers, FollowTheNodesOnAnyRanks) {
    const auto comm = Communicator::world();
    for (const int dimension : {2, 3}) {
        expect_global_numbers(comm, sample::box(dimension, 24));  // ranks without a lowest node
        expect_global_numbers(comm, sample::two_boxes(dimension, 600));
        expect_global_numbers(comm, test::closed(test::plain_box(dimension, 400), "xy"));
    }
}

TEST(GlobalNumbers, NeedNodesThatTellEntitiesApart) {
    const auto comm = Communicator::world();
    auto part = distribute(comm, comm.is_root() ? std::optional(sample::box(3, 48)) : std::nullopt);
    for (int j = 0; j < 3; ++j) part.mesh.face_nodes(0, j) = part.mesh.face_nodes(1, j);
    EXPECT_THROW(global_numbers(comm, part, Kind::face), AgreedError);
}

TEST(MeshHash, TellsMeshesApartOnAnyRanks) {
    const auto comm = Communicator::world();
    const auto hash = [&](const SimplexMesh& mesh) {
        const auto part = distribute(comm, comm.is_root() ? std::optional(mesh) : std::nullopt);
        const auto alone = Communicator::self();
        const std::uint64_t result = mesh_hash(comm, part);
        EXPECT_EQ(result, mesh_hash(alone, distribute(alone, SimplexMesh(mesh))));
        return result;
    };
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = sample::box(dimension, 400);
        std::set<std::uint64_t> hashes{hash(mesh), hash(test::closed(mesh, "xy"))};
        SimplexMesh other = mesh;
        other.points.back().x += 1e-15;
        hashes.insert(hash(other));
        (other = mesh).cell_region.back() = 1;
        other.regions.push_back("other");
        hashes.insert(hash(other));
        std::swap(other.cell_region.front(), other.cell_region.back());
        hashes.insert(hash(other));
        (other = mesh).boundaries.back() += "s";
        hashes.insert(hash(other));
        other = mesh;
        std::swap(other.side_group.front(), other.side_group.back());
        hashes.insert(hash(other));
        other = mesh;
        std::swap(other.points[0], other.points[1]);
        for (auto* nodes : {&other.cells, &other.sides})
            for (Index& node : *nodes) node = node < 2 ? 1 - node : node;
        hashes.insert(hash(other));
        EXPECT_EQ(hashes.size(), 8u);
    }
}

TEST(Distribute, FailsOnAllRanksTogether) {
    const auto comm = Communicator::world();
    if (comm.size() == 1) return;
    SimplexMesh one = sample::box(2, 24);
    one.cells.resize(3);
    one.cell_region.resize(1);
    one.sides.clear();
    one.side_group.clear();
    try {
        distribute(comm, comm.is_root() ? std::optional(one) : std::nullopt);
        FAIL();
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_NE(std::string(error.what()).find("more ranks than cells"), std::string::npos);
    }
    EXPECT_THROW(distribute(comm, std::nullopt), AgreedError);
}

}  // namespace
}  // namespace solenoid::parallel_mesh_test

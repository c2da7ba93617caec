// The cut of a mesh in slices against that of the whole mesh on one rank, bit for bit.
#include <gtest/gtest.h>

#include <glm/common.hpp>

#include "mesh/ordering.hpp"
#include "parallel/bytes.hpp"
#include "parallel/slices/distribute.hpp"
#include "parallel/slices/redistribute.hpp"
#include "parallel/slices/scatter_slices.hpp"
#include "partition/cell_graph.hpp"
#include "support/periodic_meshes.hpp"
#include "support/piece_extractor.hpp"
#include "support/sample_meshes.hpp"

namespace solenoid::slices_test {
namespace {

// Cells in an order that has nothing to do with their places, so that slices share most of their
// nodes.
SimplexMesh shuffled(SimplexMesh mesh) {
    const std::size_t width = mesh.dimension + 1, count = mesh.cell_count();
    const SimplexMesh before = mesh;
    for (std::size_t c = 0; c < count; ++c) {
        // a permutation: 7919 is prime, and no count here its multiple
        const std::size_t from = (c * 7919 + 3) % count;
        std::copy_n(before.cells.begin() + from * width, width, mesh.cells.begin() + c * width);
        mesh.cell_region[c] = before.cell_region[from];
    }
    return mesh;
}

// Two regions, and faces between them in a group of their own.
SimplexMesh with_a_section() {
    SimplexMesh mesh = sample::box(3, 900);
    mesh.regions.push_back("second");
    mesh.boundaries.push_back("some faces inside");
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        mesh.cell_region[c] = c % 2;
        if (c % 5) continue;
        mesh.sides.insert(mesh.sides.end(), mesh.cell(c) + 1, mesh.cell(c) + 4);
        mesh.side_group.push_back(static_cast<std::uint16_t>(mesh.boundaries.size() - 1));
    }
    return mesh;
}

std::vector<std::pair<const char*, SimplexMesh>> meshes() {
    return {{"small plane", sample::box(2, 24)},
            {"small", sample::box(3, 48)},
            {"plane", sample::box(2, 700)},
            {"box", sample::box(3, 1500)},
            {"two plane boxes", sample::two_boxes(2, 400)},
            {"two boxes", sample::two_boxes(3, 900)},
            {"shuffled", shuffled(sample::box(3, 1500))},
            {"shuffled in two", shuffled(sample::two_boxes(3, 900))},
            {"section", with_a_section()},
            {"periodic", test::closed(test::plain_box(3, 3000), "xz")},
            {"periodic plane", test::closed(test::plain_box(2, 500), "y")}};
}

void expect_same(const PartPiece& found, const PartPiece& expected) {
    EXPECT_EQ(found.cell_owner, expected.cell_owner);
    EXPECT_EQ(found.node_component, expected.node_component);
    const MeshPiece &a = found.piece, &b = expected.piece;
    EXPECT_EQ(a.dimension, b.dimension);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.node_number, b.node_number);
    EXPECT_EQ(a.cells, b.cells);
    EXPECT_EQ(a.cell_number, b.cell_number);
    EXPECT_EQ(a.cell_region, b.cell_region);
    EXPECT_EQ(a.regions, b.regions);
    EXPECT_EQ(a.boundaries, b.boundaries);
    EXPECT_EQ(a.sides, b.sides);
    EXPECT_EQ(a.side_group, b.side_group);
    EXPECT_EQ(a.periodic_map.corner_shift, b.periodic_map.corner_shift);
    EXPECT_EQ(a.periodic_map.shifts, b.periodic_map.shifts);
    EXPECT_EQ(a.periodic_map.pairs.size(), b.periodic_map.pairs.size());
}

// The root alone has the mesh; the ranks cut it in slices, and each compares what it is given with
// what is cut out of the whole mesh by the whole mesh's parts.
void expect_cut(const Communicator& comm, const SimplexMesh& mesh, const Partition& expected,
                std::size_t most) {
    std::optional<SimplexMesh> at_root;
    if (comm.is_root()) at_root = mesh;
    SlicedMesh all = sliced(comm, scatter_slices(comm, at_root));
    EXPECT_FALSE(at_root);
    const SliceParts found = cut_slices(comm, all.slice, std::move(all.faces.neighbours), most);
    EXPECT_EQ(gathered(comm, found.part), expected.part);
    EXPECT_EQ(found.edge_cut, std::int64_t(expected.edge_cut));
    EXPECT_EQ(found.imbalance, expected.imbalance);

    PieceExtractor extractor(mesh, expected);
    const RowPartition nodes = all.slice.node_ranges;
    PartPiece held = redistribute(comm, std::move(all.slice), all.faces.sides, found.part);
    EXPECT_EQ(find_components(comm, nodes, held), extractor.components());
    expect_same(held, extractor.extract(comm.rank()));
}

TEST(Slices, ArePiecesOfTheWholeMeshCutByMetis) {
    const Communicator comm = Communicator::world();
    for (const auto& [name, mesh] : meshes()) {
        SCOPED_TRACE(name);
        expect_cut(comm, mesh, partition_cells(mesh, comm.size()), most_arcs);
    }
}

// All cells sorted along the curve, ties by number, in parts of equal size.
Partition cut_along_curve(const SimplexMesh& mesh, int parts) {
    Vec3 low = mesh.points[0], high = low;
    for (const Vec3& x : mesh.points) low = glm::min(low, x), high = glm::max(high, x);
    const Vec3 extent = high - low;
    high = low + Vec3(std::max({extent.x, extent.y, extent.z}));
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 sum(0);
        for (int j = 0; j <= mesh.dimension; ++j) sum += mesh.corner(c, j);
        keys.emplace_back(hilbert_index(sum / (mesh.dimension + 1.0), low, high, mesh.dimension),
                          c);
    }
    std::sort(keys.begin(), keys.end());
    Partition result;
    result.part.resize(keys.size());
    std::vector<std::size_t> sizes(parts);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        int p = 0;
        while (std::size_t(p + 1) * keys.size() / parts <= i) ++p;
        result.part[keys[i].second] = p;
        ++sizes[p];
    }
    result.imbalance =
        double(*std::max_element(sizes.begin(), sizes.end())) * parts / double(keys.size());
    const Rows graph = cell_graph(face_neighbours(mesh.cells, mesh.dimension, mesh.points.size()));
    for (Index c = 0; c < graph.rows(); ++c)
        for (const Index* other = graph.begin(c); other != graph.end(c); ++other)
            result.edge_cut += c < *other && result.part[c] != result.part[*other];
    return result;
}

// Parts from elsewhere are taken as they are, and give the mesh that they were cut from.
TEST(Slices, PartsMayBeGiven) {
    const Communicator comm = Communicator::world();
    const SimplexMesh mesh = sample::box(2, 300);
    const Partition curve = cut_along_curve(mesh, comm.size());
    const auto distributed = [&](const GivenParts& given) {
        return distribute(comm, comm.is_root() ? std::optional(mesh) : std::nullopt,
                          CellOrdering::hilbert, {}, given);
    };
    const auto given = [&](const std::vector<int>& part) {
        return distributed([&](const MeshSlice& slice) {
            const auto first = part.begin() + slice.cell_ranges.first(comm.rank());
            return std::vector<int>(first, first + std::ptrdiff_t(slice.cell_count()));
        });
    };
    const DistributedMesh found = given(curve.part);
    if (comm.size() > 1) {  // a mesh on one rank is not cut
        EXPECT_EQ(found.edge_cut, curve.edge_cut);
        EXPECT_EQ(found.imbalance, curve.imbalance);
        for (const int wrong : {-1, comm.size()}) {
            std::vector<int> part = curve.part;
            part.back() = wrong;
            EXPECT_THROW(given(part), AgreedError);
        }
        EXPECT_THROW(given(std::vector<int>(mesh.cell_count(), 0)), AgreedError);
    }
    Index wrong = 0;
    for (Index c = 0; c < found.mesh.cells(); ++c)
        wrong += found.cell_owner[c] != curve.part[found.mesh.cell_number[c]];
    EXPECT_EQ(wrong, 0u);
}

TEST(Slices, BeyondMetisACurveCuts) {
    const Communicator comm = Communicator::world();
    for (auto& [name, mesh] : meshes()) {
        SCOPED_TRACE(name);
        expect_cut(comm, mesh, cut_along_curve(mesh, comm.size()), 0);
        for (Vec3& x : mesh.points) x = Vec3(1);  // all in one place: numbers alone part them
        expect_cut(comm, mesh, cut_along_curve(mesh, comm.size()), 0);
    }
}

TEST(Slices, MoreRanksThanCellsAreRefused) {
    const Communicator comm = Communicator::world();
    std::optional<SimplexMesh> mesh;
    if (comm.is_root()) {
        mesh = sample::box(2, 4);
        mesh->cells.resize(3 * 3);
        mesh->cell_region.resize(3);
        mesh->sides.clear();
        mesh->side_group.clear();
    }
    if (comm.size() <= 3) return;
    try {
        distribute(comm, std::move(mesh));
        ADD_FAILURE() << "accepted";
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_STREQ(error.what(),
                     "more ranks than cells: 4 ranks, 3 cells; start at most 3 ranks");
    }
}

}  // namespace
}  // namespace solenoid::slices_test

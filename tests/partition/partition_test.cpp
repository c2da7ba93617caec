#include "partition/partition.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "partition/cell_graph.hpp"
#include "partition/components.hpp"
#include "partition/numbering.hpp"
#include "support/piece_extractor.hpp"
#include "support/sample_meshes.hpp"

namespace solenoid::partition_test {
namespace {

std::vector<SimplexMesh> sample_meshes() {
    std::vector<SimplexMesh> meshes;
    meshes.push_back(sample::box(2, 24));
    meshes.push_back(sample::box(3, 48));
    meshes.push_back(sample::box(2, 700));
    meshes.push_back(sample::box(3, 1500));
    meshes.push_back(sample::two_boxes(2, 400));
    meshes.push_back(sample::two_boxes(3, 900));
    return meshes;
}

// The nodes of the face opposite node j, ascending.
std::vector<Index> face(const SimplexMesh& mesh, std::size_t c, int j) {
    std::vector<Index> nodes(mesh.cell(c), mesh.cell(c) + mesh.dimension + 1);
    nodes.erase(nodes.begin() + j);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

using FaceCells = std::map<std::vector<Index>, std::vector<std::size_t>>;
FaceCells face_cells(const SimplexMesh& mesh) {
    FaceCells cells;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j) cells[face(mesh, c, j)].push_back(c);
    return cells;
}

std::vector<std::size_t> sizes_of(const Partition& partition, int parts) {
    std::vector<std::size_t> sizes(parts, 0);
    for (int part : partition.part) ++sizes.at(part);
    return sizes;
}

TEST(CellGraph, NeighboursLieBehindTheFaces) {
    for (const SimplexMesh& mesh : sample_meshes()) {
        const FaceCells cells = face_cells(mesh);
        const Table neighbours = face_neighbours(mesh.cells, mesh.dimension, mesh.points.size());
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            for (int j = 0; j <= mesh.dimension; ++j) {
                const auto& both = cells.at(face(mesh, c, j));
                const Index expected =
                    both.size() == 1 ? none : static_cast<Index>(both[0] + both[1] - c);
                EXPECT_EQ(neighbours(c, j), expected);
            }
        const Rows graph = cell_graph(Table(neighbours));
        EXPECT_EQ(graph.index.size(),
                  neighbours.data.size() -
                      std::count(neighbours.data.begin(), neighbours.data.end(), none));
    }
}

TEST(Partition, CoversAllCellsWithoutEmptyParts) {
    for (const SimplexMesh& mesh : sample_meshes()) {
        const int cells = static_cast<int>(mesh.cell_count());
        for (int parts : {1, 2, 3, 4, 7, 16, 24, 48, cells / 2, cells - 1, cells}) {
            if (parts > cells) continue;
            const Partition partition = partition_cells(mesh, parts);
            ASSERT_EQ(partition.part.size(), mesh.cell_count());
            const auto sizes = sizes_of(partition, parts);
            EXPECT_GT(*std::min_element(sizes.begin(), sizes.end()), 0u)
                << parts << " of " << cells;
            const double largest =
                static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
            EXPECT_DOUBLE_EQ(partition.imbalance, largest * parts / cells);
            EXPECT_EQ(partition.part, partition_cells(mesh, parts).part) << "the same every time";
        }
    }
}

TEST(Partition, IsBalancedWhereCellsAreMany) {
    const SimplexMesh mesh = sample::box(3, 20000);
    for (int parts : {2, 4, 16}) EXPECT_LT(partition_cells(mesh, parts).imbalance, 1.04);
}

TEST(Partition, CountsTheCutFaces) {
    for (const SimplexMesh& mesh : sample_meshes()) {
        const Partition partition = partition_cells(mesh, 5);
        std::size_t cut = 0;
        for (const auto& [nodes, cells] : face_cells(mesh))
            cut += cells.size() == 2 && partition.part[cells[0]] != partition.part[cells[1]];
        EXPECT_EQ(partition.edge_cut, cut);
    }
    EXPECT_EQ(partition_cells(sample::box(2, 100), 1).edge_cut, 0u);
}

TEST(Partition, ContiguousPartsAreConnected) {
    PartitionSettings settings;
    settings.contiguous = true;
    const SimplexMesh mesh = sample::box(3, 3000);
    const Partition partition = partition_cells(mesh, 12, settings);
    const Rows graph = cell_graph(face_neighbours(mesh.cells, mesh.dimension, mesh.points.size()));
    std::vector<Index> pairs;  // a "mesh" of segments between cells of one part
    for (Index c = 0; c < graph.rows(); ++c)
        for (const Index* d = graph.begin(c); d != graph.end(c); ++d)
            if (partition.part[c] == partition.part[*d]) pairs.insert(pairs.end(), {c, *d});
    EXPECT_EQ(connected_components(pairs, 1, graph.rows()).count, 12u);
    EXPECT_NO_THROW(partition_cells(sample::two_boxes(3, 500), 3, settings));
}

TEST(Partition, RefusesMorePartsThanCells) {
    const SimplexMesh mesh = sample::box(2, 24);
    const int cells = static_cast<int>(mesh.cell_count());
    try {
        partition_cells(mesh, cells + 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(
            std::string(error.what()).find("start at most " + std::to_string(cells) + " ranks"),
            std::string::npos);
    }
}

TEST(Components, AreCountedAndNumberedFromTheFirstNode) {
    EXPECT_EQ(
        connected_components(sample::box(3, 500).cells, 3, sample::box(3, 500).points.size()).count,
        1u);
    const SimplexMesh mesh = sample::two_boxes(3, 500);
    const Components components = connected_components(mesh.cells, 3, mesh.points.size());
    EXPECT_EQ(components.count, 2u);
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        EXPECT_EQ(components.of_node[i], i >= mesh.points.size() / 2);
}

// ---- pieces

std::set<std::size_t> held_by_definition(const SimplexMesh& mesh, const Partition& partition,
                                         int rank) {
    std::set<Index> nodes;
    const int width = mesh.dimension + 1;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        if (partition.part[c] == rank) nodes.insert(mesh.cell(c), mesh.cell(c) + width);
    std::set<std::size_t> held;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        if (std::any_of(mesh.cell(c), mesh.cell(c) + width,
                        [&](Index n) { return nodes.count(n); }))
            held.insert(c);
    return held;
}

void expect_piece(const SimplexMesh& mesh, const Partition& partition, int rank,
                  const PartPiece& held) {
    const MeshPiece& piece = held.piece;
    const int width = mesh.dimension + 1;
    EXPECT_EQ(std::set<std::size_t>(piece.cell_number.begin(), piece.cell_number.end()),
              held_by_definition(mesh, partition, rank));
    std::set<std::vector<Index>> faces;
    for (std::size_t i = 0; i < piece.cell_number.size(); ++i) {
        const auto c = static_cast<std::size_t>(piece.cell_number[i]);
        EXPECT_EQ(held.cell_owner[i], partition.part[c]);
        EXPECT_EQ(piece.cell_region[i], mesh.cell_region[c]);
        for (int j = 0; j < width; ++j) {
            EXPECT_EQ(piece.node_number[piece.cells[i * width + j]], mesh.cell(c)[j]);
            faces.insert(face(mesh, c, j));
        }
    }
    for (std::size_t i = 0; i < piece.points.size(); ++i)
        EXPECT_EQ(piece.points[i], mesh.points[piece.node_number[i]]);

    std::size_t sides = 0;
    for (std::size_t s = 0; s < mesh.side_count(); ++s) {
        std::vector<Index> nodes(mesh.side(s), mesh.side(s) + mesh.dimension);
        std::sort(nodes.begin(), nodes.end());
        if (!faces.count(nodes)) continue;
        ASSERT_LT(sides, piece.side_group.size());
        EXPECT_EQ(piece.side_group[sides], mesh.side_group[s]);
        for (int j = 0; j < mesh.dimension; ++j)
            EXPECT_EQ(piece.node_number[piece.sides[sides * mesh.dimension + j]], mesh.side(s)[j]);
        ++sides;
    }
    EXPECT_EQ(sides, piece.side_group.size());
}

TEST(Piece, HoldsEveryCellThatSharesANode) {
    for (const SimplexMesh& mesh : sample_meshes()) {
        const Partition partition = partition_cells(mesh, 5);
        PieceExtractor extractor(mesh, partition);
        for (int rank : {3, 0, 1, 2, 4, 0})
            expect_piece(mesh, partition, rank, extractor.extract(rank));
    }
}

TEST(Numbering, InteriorCellsTouchNoGhost) {
    const SimplexMesh mesh = sample::box(3, 1500);
    const Partition partition = partition_cells(mesh, 3);
    for (CellOrdering ordering :
         {CellOrdering::file, CellOrdering::hilbert, CellOrdering::reverse_cuthill_mckee}) {
        PartPiece held = extract_piece(mesh, partition, 1);
        const std::size_t cells = held.cell_owner.size();
        const EntityRanges ranges = order_cells(held, 1, ordering, Vec3(0), Vec3(1));
        EXPECT_EQ(ranges.all, cells);
        EXPECT_EQ(ranges.shared, ranges.owned);
        EXPECT_GT(ranges.interior, 0u);
        expect_piece(mesh, partition, 1, held);
        std::set<Index> ghost_nodes(held.piece.cells.begin() + ranges.owned * 4,
                                    held.piece.cells.end());
        for (Index c = 0; c < ranges.all; ++c) {
            EXPECT_EQ(c < ranges.owned, held.cell_owner[c] == 1);
            if (c >= ranges.owned) continue;
            const Index* nodes = held.piece.cells.data() + c * 4;
            EXPECT_EQ(c >= ranges.interior,
                      std::any_of(nodes, nodes + 4, [&](Index n) { return ghost_nodes.count(n); }));
        }
    }
}

}  // namespace
}  // namespace solenoid::partition_test

// What is refused, mended and warned of in slices is what is in the whole mesh, word by word.
#include "parallel/slices/check_slices.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "parallel/bytes.hpp"
#include "parallel/slices/scatter_slices.hpp"
#include "support/sample_meshes.hpp"

namespace solenoid::check_slices_test {
namespace {

using Random = std::mt19937;

// What a check leads to.
struct Outcome {
    std::string refusal, warnings;
    MeshSlice slice;
};

template <class Check>
Outcome outcome_of(const Check& check) {
    Outcome outcome;
    testing::internal::CaptureStderr();
    try {
        outcome.slice = check();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        outcome.refusal = error.what();
    }
    outcome.warnings = testing::internal::GetCapturedStderr();
    return outcome;
}

// The slices put together again are the whole mesh.
void expect_whole(const Communicator& comm, const MeshSlice& found, const SimplexMesh& mesh) {
    EXPECT_EQ(gathered(comm, found.points), mesh.points);
    EXPECT_EQ(gathered(comm, found.cells),
              std::vector<GlobalIndex>(mesh.cells.begin(), mesh.cells.end()));
    EXPECT_EQ(gathered(comm, found.cell_region), mesh.cell_region);
    EXPECT_EQ(gathered(comm, found.sides),
              std::vector<GlobalIndex>(mesh.sides.begin(), mesh.sides.end()));
    EXPECT_EQ(gathered(comm, found.side_group), mesh.side_group);
    const auto expect_ranges = [&](const RowPartition& ranges, std::size_t held, std::size_t all) {
        EXPECT_EQ(std::size_t(ranges.size(comm.rank())), held);
        EXPECT_EQ(std::size_t(ranges.count()), all);
    };
    expect_ranges(found.node_ranges, found.points.size(), mesh.points.size());
    expect_ranges(found.cell_ranges, found.cell_count(), mesh.cell_count());
    expect_ranges(found.side_ranges, found.side_count(), mesh.side_count());
}

// Returns the refusal.
std::string expect_alike(const Communicator& comm, const SimplexMesh& mesh) {
    SimplexMesh mended = mesh;
    const Outcome expected = outcome_of([&] {
        check_and_repair(mended, "part.msh");
        return MeshSlice();
    });
    const Outcome found = outcome_of([&] {
        return check_and_repair(comm, slice_of(mesh, comm.rank(), comm.size()), "part.msh").slice;
    });
    EXPECT_EQ(found.refusal, expected.refusal);
    EXPECT_EQ(found.warnings, expected.warnings);
    if (expected.refusal.empty() && found.refusal.empty()) expect_whole(comm, found.slice, mended);
    return expected.refusal;
}

// ---- faults

struct Damage {
    SimplexMesh& mesh;
    Random& random;

    std::size_t below(std::size_t n) { return random() % n; }
    std::size_t cell() { return below(mesh.cell_count()); }
    std::size_t width() const { return mesh.dimension + 1; }
    Index node() { return static_cast<Index>(below(mesh.points.size())); }

    void append_cell(std::vector<Index> nodes) {
        mesh.cells.insert(mesh.cells.end(), nodes.begin(), nodes.end());
        mesh.cell_region.push_back(0);
    }
    void another_node() { mesh.cells[below(mesh.cells.size())] = node(); }
    void cell_again() {
        const std::size_t c = cell();
        std::vector<Index> nodes(mesh.cell(c), mesh.cell(c) + width());
        std::rotate(nodes.begin(), nodes.begin() + below(width()), nodes.end());
        append_cell(nodes);
    }
    void cell_at_a_face() {
        const std::size_t c = cell();
        std::vector<Index> nodes(mesh.cell(c), mesh.cell(c) + width());
        nodes[below(width())] = static_cast<Index>(mesh.points.size());
        mesh.points.push_back(Vec3(3, 4, mesh.dimension == 2 ? 0 : 5));
        append_cell(nodes);
    }
    void no_cell() {
        const std::size_t c = cell();
        mesh.cells.erase(mesh.cells.begin() + c * width(), mesh.cells.begin() + (c + 1) * width());
        mesh.cell_region.erase(mesh.cell_region.begin() + c);
    }
    void turned_cell() {
        const std::size_t c = cell();
        std::swap(mesh.cells[c * width()], mesh.cells[c * width() + 1]);
    }
    void turned_region() {
        mesh.regions.push_back("turned");
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            if (c % 3 == 1) {
                mesh.cell_region[c] = static_cast<std::uint16_t>(mesh.regions.size() - 1);
                std::swap(mesh.cells[c * width()], mesh.cells[c * width() + 1]);
            }
    }
    void unused_nodes() {
        const Index at = node();
        mesh.points.insert(mesh.points.begin() + at, 3, mesh.points[0]);
        for (auto* nodes : {&mesh.cells, &mesh.sides})
            for (Index& n : *nodes) n += n >= at ? 3 : 0;
    }
    void side_again() {
        const std::size_t s = below(mesh.side_count()), d = mesh.dimension;
        std::vector<Index> nodes(mesh.side(s), mesh.side(s) + d);
        std::swap(nodes[0], nodes[1]);
        const std::size_t at = below(mesh.side_count());
        mesh.sides.insert(mesh.sides.begin() + at * d, nodes.begin(), nodes.end());
        mesh.side_group.insert(mesh.side_group.begin() + at, mesh.side_group[s]);
    }
    void side_in_another_group() {
        side_again();
        mesh.side_group[below(mesh.side_count())] = 0;
    }
    void loose_side() { mesh.sides[below(mesh.sides.size())] = node(); }
    void endless() { mesh.points[node()].y = std::numeric_limits<double>::infinity(); }
    void moved_node() { mesh.points[node()] = mesh.points[node()]; }
    void pulled_node() { mesh.points[node()].x += 0.3; }
    void off_the_plane() { mesh.points[node()].z += 1; }
};

TEST(CheckSlices, AsInTheWholeMesh) {
    const Communicator comm = Communicator::world();
    using Step = void (Damage::*)();
    static constexpr Step steps[] = {
        &Damage::another_node, &Damage::cell_again,   &Damage::cell_at_a_face,
        &Damage::no_cell,      &Damage::turned_cell,  &Damage::turned_region,
        &Damage::unused_nodes, &Damage::side_again,   &Damage::side_in_another_group,
        &Damage::loose_side,   &Damage::endless,      &Damage::moved_node,
        &Damage::pulled_node,  &Damage::off_the_plane};
    Random random(7);  // the same on every rank
    std::set<std::string> words;
    for (const int dimension : {2, 3})
        for (std::size_t first = 0; first < std::size(steps); ++first)
            for (int round = 0; round < 12; ++round) {
                SimplexMesh mesh = sample::box(dimension, round < 3 ? 30 : 400);
                Damage damage{mesh, random};
                (damage.*steps[first])();
                if (round % 3 == 2) (damage.*steps[damage.below(std::size(steps))])();
                SCOPED_TRACE(fmt::format("{}D, step {}, round {}", dimension, first, round));
                const std::string refusal = expect_alike(comm, mesh);
                for (const char* word :
                     {"has no volume", "has no area", "twice", "is repeated", "three cells",
                      "overlap", "inverted", "not a face", "no finite", "not in the plane"})
                    if (refusal.find(word) != std::string::npos) words.insert(word);
            }
    EXPECT_EQ(words.size(), 10u) << "every fault has come up";
}

TEST(CheckSlices, GoodMeshesPass) {
    const Communicator comm = Communicator::world();
    for (const int dimension : {2, 3})
        EXPECT_EQ(expect_alike(comm, sample::two_boxes(dimension, 500)), "");
}

TEST(CheckSlices, NodesInRange) {
    const Communicator comm = Communicator::world();
    SimplexMesh mesh = sample::box(3, 500);
    mesh.cells[4 * 300 + 2] = static_cast<Index>(mesh.points.size());
    EXPECT_NE(expect_alike(comm, mesh), "");
    mesh.cells.clear();
    mesh.cell_region.clear();
    EXPECT_EQ(expect_alike(comm, mesh), "part.msh: the mesh has no tetrahedra");
}

}  // namespace
}  // namespace solenoid::check_slices_test

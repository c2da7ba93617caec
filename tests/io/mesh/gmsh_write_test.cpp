// What write_gmsh writes, read_mesh reads.
#include "mesh/box.hpp"
#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_write_test {
namespace {

SimplexMesh written_and_read(const SimplexMesh& mesh, bool binary) {
    const TemporaryFile file("");
    write_gmsh(mesh, file.path, binary);
    return read_mesh(file.path);
}

TEST(GmshWrite, RoundTrip) {
    for (const bool binary : {true, false}) {
        expect_same(written_and_read(sample_mesh(), binary), sample_mesh());
        for (const int dimension : {2, 3}) {
            BoxSettings settings;
            settings.dimension = dimension;
            settings.cells = 500;
            const SimplexMesh box = box_mesh(settings);
            const SimplexMesh read = written_and_read(box, binary);
            EXPECT_EQ(read.points, box.points);
            EXPECT_EQ(read.cells, box.cells);
            EXPECT_EQ(read.regions, box.regions);
            EXPECT_EQ(read.boundaries, box.boundaries);
            EXPECT_EQ(read.side_count(), box.side_count());
        }
    }
}

// Sides of several groups are one element each, in an entity with several groups.
TEST(GmshWrite, SidesInSeveralGroups) {
    const SimplexMesh mesh = read_mesh(data("two_boxes_41_text.msh"));
    const TemporaryFile file("");
    write_gmsh(mesh, file.path, false);
    const std::string text = bytes_of(file.path);
    EXPECT_NE(text.find("$Elements\n5 60 1 60\n"), std::string::npos);
    expect_same(read_mesh(file.path), mesh);
}

TEST(GmshWrite, InterleavedRegionsKeepTheirCells) {
    SimplexMesh mesh = box_mesh({.cells = 500});
    mesh.regions = {"even", "odd"};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) mesh.cell_region[c] = c % 2;
    const SimplexMesh read = written_and_read(mesh, true);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const std::size_t there = c / 2 + (c % 2) * ((mesh.cell_count() + 1) / 2);
        ASSERT_TRUE(std::equal(mesh.cell(c), mesh.cell(c) + 4, read.cell(there)));
        ASSERT_EQ(read.cell_region[there], c % 2);
    }
}

TEST(GmshWrite, PlacesThatCannotBeWritten) {
    const auto message = [](const std::filesystem::path& path) {
        try {
            write_gmsh(sample_mesh(), path);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("/nowhere/part.msh"),
              "/nowhere/part.msh: cannot be written: there is no directory /nowhere");
    EXPECT_EQ(message("/tmp"), "/tmp: cannot be written: this is a directory");
}

TEST(GmshWrite, NothingElseIsLeft) {
    const TemporaryFile file("");
    write_gmsh(sample_mesh(), file.path);
    for (const auto& entry : std::filesystem::directory_iterator(file.path.parent_path()))
        EXPECT_TRUE(entry.path() == file.path ||
                    !entry.path().string().starts_with(file.path.string()))
            << entry.path();
}

}  // namespace
}  // namespace solenoid::test::gmsh_write_test

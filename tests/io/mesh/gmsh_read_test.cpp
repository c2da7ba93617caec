// Every format of Gmsh gives the same mesh; groups, numbers and sections in all their forms.
#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_read_test {
namespace {

TEST(GmshRead, EveryFormatOfOneMesh) {
    for (const Coding coding : {Coding::text, Coding::native, Coding::swapped}) {
        SCOPED_TRACE(static_cast<int>(coding));
        expect_same(read_bytes(sample_2(coding)), sample_mesh());
        expect_same(read_bytes(sample_4(coding)), sample_mesh());
    }
}

TEST(GmshRead, FilesWrittenByGmsh) {
    const SimplexMesh mesh = read_mesh(data("two_boxes_41_text.msh"));
    EXPECT_EQ(mesh.cell_count(), 48u);
    EXPECT_EQ(mesh.points.size(), 23u);
    EXPECT_EQ(mesh.side_count(), 16u);
    EXPECT_EQ(mesh.regions, (std::vector<std::string>{"left part", "region_2"}));
    EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"west", "ends", "group_13"}));
    EXPECT_EQ(std::count(mesh.side_group.begin(), mesh.side_group.end(), 1), 8);
    for (const char* format :
         {"22_text", "22_binary", "41_binary", "22_parametric", "41_parametric"}) {
        SCOPED_TRACE(format);
        expect_same(read_mesh(data(std::string("two_boxes_") + format + ".msh")), mesh);
    }
}

// Text: behind a node's place come its entity and parameters.
TEST(GmshRead, ParametricNodesAsText) {
    std::istringstream sample(sample_2());
    std::string text, line;
    for (bool is_node = false; std::getline(sample, line); text += line + "\n") {
        if (line == "$EndNodes") is_node = false;
        if (is_node && line != "5") line += " 2 1 0.25 0.5";
        if (line == "$Nodes") is_node = true;
        if (line == "$Nodes" || line == "$EndNodes") line.insert(line.find("Nodes"), "Parametric");
    }
    ASSERT_NE(text.find("$ParametricNodes\n5\n4 0 0 0 "), std::string::npos) << text;
    expect_same(read_bytes(text), sample_mesh());
}

// A partition brings entities of its own, in another order, and groups of its interfaces, which are
// left out.
TEST(GmshRead, PartitionedFile) {
    const SimplexMesh mesh = read_mesh(data("two_boxes_41_partitioned.msh"));
    EXPECT_EQ(mesh.cell_count(), 48u);
    EXPECT_EQ(std::count(mesh.cell_region.begin(), mesh.cell_region.end(), 0), 24);
    EXPECT_EQ(mesh.side_count(), 16u);
    EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"west", "ends", "group_13"}));
}

TEST(GmshRead, OnePartOfSeveralIsRefused) {
    const std::string message =
        refusal(edited(bytes_of(data("two_boxes_41_partitioned.msh")), "$PartitionedEntities\n2\n",
                       "$PartitionedEntities\n3\n"));
    EXPECT_TRUE(message.starts_with(": the file contains 2 of the 3 parts of a partitioned mesh"))
        << message;
}

TEST(GmshRead, WindowsLineEnds) {
    for (const std::string& text : {sample_2(), sample_4()}) {
        std::string windows;
        for (char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
        expect_same(read_bytes(windows), sample_mesh());
    }
}

TEST(GmshRead, OtherSectionsAreSkipped) {
    const std::string extra = "$Comments\n$Nodes would begin a section\n$EndComments\n";
    const std::string data =
        "$NodeData\n1\n\"T\"\n$EndNodeDat\n$EndNodeData\n$Periodic\n0\n$EndPeriodic\n";
    for (const std::string& text : {sample_2(), sample_4()})
        expect_same(read_bytes(extra + text + data), sample_mesh());
    for (const std::string& bytes : {sample_2(Coding::native), sample_4(Coding::swapped)})
        expect_same(read_bytes(bytes + "$NodeData\n1\n\"T\"\n\xff\x01\n$EndNodeData\n"),
                    sample_mesh());
}

TEST(GmshRead, NumbersInEveryNotation) {
    expect_same(read_bytes(edited(sample_2(), "10 1 0 0", "10 +1.0e+00 -0 1e-400")), sample_mesh());
    expect_same(read_bytes(edited(sample_2(), "1 1.5 1 1", "\t 1   15E-1 1. +1")), sample_mesh());
}

TEST(GmshRead, SparseNodeNumbers) {
    std::string text = sample_2();
    for (const auto& [from, to] : {std::pair{"\n21 0 0 1", "\n2000000021 0 0 1"},
                                   {"10 3 21", "10 3 2000000021"},
                                   {"10 3 21", "10 3 2000000021"},
                                   {"4 10 3 21", "4 10 3 2000000021"},
                                   {" 21 10 3", " 2000000021 10 3"}})
        text = edited(text, from, to);
    // The edits of "10 3 21" hit the triangles, which come first, one after the other.
    expect_same(read_bytes(text), sample_mesh());
}

TEST(GmshRead, NoPhysicalGroups) {
    std::string text =
        edited(sample_4(), "3\n2 7 \"between\"\n2 8 \"second side\"\n3 1 \"lower\"\n", "0\n");
    const auto begin = text.find("$Entities"), end = text.find("$Nodes");
    const SimplexMesh mesh = read_bytes(text.erase(begin, end - begin));
    EXPECT_EQ(mesh.regions, (std::vector<std::string>{"volume_1", "volume_2"}));
    EXPECT_EQ(mesh.cell_region, (std::vector<std::uint16_t>{0, 1}));
    EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"surface_1", "surface_2"}));
    EXPECT_EQ(mesh.side_group, (std::vector<std::uint16_t>{0, 1}));
}

TEST(GmshRead, CellsInNoGroupAmongOthers) {
    SimplexMesh mesh;
    const std::string said =
        warnings_of([&] { mesh = read_bytes(edited(sample_2(), "7 4 2 2 2", "7 4 2 0 2")); });
    EXPECT_EQ(mesh.regions, (std::vector<std::string>{"lower", "volume_2"}));
    EXPECT_EQ(mesh.cell_region, (std::vector<std::uint16_t>{0, 1}));
    EXPECT_NE(said.find("1 cells lie in no physical group"), std::string::npos) << said;
}

TEST(GmshRead, EntitiesOfSidesInNoGroup) {
    // "between" alone is left of the face between the tets
    const std::string text = edited(sample_2(), "4 2 2 8 1", "4 2 2 0 9");
    const SimplexMesh mesh = read_bytes(text);
    EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"between", "second side"}))
        << "entity 9 lies in a group";
    EXPECT_EQ(mesh.side_count(), 2u);
    // A triangle that is no face of a tet is a fault in a group, and nothing to speak of in none.
    EXPECT_NE(refusal(edited(sample_2(), "5 2 2 8 2 4 3 10", "5 2 2 8 2 4 3 1")).find("not a face"),
              std::string::npos);
    EXPECT_EQ(read_bytes(edited(sample_2(), "5 2 2 8 2 4 3 10", "5 2 2 0 2 4 3 1")).boundaries,
              (std::vector<std::string>{"between", "second side"}));
}

TEST(GmshRead, NamesOfFormat20) {
    const std::string text = edited(edited(sample_2(), "2.2 0 8", "2.0 0 8"),
                                    "2 7 \"between\"\n2 8 \"second side\"\n3 1 \"lower\"",
                                    "7 \"between\"\n8 \"second side\"\n1 \"lower\"");
    expect_same(read_bytes(text), sample_mesh());
}

TEST(GmshRead, CellsInSeveralGroups) {
    SimplexMesh mesh;
    std::string said = warnings_of([&] {
        mesh = read_bytes(edited(edited(sample_2(), "\n7\n", "\n8\n"), "7 4 2 2 2 21 10 3 1",
                                 "7 4 2 2 2 21 10 3 1\n8 4 2 1 2 21 3 1 10"));
    });
    expect_same(mesh, sample_mesh());
    EXPECT_NE(said.find("1 cells lie in several groups"), std::string::npos) << said;
    said = warnings_of([&] { mesh = read_bytes(edited(sample_4(), "1 2 1 -1", "2 2 1 1 -1")); });
    expect_same(mesh, sample_mesh());
    EXPECT_NE(said.find("the groups \"region_2\" and \"lower\"; they count for the first"),
              std::string::npos)
        << said;
}

TEST(GmshRead, GroupsOfOneNameAreOne) {
    const SimplexMesh mesh = read_bytes(edited(sample_4(), "second side", "between"));
    EXPECT_EQ(mesh.boundaries, std::vector<std::string>{"between"});
    EXPECT_EQ(mesh.side_count(), 2u);
}

TEST(GmshRead, Latin1NamesBecomeUtf8) {
    for (const std::string& sample : {sample_2(), sample_4(), sample_4(Coding::native)}) {
        const std::string latin1 =
            edited(edited(sample, "\"between\"", "\"D\xFCse\""), "\"lower\"", "\"K\xF6rper\"");
        SimplexMesh mesh;
        const std::string warnings = warnings_of([&] { mesh = read_bytes(latin1); });
        EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"D\xC3\xBCse", "second side"}));
        EXPECT_EQ(mesh.regions[0], "K\xC3\xB6rper");
        EXPECT_NE(warnings.find("names of groups that are not UTF-8 are read as Latin-1: "
                                "\"D\xC3\xBCse\" and 1 more"),
                  warnings.npos)
            << warnings;
        const std::string utf8 = edited(sample, "\"between\"", "\"D\xC3\xBCse\"");
        EXPECT_EQ(warnings_of([&] { mesh = read_bytes(utf8); }).find("Latin-1"), std::string::npos);
        EXPECT_EQ(mesh.boundaries[0], "D\xC3\xBCse");
    }
}

TEST(GmshRead, NamesWithoutElementsAreWarnedOf) {
    const std::string said =
        warnings_of([] { read_bytes(edited(sample_4(), "3\n2 7 ", "4\n2 99 \"inlet\"\n2 7 ")); });
    EXPECT_NE(said.find("the group \"inlet\" has no faces"), std::string::npos) << said;
}

const char* const square = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 2
2 1 0 2
3 1 1 2
4 0 1 2
$EndNodes
$Elements
4
1 1 2 5 1 1 2
2 2 2 6 1 1 2 3
3 2 2 6 2 1 4 3
4 15 2 0 1 1
$EndElements
)";

TEST(GmshRead, PlaneMesh) {
    const SimplexMesh mesh = read_bytes(square);
    EXPECT_EQ(mesh.dimension, 2);
    EXPECT_EQ(mesh.points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.cells, (std::vector<Index>{0, 1, 2, 0, 2, 3}));  // the second surface faced down
    EXPECT_EQ(mesh.regions, std::vector<std::string>{"region_6"});
    EXPECT_EQ(mesh.sides, (std::vector<Index>{0, 1}));
    EXPECT_EQ(mesh.boundaries, std::vector<std::string>{"group_5"});
}

TEST(GmshRead, SurfaceInSpaceIsRefused) {
    EXPECT_NE(refusal(edited(square, "3 1 1 2\n", "3 1 1 2.5\n"))
                  .find(": triangles in space (z from 2 to 2.5)"),
              std::string::npos);
}

// What `gzip` writes, of stored blocks (RFC 1951), so that no code under test makes it.
std::string gzipped(const std::string& bytes) {
    std::uint32_t check = 0xFFFFFFFF;
    for (const char c : bytes) {
        check ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k) check = check >> 1 ^ (check & 1 ? 0xEDB88320 : 0);
    }
    const auto number = [](std::uint64_t value, int count) {
        std::string text;
        for (int k = 0; k < count; ++k) text += static_cast<char>(value >> 8 * k & 0xFF);
        return text;
    };
    std::string file("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    constexpr std::size_t block = 65535;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        const std::string part = bytes.substr(at, block);
        file += (at + block >= bytes.size() ? '\1' : '\0') + number(part.size(), 2) +
                number(~part.size() & 0xFFFF, 2) + part;
    }
    return file + number(~check & 0xFFFFFFFF, 4) + number(bytes.size(), 4);
}

TEST(GmshRead, CompressedByGzip) {
    const std::string bytes = sample_2(Coding::native), packed = gzipped(bytes);
    expect_same(read_bytes(packed), sample_mesh());
    // of two members, as of files that were joined
    expect_same(read_bytes(gzipped(bytes.substr(0, 100)) + gzipped(bytes.substr(100))),
                sample_mesh());
    const auto expect = [](const std::string& file, const char* words) {
        const std::string message = refusal(file);
        EXPECT_NE(message.find(words), message.npos) << message;
        EXPECT_NE(message.find("gunzip"), message.npos) << message;
    };
    expect(packed.substr(0, packed.size() - 9), "compressed by gzip, and cut off");
    std::string damaged = packed;
    damaged[packed.size() - 20] ^= 1;  // which the check sum shows
    expect(damaged, "compressed by gzip, and damaged");
    expect(gzipped("another program's"), "compressed by gzip");
    expect(packed.substr(0, 4), "compressed by gzip");
}

// A small file of a long run of zeros takes no memory.
TEST(GmshRead, ZerosCompressedByGzipAreNotUnpacked) {
    EXPECT_NE(refusal(gzipped(std::string(1 << 20, '\0'))).find("compressed by gzip"),
              std::string::npos);
}

TEST(GmshRead, MeshesOfTheCases) {
    const auto folder = std::filesystem::path(SOLENOID_SOURCE_DIR) / "meshes";
    const SimplexMesh shaft = read_mesh(folder / "crankshaft.msh");
    EXPECT_EQ(shaft.cell_count(), 9478u);
    EXPECT_EQ(shaft.regions, std::vector<std::string>{"steel"});
    EXPECT_EQ(shaft.boundaries, (std::vector<std::string>{"front", "rear", "surface"}));
    const SimplexMesh fine = read_mesh(folder / "crankshaft.msh.gz");
    EXPECT_EQ(fine.cell_count(), 324975u);
    EXPECT_EQ(fine.boundaries, shaft.boundaries);
    const SimplexMesh plate = read_mesh(folder / "plate.msh");
    EXPECT_EQ(plate.cell_count(), 944u);
    EXPECT_EQ(plate.boundaries, (std::vector<std::string>{"left", "right", "bottom", "top"}));
}

}  // namespace
}  // namespace solenoid::test::gmsh_read_test

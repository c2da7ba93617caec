// solenoid mesh info, solenoid mesh box.
#include "app/mesh_commands.hpp"

#include <nlohmann/json.hpp>

#include "core/timer.hpp"
#include "support/gmsh_samples.hpp"

namespace solenoid::test::mesh_commands_test {
namespace {

template <class Action>
std::string output_of(Action&& action) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(action(), 0);
    return testing::internal::GetCapturedStdout();
}

nlohmann::json info(const std::filesystem::path& file) {
    return nlohmann::json::parse(output_of([&] { return mesh_info(file, true); }));
}

// A tet, its base in `groups` physical groups, a thousand and one tag on.
std::string base_in_groups(int groups, int copies = 1) {
    std::string tags, base;
    for (int g = 0; g < groups; ++g) tags += " " + std::to_string(1001 + g);
    for (int c = 0; c < copies; ++c) base += std::to_string(2 + c) + " 1 2 3\n";
    const std::string count = std::to_string(copies), all = std::to_string(copies + 1);
    return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n1 0 0 0 1 1 0 " +
           std::to_string(groups) + tags + " 0\n1 0 0 0 1 1 1 1 1 0\n$EndEntities\n" +
           "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n" +
           "$Elements\n2 " + all + " 1 " + all + "\n3 1 4 1\n1 1 2 3 4\n2 1 2 " + count + "\n" +
           base + "$EndElements\n";
}

TEST(MeshInfo, ManyGroupsOfFewFaces) {
    const TemporaryFile file(base_in_groups(1600));
    const Stopwatch watch;
    const auto mesh = info(file.path);
    EXPECT_LT(watch.seconds(), 10);
    ASSERT_EQ(mesh["boundaries"].size(), 1600u);
    for (int g = 0; g < 1600; ++g) {
        EXPECT_EQ(mesh["boundaries"][g]["name"], "group_" + std::to_string(1001 + g));
        EXPECT_EQ(mesh["boundaries"][g]["faces"], 1);
        EXPECT_DOUBLE_EQ(mesh["boundaries"][g]["area"], 0.5);
    }
    EXPECT_EQ(mesh["matching_boundaries"].size(), 0u);  // all lie in one place
    EXPECT_EQ(mesh["matching_is_complete"], true);
}

TEST(MeshInfo, ManyFacesInManyGroupsAreRefused) {
    const std::string message = refusal(base_in_groups(2000, 2000));
    EXPECT_EQ(message,
              ": its 2000 faces lie in 2000 physical groups each on average, some in 2000: "
              "solenoid keeps 8 on average; leave groups out of the geometry");
}

TEST(MeshInfo, TwoBoxes) {
    const auto mesh = info(data("two_boxes_41_text.msh"));
    EXPECT_EQ(mesh["dimension"], 3);
    EXPECT_EQ(mesh["cells"], 48);
    EXPECT_EQ(mesh["faces"], 116);
    EXPECT_EQ(mesh["edges"], 90);
    EXPECT_EQ(mesh["nodes"], 23);
    EXPECT_EQ(mesh["euler"], 1);
    EXPECT_EQ(mesh["components"], 1);
    EXPECT_EQ(mesh["outer_faces"], 40);
    EXPECT_EQ(mesh["outer_faces_in_no_group"], 32);
    EXPECT_DOUBLE_EQ(mesh["volume"], 2);
    EXPECT_EQ(mesh["low"], (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(mesh["high"], (std::vector<double>{2, 1, 1}));
    ASSERT_EQ(mesh["boundaries"].size(), 3u);
    EXPECT_EQ(mesh["boundaries"][1]["name"], "ends");
    EXPECT_EQ(mesh["boundaries"][1]["faces"], 8);
    EXPECT_EQ(mesh["boundaries"][1]["inner_faces"], 0);
    EXPECT_DOUBLE_EQ(mesh["boundaries"][1]["area"], 2);
    EXPECT_EQ(mesh["boundaries"][2]["name"], "group_13");
    EXPECT_EQ(mesh["boundaries"][2]["inner_faces"], 4);
    ASSERT_EQ(mesh["regions"].size(), 2u);
    EXPECT_EQ(mesh["regions"][0]["name"], "left part");
    EXPECT_EQ(mesh["regions"][0]["cells"], 24);
    EXPECT_DOUBLE_EQ(mesh["regions"][1]["volume"], 1);
    EXPECT_DOUBLE_EQ(mesh["quality"]["longest_edge"], 1);
}

TEST(MeshInfo, Table) {
    const std::string text =
        output_of([] { return mesh_info(data("two_boxes_41_text.msh"), false); });
    for (const char* line :
         {"cells                 48\n", "Euler characteristic  1\n",
          "32 of 40 outer faces in no group\n", "left part          24 cells             1 m^3\n",
          "1 m^2, 4 of the faces inside\n"})
        EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(MeshInfo, TwoParts) {
    SimplexMesh mesh = sample_mesh();
    for (std::size_t n = 0; n < 5; ++n) mesh.points.push_back(mesh.points[n] + Vec3(5, 0, 0));
    for (std::size_t i = 0; i < 8; ++i) mesh.cells.push_back(mesh.cells[i] + 5);
    mesh.cell_region = {0, 1, 0, 1};
    const TemporaryFile file("");
    write_gmsh(mesh, file.path);
    EXPECT_EQ(info(file.path)["components"], 2);
    EXPECT_EQ(info(file.path)["euler"], 2);
}

TEST(MeshInfo, NamesInLatin1AreToldInUtf8) {
    const TemporaryFile file(edited(sample_2(), "lower", "lo\xffwer"));
    EXPECT_EQ(info(file.path)["regions"][0]["name"], "lo\xc3\xbfwer");
}

TEST(MeshBox, IsReadBack) {
    for (const int dimension : {2, 3}) {
        BoxSettings settings;
        settings.dimension = dimension;
        settings.cells = 1000;
        settings.high = {2, 1, 1};
        const TemporaryFile file("");
        const std::string said = output_of([&] { return mesh_box(settings, file.path); });
        const auto mesh = info(file.path);
        EXPECT_NE(said.find(std::to_string(mesh["cells"].get<int>()) +
                            (dimension == 2 ? " triangles" : " tets")),
                  std::string::npos);
        EXPECT_EQ(mesh["dimension"], dimension);
        EXPECT_NEAR(mesh["volume"].get<double>(), 2, 1e-12);
        EXPECT_EQ(mesh["boundaries"].size(), 2u * dimension);
        EXPECT_EQ(mesh["outer_faces_in_no_group"], 0);
        EXPECT_EQ(mesh["euler"], 1);
    }
}

}  // namespace
}  // namespace solenoid::test::mesh_commands_test

// solenoid mesh info, solenoid mesh box.
#include "app/mesh_commands.hpp"

#include <nlohmann/json.hpp>

#include "support/gmsh_samples.hpp"

namespace solenoid::test {
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

TEST(MeshInfo, NamesNeedNotBeUtf8) {
    const TemporaryFile file(edited(sample_2(), "lower", "lo\xffwer"));
    EXPECT_EQ(info(file.path)["regions"][0]["name"], "lo\xef\xbf\xbdwer");
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
}  // namespace solenoid::test

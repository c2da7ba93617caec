// Files of surfaces: what is written is read again, files by hand, and hostile ones.
#include "io/surface/surface_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "support/scratch_folder.hpp"
#include "surface/checked_surface.hpp"

namespace solenoid {
namespace {

class SurfaceFile : public testing::Test {
  protected:
    std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
    std::filesystem::path written(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }
    // Behind the file's name.
    std::string refusal(const std::string& name, const std::string& bytes) const {
        const std::string place = written(name, bytes).string();
        try {
            check_surface(read_surface(place), place);
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.exit_code(), 2) << message;
            EXPECT_TRUE(message.starts_with(place + ":")) << message;
            EXPECT_EQ(message.find('\n'), message.npos) << message;
            return message.substr(std::min(place.size(), message.size()));
        }
        return "accepted";
    }
    const ScratchFolder folder_{Communicator::self()};
};

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(SurfaceFile, IsReadAsItWasWritten) {
    const TriangleSurface sphere = sphere_surface(4);
    for (const std::string ending : {"stl", "ply", "obj", "vtp", "STL"}) {
        write_surface(sphere, file("sphere." + ending));
        const TriangleSurface read = read_surface(file("sphere." + ending));
        ASSERT_EQ(read.points.size(), sphere.points.size()) << ending;
        ASSERT_EQ(read.triangles.size(), sphere.triangles.size()) << ending;
        const double rounding = ending == "vtp" ? 0 : 1e-7;
        for (std::size_t t = 0; t < read.triangles.size(); ++t)
            for (int k = 0; k < 3; ++k) {
                const Vec3 a = read.points[read.triangles[t][k]],
                           b = sphere.points[sphere.triangles[t][k]];
                for (int j = 0; j < 3; ++j) ASSERT_NEAR(a[j], b[j], rounding) << ending << t;
            }
        EXPECT_FALSE(std::filesystem::exists(part_of(file("sphere." + ending))));
    }
}

TEST_F(SurfaceFile, MayBeWrittenByHand) {
    const std::string tetrahedron =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    const CheckedSurface checked = check_surface(read_surface(written("a.obj", tetrahedron)), "a");
    EXPECT_TRUE(checked.is_closed());
    EXPECT_NEAR(volume_of(checked.surface), 1.0 / 6, 1e-12);

    std::string facets = "solid by hand\n";
    const TriangleSurface read = read_surface(file("a.obj"));
    for (const auto& t : read.triangles) {
        facets += "facet normal 0 0 0\nouter loop\n";
        for (const Index corner : t) {
            const Vec3& p = read.points[corner];
            facets += "vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " +
                      std::to_string(p.z) + "\n";
        }
        facets += "endloop\nendfacet\n";
    }
    facets += "endsolid by hand\n";
    const TriangleSurface of_stl = read_surface(written("a.stl", facets));
    EXPECT_EQ(of_stl.points.size(), 4u);
    EXPECT_NEAR(volume_of(of_stl), 1.0 / 6, 1e-12);

    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    EXPECT_NEAR(area_of(read_surface(written("a.ply", ply))), 0.5, 1e-12);
}

// With normals of faces VTK's reader gives a corner once for each.
TEST_F(SurfaceFile, OfObjSharesPointsThatHaveSeveralNormals) {
    const TriangleSurface read = read_surface(
        written("a.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn 1 1 1\nvn -1 0 0\n"
                "f 1//1 3//1 2//1\nf 1//2 2//2 4//2\nf 2//3 3//3 4//3\nf 3//4 1//4 4//4\n"));
    EXPECT_EQ(read.points.size(), 4u);
    EXPECT_TRUE(check_surface(read, "a").is_closed());
}

TEST_F(SurfaceFile, OfStlKeepsTrianglesWithoutAnAreaForTheCheck) {
    const auto facet = [](const std::string& corners) {
        return "facet normal 0 0 1\nouter loop\n" + corners + "endloop\nendfacet\n";
    };
    const std::string good = facet("vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"),
                      flat = facet("vertex 1 0 0\nvertex 1 0 0\nvertex 0 1 0\n");
    EXPECT_NE(refusal("a.stl", "solid a\n" + good + flat + "endsolid a\n")
                  .find("triangle 2 with its centroid at (0.666667, 0.333333, 0) has no area"),
              std::string::npos);
}

TEST_F(SurfaceFile, IsRefusedWithAPlace) {
    EXPECT_THROW(read_surface(file("none.stl")), InputError);
    EXPECT_THROW(read_surface(folder_.path() / "a.mesh"), InputError);
    for (const std::string ending : {"stl", "ply", "obj", "vtp"}) {
        EXPECT_NE(refusal("empty." + ending, ""), "accepted") << ending;
        EXPECT_NE(refusal("words." + ending, "this is no surface, whatever it says\n"), "accepted")
            << ending;
    }
    EXPECT_NE(refusal("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
                  .find("polygon 1 has 4 corners"),
              std::string::npos);
    EXPECT_NE(refusal("a.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n"), "accepted");
    const std::string head = "ply\nformat ascii 1.0\nelement vertex ";
    EXPECT_NE(refusal("a.ply", head + "99999999999\nelement face 1\nend_header\n")
                  .find("says 99999999999 of 'vertex'"),
              std::string::npos);
    EXPECT_NE(refusal("a.ply", head + "3\n").find("no 'end_header'"), std::string::npos);
}

TEST_F(SurfaceFile, IsRefusedWhereItIsCutOff) {
    for (const std::string ending : {"stl", "ply", "obj", "vtp"}) {
        write_surface(sphere_surface(2), file("whole." + ending));
        const std::string whole = bytes_of(file("whole." + ending));
        ASSERT_GT(whole.size(), 400u) << ending;
        int refused = 0, tried = 0;
        for (std::size_t size = whole.size() / 12; size < whole.size() - 2;
             size += whole.size() / 12) {
            ++tried;
            refused += refusal("cut." + ending, whole.substr(0, size)) != "accepted";
        }
        // text that ends between lines is a whole file of less, and of XML the last line may go
        const int least = ending == "obj" ? tried / 2 : ending == "vtp" ? tried - 1 : tried;
        EXPECT_GE(refused, least) << ending;
    }
}

TEST_F(SurfaceFile, IsRefusedWhereAPlyFileHasLessThanItsHeadSays) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list int int vertex_indices\nend_header\n";
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(refusal("a.ply", head + points + "3 0 1 2\n"), "accepted");
    const std::vector<std::pair<std::string, std::string>> cases{
        {head + "0 0 0\n1 0 0\n", "'vertex' 3 of 3 is missing"},
        {head + points, "'face' 1 of 1 is missing"},
        {head + "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "'vertex' 2 of 3 has too few numbers"},
        {head + "0 0 0\n\n1 0 0\n0 1 0\n3 0 1 2\n", "too few numbers"},
        {head + points + "3 0 1\n", "'face' 1 of 1 has too few numbers"},
        {head + points + "2000000000 0 1\n", "is no length of a list"},
        {head + points + "4 0 1 2 1\n", "'face' 1 of 1 has 4 corners"},
        {head + points + "3 0 1 7\n", "triangle 1 has the point 8, but there are 3"},
        {head + points + "3 0 1 -7\n", "triangle 1 has the point -6, but there are 3"}};
    for (const auto& [bytes, words] : cases)
        EXPECT_NE(refusal("a.ply", bytes).find(words), std::string::npos)
            << refusal("a.ply", bytes) << " " << words;

    write_surface(sphere_surface(1), file("whole.ply"));
    std::string whole = bytes_of(file("whole.ply"));
    const auto at = whole.find("list uchar");
    ASSERT_NE(at, whole.npos);
    whole.replace(at, 10, "list int");  // every length and corner is another then
    EXPECT_NE(refusal("b.ply", whole), "accepted");
}

// Any byte of a binary file may be any other: a refusal or a surface, within the check's promises.
TEST_F(SurfaceFile, MayHaveAnyByteChanged) {
    for (const std::string ending : {"stl", "ply", "vtp", "obj"}) {
        write_surface(sphere_surface(1), file("whole." + ending));
        const std::string whole = bytes_of(file("whole." + ending));
        for (std::size_t k = 0; k < whole.size(); k += 1 + whole.size() / 30) {
            std::string changed = whole;
            changed[k] = static_cast<char>(changed[k] ^ (1 << (k % 8)));
            refusal("changed." + ending, changed);
        }
    }
}

TEST_F(SurfaceFile, IsWholeOrAbsent) {
    const TriangleSurface sphere = sphere_surface(1);
    EXPECT_THROW(write_surface(sphere, folder_.path() / "missing" / "a.stl"), WriteError);
    EXPECT_THROW(write_surface(sphere, folder_.path() / "a.msh"), InputError);
}

}  // namespace
}  // namespace solenoid

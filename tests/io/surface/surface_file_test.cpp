// Files of surfaces: what is written is read again, files by hand, and hostile ones.
#include "io/surface/surface_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <set>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "support/failing_calls.hpp"
#include "support/scratch_folder.hpp"
#include "surface/checked_surface.hpp"

namespace solenoid::surface_file_test {
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
    // Each of them in what is refused.
    void expect_refused(const std::string& name, const std::string& bytes,
                        const std::vector<std::string>& words) const {
        const std::string message = refusal(name, bytes);
        for (const std::string& word : words)
            EXPECT_NE(message.find(word), message.npos) << message << " has no " << word;
    }
    const ScratchFolder folder_{Communicator::self()};
};

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// What a file has beside points and triangles is named; what this program writes has nothing.
TEST_F(SurfaceFile, NamesWhatIsLeftOut) {
    const std::string body = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    const auto of = [&](const std::string& name, const std::string& bytes) {
        return read_surface(written(name, bytes)).left_out;
    };
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    EXPECT_EQ(of("a.obj", points + body), "");
    EXPECT_EQ(of("a.obj", "o body\n" + points + "vn 0 0 1\nvn 0 1 0\nusemtl red\n" + body),
              "1 names of objects, 1 materials, 2 normals");
    EXPECT_EQ(of("a.obj", "v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + body),
              "weights or colours of the points");
    EXPECT_EQ(of("a.ply",
                 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                 "property float z\nproperty uchar red\nproperty float quality\nelement face 1\n"
                 "property list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\n"
                 "end_header\n0 0 0 9 1\n1 0 0 9 1\n0 1 0 9 1\n3 0 1 2\n0\n"),
              "red, quality of 'vertex'; 'edge'");
    for (const std::string ending : {"stl", "ply", "obj", "vtp"}) {
        write_surface(sphere_surface(2), file("sphere." + ending));
        EXPECT_EQ(read_surface(file("sphere." + ending)).left_out, "") << ending;
    }
    std::string stl = bytes_of(file("sphere.stl"));
    stl[84 + 50 * 7 + 49] = '\x80';
    EXPECT_TRUE(of("b.stl", stl).starts_with("the attributes of the triangles"));
    std::string vtp = bytes_of(file("sphere.vtp"));
    const std::size_t arrays = vtp.find("<PointData>");
    ASSERT_NE(arrays, vtp.npos) << vtp.substr(0, 600);
    std::string numbers;
    for (std::size_t k = 0; k < sphere_surface(2).points.size(); ++k) numbers += " 1";
    vtp.insert(arrays + 11, "<DataArray type=\"Float32\" Name=\"thickness\" format=\"ascii\">" +
                                numbers + "</DataArray>");
    EXPECT_EQ(of("c.vtp", vtp), "thickness of the points");
}

TEST_F(SurfaceFile, IsReadAsItWasWritten) {
    const TriangleSurface sphere = sphere_surface(4);
    for (const std::string ending : {"stl", "ply", "obj", "vtp", "STL"}) {
        write_surface(sphere, file("sphere." + ending));
        const TriangleSurface read = read_surface(file("sphere." + ending));
        ASSERT_EQ(read.points.size(), sphere.points.size()) << ending;
        ASSERT_EQ(read.triangles.size(), sphere.triangles.size()) << ending;
        const double rounding = ending == "vtp" || ending == "obj" ? 0 : 1e-7;
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

TEST_F(SurfaceFile, OfObjSharesPointsThatHaveSeveralNormals) {
    const TriangleSurface read = read_surface(
        written("a.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn 1 1 1\nvn -1 0 0\n"
                "f 1//1 3//1 2//1\nf 1//2 2//2 4//2\nf 2//3 3//3 4//3\nf 3//4 1//4 4//4\n"));
    EXPECT_EQ(read.points.size(), 4u);
    EXPECT_TRUE(check_surface(read, "a").is_closed());
}

// All ways to write a corner in one file, with what stands between them in files of programs.
TEST_F(SurfaceFile, OfObjMayBeWrittenInManyWays) {
    const TriangleSurface read = read_surface(
        written("a.obj",
                "\xEF\xBB\xBF# C:\\a folder\\\n"
                "mtllib some.mtl\r\no body\nf 1 3 2 # points may follow\n\n"
                "v 0.1 0 0\r\n\tv  1 0 0 1.0\nv 0 +1e0 0 0.5 half 0.5\nvt 0 0\nvn 0 0 1\n"
                "v 0 \\\n0 \\\r\n 1\nvt 1 1\ng a\nusemtl b\ns off\n"
                "f -4/2/1 -3/1/1 -1/2/1\nf 2 3 4\nf 3//1 1//1 \\\n 4//1\nl 1 2\np 1\n"
                "f 1/1 2/2\\\n 3/1"));
    const std::vector<Vec3> points{{0.1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    EXPECT_EQ(read.points, points);  // doubles: 0.1 is that of this file
    const std::vector<std::array<Index, 3>> triangles{
        {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 1, 2}};
    EXPECT_EQ(read.triangles, triangles);
}

TEST_F(SurfaceFile, OfObjIsRefusedWithTheLine) {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", good = "f 1 2 3\n";
    EXPECT_EQ(refusal("a.obj", points + good), "accepted");
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
        {points + "v 0,5 0 0\n" + good, {":4: ", "'0,5' is no coordinate", "write a finite"}},
        {points + "v 1 2\n" + good, {":4: ", "a point has 2 coordinates", "three"}},
        {points + "v 1 nan 0\n" + good, {":4: ", "'nan' is no coordinate"}},
        {points + "v 1 1e400 0\n" + good, {":4: ", "'1e400' is no coordinate"}},
        {points + "v 1 0 0x1\n" + good, {":4: ", "'0x1' is no coordinate"}},
        {points + "v 1 \\\n0 \\\n" + good + good, {":4: ", "'f' is no coordinate"}},
        {points + "# \\\n\n" + good + "f 1 2 4\n", {":7: ", "the point 4", "are 3 points"}},
        {points + good + "f 1 2 \\\n 0\n", {":5: ", "the point 0", "count from 1"}},
        {"v 0 0 0\nv 1 0 0\nf 1 2 -3\nv 0 1 0\n", {":3: ", "the point -3", "are 2 points above"}},
        {points + "f 1 2 99999999999\n", {":4: ", "the point 99999999999"}},
        {points + "f 1 2 3.0\n", {":4: ", "'3.0' is no corner", "a/b/c"}},
        {points + "f 1/x 2 3\n", {":4: ", "'1/x' is no corner"}},
        {points + "f 1 2/1/1/1 3\n", {":4: ", "'2/1/1/1' is no corner"}},
        {points + "f 1 /2 3\n", {":4: ", "'/2' is no corner"}},
        {points + "f 1 2\n" + good, {":4: ", "a face has 2 corners", "Triangulate"}},
        {points + "v 1 1 0\nf 1 2 4 3\n", {":5: ", "a face has 4 corners"}}};
    for (const auto& [bytes, words] : cases) expect_refused("a.obj", bytes, words);
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
                  .find(":5: a face has 4 corners"),
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
    EXPECT_EQ(refusal("a.ply", head + "0 +0.5 0\n1e0 0 0\n0 1 0\n3 0 1 2\n"), "accepted");
    const std::vector<std::pair<std::string, std::string>> cases{
        {head + "0 0 0\n1 0,5 0\n0 1 0\n3 0 1 2\n", ":11: 'vertex' 2 of 3: '0,5' is no coord"},
        {head + "0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", ":12: 'vertex' 3 of 3: 'x' is no coord"},
        {head + "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", ":11: 'vertex' 2 of 3: 'nan' is no coord"},
        {head + points + "3x 0 1 2\n", ":13: 'face' 1 of 1: '3x' is no length"},
        {head + points + "3 0 1e0 2\n", ":13: 'face' 1 of 1: '1e0' is no corner"},
        {head + points + "3 0 1 2.0\n", ":13: 'face' 1 of 1: '2.0' is no corner"},
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

// Doubles, text of many digits and whole numbers, in both orders of bytes.
TEST_F(SurfaceFile, OfPlyHasItsPointsAsPreciseAsTheyAre) {
    const Vec3 far(500003.946438, 4500001.49046, -0.1);
    const std::string faces =
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const auto head = [&](const std::string& format, const std::string& type) {
        std::string text = "ply\nformat " + format + " 1.0\nelement vertex 3\n";
        for (const char* name : {"x", "y", "z"}) text += "property " + type + " " + name + "\n";
        return text + "property uchar red\n" + faces;
    };
    EXPECT_EQ(read_surface(written("a.ply", head("ascii", "float") +
                                                "500003.946438 4500001.49046 -0.1 7\n0 0 0 0\n"
                                                "1 0 0 255\n3 0 1 2\n"))
                  .points[0],
              far);
    for (const bool is_big : {false, true}) {
        const auto bytes = [&](const auto& number) {
            std::array<char, sizeof number> of_number{};
            std::memcpy(of_number.data(), &number, sizeof number);  // here little endian
            if (is_big) std::ranges::reverse(of_number);
            return std::string(of_number.begin(), of_number.end());
        };
        const auto file_of = [&](const std::string& type, const auto& numbers) {
            std::string text = head(is_big ? "binary_big_endian" : "binary_little_endian", type);
            for (std::size_t k = 0; k < 9; ++k) text += bytes(numbers[k]) + (k % 3 == 2 ? "!" : "");
            text += '\3';
            for (const std::int32_t corner : {0, 1, 2}) text += bytes(corner);
            return written("b.ply", text);
        };
        const std::array<double, 9> doubles{far.x, far.y, far.z, 0, 0, 0, 1, 0, 0};
        EXPECT_EQ(read_surface(file_of("double", doubles)).points[0], far);
        const std::array<std::int16_t, 9> shorts{-300, 20000, -1, 0, 0, 0, 1, 0, 0};
        EXPECT_EQ(read_surface(file_of("short", shorts)).points[0], Vec3(-300, 20000, -1));
        const std::array<std::uint8_t, 9> bytes_of_points{200, 255, 1, 0, 0, 0, 1, 0, 0};
        EXPECT_EQ(read_surface(file_of("uchar", bytes_of_points)).points[0], Vec3(200, 255, 1));
    }
}

// A point stays one where it has several texture coordinates.
TEST_F(SurfaceFile, OfPlyStaysClosedUnderTextures) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nelement face 4\nproperty list uchar int vertex_indices\n"
        "property list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
    const TriangleSurface read = read_surface(written(
        "a.ply", head + "3 0 2 1 6 0.1 0.1 0.2 0.1 0.1 0.2\n3 0 1 3 6 0.3 0.1 0.4 0.1 0.3 0.2\n"
                        "3 1 2 3 6 0.5 0.1 0.6 0.1 0.5 0.2\n"
                        "3 2 0 3 6 0.7 0.1 0.8 0.1 0.7 0.2\n"));
    EXPECT_EQ(read.points.size(), 4u);
    const std::vector<std::array<Index, 3>> triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    EXPECT_EQ(read.triangles, triangles);
    EXPECT_TRUE(check_surface(read, "a").is_closed());
}

const std::string facet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\n";

TEST_F(SurfaceFile, IsRefusedWithVtksReasonAndNothingElseIsSaid) {
    write_surface(sphere_surface(1), file("whole.vtp"));
    std::string broken = bytes_of(file("whole.vtp"));
    const auto at = broken.find("</Piece>");
    ASSERT_NE(at, broken.npos);
    broken.replace(at, 8, "</Peace>");
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    expect_refused("cut.stl", "solid a\n" + facet + "facet normal 0 0 1\nouter loop\n",
                   {"at line 10: Premature EOF while reading 'vertex'"});
    expect_refused("bad.stl", "solid a\n" + facet + "facets\n", {"at line 9: ", "'facets'"});
    expect_refused("broken.vtp", broken, {"Error parsing XML", "mismatched tag"});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(SurfaceFile, OfStlMayBeInLargeLetters) {
    std::string text = "solid a\n" + facet + "endsolid a\n";
    EXPECT_EQ(read_surface(written("a.stl", "\n " + text)).triangles.size(), 1u);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_NEAR(area_of(read_surface(written("b.stl", text))), 0.5, 1e-12);
}

TEST_F(SurfaceFile, OfStlHasNumbersInItsLines) {
    const auto with = [](const std::string& line) {
        return "solid a\n" + facet + facet + "  Vertex " + line + "\nendsolid a\n";
    };
    expect_refused("a.stl", with("0 1 0,5"), {":16: '0,5' is no coordinate"});
    expect_refused("a.stl", with("0 nan 0"), {":16: 'nan' is no coordinate"});
    expect_refused("a.stl", with("0 1"), {":16: a vertex has 2 coordinates"});
    std::string name;
    for (int k = 0; k < 30; ++k) name += "\xE9\x9D\xA2";
    expect_refused("a.stl", "solid " + name + "\n" + facet + "endsolid\n",
                   {"is text, but", "change the name behind 'solid'"});
}

TEST_F(SurfaceFile, OfStlHasAsManyTrianglesAsItSays) {
    write_surface(sphere_surface(1), file("whole.stl"));
    std::string bytes = bytes_of(file("whole.stl"));
    ASSERT_EQ(bytes.size(), 84 + 50 * 20u);
    EXPECT_EQ(refusal("a.stl", bytes), "accepted");
    expect_refused("a.stl", bytes + bytes.substr(84, 50),
                   {"longer than it says", "20 triangles", "1084 bytes", "has 1134"});
    expect_refused("a.stl", bytes.substr(0, 1034), {"cut off", "1084 bytes", "has 1034"});
    bytes.replace(0, 11, "solid facet");  // and still no text
    EXPECT_EQ(refusal("a.stl", bytes), "accepted");
    expect_refused("a.stl", bytes + bytes.substr(84, 50), {"longer than it says"});
}

TEST_F(SurfaceFile, IsReadByOthersAsItsFormatSays) {
    TriangleSurface triangle{{{0.5, 0, 0}, {1, 0, 0}, {0.5, 2, 0}}, {{0, 1, 2}}};
    const auto number = [](const std::string& bytes, std::size_t at) {
        float value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    write_surface(triangle, file("a.stl"));
    const std::string stl = bytes_of(file("a.stl"));
    ASSERT_EQ(stl.size(), 134u);
    EXPECT_EQ(stl[80], 1);
    const std::array<float, 12> numbers{0, 0, 1, 0.5, 0, 0, 1, 0, 0, 0.5, 2, 0};
    for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(number(stl, 84 + 4 * k), numbers[k]) << k;

    write_surface(triangle, file("a.ply"));
    const std::string ply = bytes_of(file("a.ply"));
    const auto end = ply.find("end_header\n") + 11;
    ASSERT_EQ(ply.size(), end + 36 + 13);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(number(ply, end + 4 * k), numbers[3 + k]) << k;
    EXPECT_EQ(ply.substr(end + 36), std::string("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13));
}

TEST_F(SurfaceFile, OfSinglePrecisionSaysWhatItCannotHold) {
    TriangleSurface surface{{{1, 0, 0}, {1 + 1e-9, 0, 0}, {0, 1, 0}, {1, 1e39, 0}},
                            {{0, 1, 2}, {0, 2, 3}}};
    for (const std::string ending : {"stl", "ply"}) {
        write_surface(sphere_surface(1), file("a." + ending));
        const std::string before = bytes_of(file("a." + ending));
        surface.points[3].y = 1e39;
        try {
            write_surface(surface, file("a." + ending));
            ADD_FAILURE() << ending;
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find("." + ending + ": point 4 at (1, 1e+39, 0)"), message.npos)
                << message;
            EXPECT_NE(message.find("write .vtp or .obj, which hold doubles"), message.npos);
        }
        EXPECT_TRUE(bytes_of(file("a." + ending)) == before);
        surface.points[3].y = 3;
        testing::internal::CaptureStderr();
        write_surface(surface, file("a." + ending));
        const std::string warning = testing::internal::GetCapturedStderr();
        EXPECT_NE(warning.find("corners of 1 of 2 triangles"), warning.npos) << warning;
        EXPECT_NE(warning.find("write .vtp or .obj"), warning.npos) << warning;
    }
    surface.points[3].y = 1e39;
    for (const std::string ending : {"obj", "vtp"}) {
        testing::internal::CaptureStderr();
        write_surface(surface, file("a." + ending));
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(read_surface(file("a." + ending)).points, surface.points) << ending;
    }
}

// A disk that takes nothing any more, or only says so at the flush.
TEST_F(SurfaceFile, KeepsTheOldFileWhereTheNewOneCannotBeWritten) {
    for (const std::string ending : {"stl", "ply", "obj", "vtp"})
        for (const char* call : {"write", "fsync"})
            for (const int parts : {1, 20}) {
                const auto place = file("a." + ending);
                write_surface(sphere_surface(2), place);
                const std::string before = bytes_of(place);
                fail_call(call, 1, "/a.", 1);
                EXPECT_THROW(write_surface(sphere_surface(parts), place), WriteError)
                    << ending << call;
                fail_call("", 0, "", 0);
                EXPECT_TRUE(bytes_of(place) == before) << ending << call;
                std::set<std::string> names;
                for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
                    names.insert(entry.path().filename());
                EXPECT_EQ(names, std::set<std::string>{"a." + ending}) << ending << call;
                std::filesystem::remove(place);
            }
}

TEST_F(SurfaceFile, IsWholeOrAbsent) {
    const TriangleSurface sphere = sphere_surface(1);
    EXPECT_THROW(write_surface(sphere, folder_.path() / "missing" / "a.stl"), WriteError);
    EXPECT_THROW(write_surface(sphere, folder_.path() / "a.msh"), InputError);
}

}  // namespace
}  // namespace solenoid::surface_file_test

// Small Gmsh files, written by other code than the writer under test, and what must be read from
// them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "io/mesh/mesh_file.hpp"

namespace solenoid::test {

// A file in the temporary folder, removed at the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& bytes, const std::string& suffix = ".msh") {
        static int count = 0;
        path = std::filesystem::temp_directory_path() /
               ("solenoid-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix);
        std::ofstream(path, std::ios::binary) << bytes;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    std::filesystem::path path;
};

inline std::string bytes_of(const std::filesystem::path& file) {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
}

inline std::filesystem::path data(const std::string& name) {
    return std::filesystem::path(SOLENOID_SOURCE_DIR) / "tests" / "data" / name;
}

inline SimplexMesh read_bytes(const std::string& bytes) {
    return read_mesh(TemporaryFile(bytes).path);
}

// The message of the InputError that reading these bytes ends with, without the folder; "" where it
// succeeds.
inline std::string refusal(const std::string& bytes, const std::string& suffix = ".msh") {
    const TemporaryFile file(bytes, suffix);
    try {
        read_mesh(file.path);
    } catch (const InputError& error) {
        const std::string message = error.what(), name = file.path.string();
        return message.starts_with(name) ? message.substr(name.size())
                                         : "without place: " + message;
    }
    return "";
}

inline std::string edited(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the sample");
    return text.replace(at, from.size(), to);
}

enum class Coding { text, native, swapped };

// Two tets in two regions ("lower" and one without a name), the face between them in two groups,
// one side, and an element of a point and of a line, which count for nothing. The numbers of the
// nodes have gaps.
class SampleWriter {
  public:
    explicit SampleWriter(Coding coding) : coding_(coding) {}
    std::string version_2();
    std::string version_4();

  private:
    void line(const std::string& text) { bytes_ += text + "\n"; }
    void end() {
        if (coding_ == Coding::text) bytes_.back() = '\n';
    }
    void close(const std::string& name) {
        line((coding_ == Coding::text ? "$End" : "\n$End") + name);
    }
    template <class T>
    void set(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if (coding_ == Coding::swapped) std::reverse(raw, raw + sizeof(T));
        bytes_.append(raw, sizeof(T));
    }
    void i(int value) {
        coding_ == Coding::text ? void(bytes_ += std::to_string(value) + " ") : set(value);
    }
    void n(std::uint64_t value) {
        coding_ == Coding::text ? void(bytes_ += std::to_string(value) + " ") : set(value);
    }
    void x(double value) {
        std::ostringstream text;
        text << value << " ";
        coding_ == Coding::text ? void(bytes_ += text.str()) : set(value);
    }
    void format(const std::string& version) {
        line("$MeshFormat");
        line(version + (coding_ == Coding::text ? " 0 8" : " 1 8"));
        if (coding_ != Coding::text) set(1);
        close("MeshFormat");
        bytes_ +=
            "$PhysicalNames\n3\n2 7 \"between\"\n2 8 \"second side\"\n3 1 "
            "\"lower\"\n$EndPhysicalNames\n";
    }
    void entity(int tag, int reals, std::vector<int> groups, std::vector<int> bounds);
    void block_2(int type, std::vector<std::vector<int>> elements);
    void block_4(int dimension, int tag, int type, std::vector<std::vector<int>> elements);

    Coding coding_;
    std::string bytes_;
    int element_ = 0;
    static constexpr int numbers[5]{4, 10, 3, 21, 1};
    static constexpr double points[5][3]{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.5, 1, 1}};
};

inline void SampleWriter::block_2(int type, std::vector<std::vector<int>> elements) {
    if (coding_ != Coding::text)
        for (int value : {type, static_cast<int>(elements.size()), 2}) i(value);
    for (const auto& element : elements) {
        i(++element_);
        if (coding_ == Coding::text) i(type), i(2);
        for (int value : element) i(value);
        end();
    }
}

// The elements' first numbers are physical group and entity.
inline std::string SampleWriter::version_2() {
    format("2.2");
    line("$Nodes");
    line("5");
    for (int p = 0; p < 5; ++p) {
        i(numbers[p]);
        for (double value : points[p]) x(value);
        end();
    }
    close("Nodes");
    line("$Elements");
    line("7");
    block_2(15, {{0, 1, 4}});
    block_2(1, {{9, 1, 4, 10}});
    block_2(2, {{7, 1, 10, 3, 21}, {8, 1, 10, 3, 21}, {8, 2, 4, 3, 10}});
    block_2(4, {{1, 1, 4, 10, 3, 21}, {2, 2, 21, 10, 3, 1}});
    close("Elements");
    return std::move(bytes_);
}

inline void SampleWriter::entity(int tag, int reals, std::vector<int> groups,
                                 std::vector<int> bounds) {
    i(tag);
    for (int r = 0; r < reals; ++r) x(r < 3 ? 0 : 1.5);
    n(groups.size());
    for (int group : groups) i(group);
    if (reals == 6) n(bounds.size());
    for (int bound : bounds) i(bound);
    end();
}

inline void SampleWriter::block_4(int dimension, int tag, int type,
                                  std::vector<std::vector<int>> elements) {
    i(dimension), i(tag), i(type), n(elements.size()), end();
    for (const auto& element : elements) {
        n(++element_);
        for (int value : element) n(value);
        end();
    }
}

inline std::string SampleWriter::version_4() {
    format("4.1");
    line("$Entities");
    n(1), n(1), n(2), n(2), end();
    entity(1, 3, {}, {});
    entity(1, 6, {9}, {1, -1});
    entity(1, 6, {7, 8}, {1});
    entity(2, 6, {-8}, {-1});
    entity(1, 6, {1}, {1, 2});
    entity(2, 6, {2}, {-1});
    close("Entities");
    line("$Nodes");
    n(2), n(5), n(1), n(21), end();
    const auto nodes = [&](int dimension, int tag, int begin, int finish) {
        i(dimension), i(tag), i(0), n(finish - begin), end();
        for (int p = begin; p < finish; ++p) n(numbers[p]), end();
        for (int p = begin; p < finish; ++p) {
            for (double value : points[p]) x(value);
            end();
        }
    };
    nodes(0, 1, 0, 1);
    nodes(3, 1, 1, 5);
    close("Nodes");
    line("$Elements");
    n(6), n(6), n(1), n(6), end();
    block_4(0, 1, 15, {{4}});
    block_4(1, 1, 1, {{4, 10}});
    block_4(2, 1, 2, {{10, 3, 21}});
    block_4(2, 2, 2, {{4, 3, 10}});
    block_4(3, 1, 4, {{4, 10, 3, 21}});
    block_4(3, 2, 4, {{21, 10, 3, 1}});
    close("Elements");
    return std::move(bytes_);
}

inline std::string sample_2(Coding coding = Coding::text) {
    return SampleWriter(coding).version_2();
}
inline std::string sample_4(Coding coding = Coding::text) {
    return SampleWriter(coding).version_4();
}

inline SimplexMesh sample_mesh() {
    SimplexMesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.5, 1, 1}};
    mesh.cells = {0, 1, 2, 3, 3, 1, 2, 4};
    mesh.cell_region = {0, 1};
    mesh.regions = {"lower", "region_2"};
    mesh.sides = {1, 2, 3, 1, 2, 3, 0, 2, 1};
    mesh.side_group = {0, 1, 1};
    mesh.boundaries = {"between", "second side"};
    return mesh;
}

inline void expect_same(const SimplexMesh& a, const SimplexMesh& b) {
    EXPECT_EQ(a.dimension, b.dimension);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.cells, b.cells);
    EXPECT_EQ(a.cell_region, b.cell_region);
    EXPECT_EQ(a.regions, b.regions);
    EXPECT_EQ(a.sides, b.sides);
    EXPECT_EQ(a.side_group, b.side_group);
    EXPECT_EQ(a.boundaries, b.boundaries);
}

// What is printed to standard error meanwhile.
template <class Action>
std::string warnings_of(Action&& action) {
    testing::internal::CaptureStderr();
    action();
    return testing::internal::GetCapturedStderr();
}

}  // namespace solenoid::test

// Types of entity numbers and incidence tables, and the word of an oriented entity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

namespace solenoid {

using Index = std::uint32_t;  // an entity's number on this rank
// number of a node or cell in the mesh file, equal on all ranks
using GlobalIndex = std::int64_t;
using Vec3 = glm::dvec3;  // z = 0 in two dimensions

inline constexpr Index none = 0xFFFFFFFFu;

// An entity with its orientation in one word: the top bit says "reversed". Shaders unpack it
// likewise.
inline constexpr Index reversed = 0x80000000u;
constexpr Index entity_of(Index oriented) { return oriented & ~reversed; }
constexpr int orientation_of(Index oriented) { return (oriented & reversed) ? -1 : 1; }

// The kinds of mesh entity. In two dimensions edges and faces are the same: the sides of triangles.
enum class Kind : int { node = 0, edge = 1, face = 2, cell = 3 };
inline constexpr std::array<Kind, 4> all_kinds{Kind::node, Kind::edge, Kind::face, Kind::cell};
constexpr const char* name_of(Kind kind) {
    constexpr const char* names[] = {"node", "edge", "face", "cell"};
    return names[static_cast<int>(kind)];
}

// A half-open range of entity numbers.
struct Range {
    Index begin = 0;
    Index end = 0;
    Index size() const { return end - begin; }
};

// Rows of fixed width, stored row by row.
struct Table {
    int width = 0;
    std::vector<Index> data;

    Table() = default;
    Table(std::size_t rows, int columns, Index value = none)
        : width(columns), data(rows * columns, value) {}
    std::size_t rows() const { return width ? data.size() / width : 0; }
    Index operator()(std::size_t i, int j) const { return data[i * width + j]; }
    Index& operator()(std::size_t i, int j) { return data[i * width + j]; }
    const Index* row(std::size_t i) const { return data.data() + i * width; }
    Index* row(std::size_t i) { return data.data() + i * width; }
};

// Rows of varying length: row i is index[start[i]] .. index[start[i + 1] - 1].
struct Rows {
    std::vector<Index> start{0};
    std::vector<Index> index;

    std::size_t rows() const { return start.size() - 1; }
    Index length(std::size_t i) const { return start[i + 1] - start[i]; }
    const Index* begin(std::size_t i) const { return index.data() + start[i]; }
    const Index* end(std::size_t i) const { return index.data() + start[i + 1]; }
};

}  // namespace solenoid

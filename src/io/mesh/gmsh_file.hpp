// The content of a Gmsh file, and its conversion to a SimplexMesh. Used in src/io only.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/mesh/cursor.hpp"
#include "mesh/simplex_mesh.hpp"

namespace solenoid::gmsh {

using DimTag = std::pair<int, int>;  // of an entity or a physical group

// Simplices of one dimension with their sets of physical groups.
struct Elements {
    std::vector<Index> nodes;  // dimension + 1 each
    std::vector<Index> set;    // index into File::sets
    std::size_t count() const { return set.size(); }
};

struct File {
    int version = 0;  // 2 or 4
    std::vector<Vec3> points;
    std::array<Elements, 4> elements;        // by dimension, without points
    std::vector<std::vector<int>> sets{{}};  // tags of physical groups; set 0 is empty
    // for each set without groups the tag of its geometric entity; 0: unknown
    std::vector<int> entities{0};
    std::map<DimTag, std::string> names;  // of physical groups, in UTF-8; dimension -1: any
    std::size_t latin1_names = 0;         // those that were Latin-1 in the file
    std::string latin1_name;              // the first of them
    std::int64_t partitions = 0;          // number of partitions of the mesh; 0: not partitioned
    // numbers of the partitions with entities here, by dimension
    std::array<std::set<int>, 4> parts;

    Index add_set(std::vector<int> groups, std::int64_t entity) {
        sets.push_back(std::move(groups));
        entities.push_back(sets.back().empty() ? static_cast<int>(entity) : 0);
        return static_cast<Index>(sets.size() - 1);
    }
};

// The node numbers of a file, which may have gaps, and their places in File::points.
class NodeNumbers {
  public:
    void add(std::int64_t number) { numbers_.push_back(number); }
    std::size_t count() const { return numbers_.size(); }
    // Call once after all numbers are added. Returns a number that occurs twice, if any.
    std::optional<std::int64_t> build();
    // `none` for a number that does not occur.
    Index find(std::int64_t number) const {
        if (sorted_.empty()) {
            const auto offset =
                static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(least_);
            return offset < dense_.size() ? dense_[offset] : none;
        }
        return find_sorted(number);
    }

  private:
    Index find_sorted(std::int64_t number) const;

    std::vector<std::int64_t> numbers_;
    std::int64_t least_ = 0;
    // by number - least_, where gaps are small
    std::vector<Index> dense_;
    std::vector<std::pair<std::int64_t, Index>> sorted_;  // otherwise
};

// The records of one length in a block of a binary file of format 4.1.
struct NodeBlock {
    std::int64_t count;
    std::size_t numbers, positions;  // offsets of the first number and position [bytes]
    std::size_t stride;              // from one position to the next [bytes]
};
struct ElementBlock {
    std::int64_t count;
    int dimension;
    Index set;  // index into File::sets
    std::size_t records;
    std::size_t stride() const { return 8 * (dimension + 2); }  // bytes of a number and the nodes
};

// The layout of a binary file of format 4.1, whose nodes and elements are read later.
struct Layout {
    File file;                    // without points and elements
    std::size_t nodes_start = 0;  // offset of the section [bytes]
    std::vector<NodeBlock> nodes;
    std::vector<ElementBlock> elements;
};

// Whether the bytes are a Gmsh file: it begins with a section; "$NOD" is that of format 1.
bool is_gmsh(std::string_view bytes);

// Reads all sections; the cursor is at the beginning of the file.
File read_file(Cursor& in);
// Reads all sections but nodes and elements; absent for other formats.
std::optional<Layout> read_layout(Cursor& in);

// Readers of the sections of each format (gmsh_2.cpp, gmsh_4.cpp). The cursor is behind the first
// line of the section.
void read_nodes_2(Cursor& in, bool parametric, File& file, NodeNumbers& numbers);
void read_elements_2(Cursor& in, const NodeNumbers& numbers, File& file);
// The set of physical groups of each entity; without $Entities sets are made as entities appear.
using Entities = std::map<DimTag, Index>;
void read_entities_4(Cursor& in, bool partitioned, File& file, Entities& entities);
void read_nodes_4(Cursor& in, File& file, NodeNumbers& numbers);
void read_elements_4(Cursor& in, const NodeNumbers& numbers, Entities& entities, bool are_listed,
                     File& file);
void hop_over_nodes_4(Cursor& in, Layout& layout);
void hop_over_elements_4(Cursor& in, Entities& entities, bool are_listed, Layout& layout);

// The dimension of an element type that can be read (point, line, triangle, tet). Throws InputError
// with the element and a remedy for all others.
int dimension_of(std::int64_t type, std::int64_t element, const Cursor& in, std::size_t position);

// A node of an element as its place in File::points.
Index read_node(Cursor& in, const NodeNumbers& numbers, std::int64_t number, std::int64_t element);

// The number of elements in each set of groups, by dimension.
using SetSizes = std::array<std::vector<std::size_t>, 4>;

// The regions and boundaries of a mesh, and those of each set of groups.
struct Groups {
    std::vector<std::string> regions, boundaries;
    // number of boundaries at the end that are entities in no physical group
    std::size_t entity_boundaries = 0;
    std::vector<std::uint16_t> region_of_set;
    std::vector<std::vector<std::uint16_t>> boundaries_of_set;
};
// Warns of elements that are left out.
Groups name_groups(const File& file, const SetSizes& sizes, int dimension,
                   const std::string& place);

// Throws InputError unless the file has cells, and all of them.
void check_completeness(const File& file, const SetSizes& sizes, const std::string& place);

// Converts to cells, sides and their groups; warns of what is left out. place: the file's name.
SimplexMesh to_simplex_mesh(File&& file, const std::string& place);

}  // namespace solenoid::gmsh

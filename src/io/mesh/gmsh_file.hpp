// What a Gmsh file says, and the way from there to a SimplexMesh. For the io room alone.
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

using DimTag = std::pair<int, int>;  // dimension and tag of an entity or of a physical group

// Simplices of one dimension, each with the number of the set of physical groups that it lies in.
struct Elements {
    std::vector<Index> nodes;  // dimension + 1 each
    std::vector<Index> set;    // index into File::sets
    std::size_t count() const { return set.size(); }
};

struct File {
    int version = 0;  // 2 or 4
    std::vector<Vec3> points;
    std::array<Elements, 4> elements;        // by dimension; the points are left out
    std::vector<std::vector<int>> sets{{}};  // tags of physical groups; set 0 is empty
    // of each set without groups, the tag of its geometric entity; 0: not known
    std::vector<int> entities{0};
    std::map<DimTag, std::string> names;  // of physical groups; dimension -1: of any
    std::int64_t partitions = 0;          // that the mesh was divided into; 0: whole
    // the partitions that have entities here, by their dimension
    std::array<std::set<int>, 4> parts;

    Index add_set(std::vector<int> groups, std::int64_t entity) {
        sets.push_back(std::move(groups));
        entities.push_back(sets.back().empty() ? static_cast<int>(entity) : 0);
        return static_cast<Index>(sets.size() - 1);
    }
};

// The numbers of the file's nodes, which may have gaps, and their places in File::points.
class NodeNumbers {
  public:
    void add(std::int64_t number) { numbers_.push_back(number); }
    std::size_t count() const { return numbers_.size(); }
    // Call once, when all are added. Returns a number that came twice, if one did.
    std::optional<std::int64_t> build();
    Index find(std::int64_t number) const {  // `none` where the file has no such node
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
    // by number - least_, where the gaps are small
    std::vector<Index> dense_;
    std::vector<std::pair<std::int64_t, Index>> sorted_;  // else
};

// The records of a block of a binary file of format 4.1, all of one length.
struct NodeBlock {
    std::int64_t count;
    std::size_t numbers, positions;  // bytes at which they begin
    std::size_t stride;              // bytes from one position to the next
};
struct ElementBlock {
    std::int64_t count;
    int dimension;
    Index set;  // index into File::sets
    std::size_t records;
    std::size_t stride() const { return 8 * (dimension + 2); }  // number, nodes
};

// Where everything stands in a binary file of format 4.1, whose nodes and elements are yet to be
// read.
struct Layout {
    File file;                    // without points and elements
    std::size_t nodes_start = 0;  // where the section begins
    std::vector<NodeBlock> nodes;
    std::vector<ElementBlock> elements;
};

// Files of Gmsh begin with a section; "$NOD" is the one of format 1.
bool is_gmsh(std::string_view bytes);

// Reads the sections behind the cursor, which stands at the file's beginning.
File read_file(Cursor& in);
// The same, hopping over nodes and elements: nothing where the file is of another format.
std::optional<Layout> read_layout(Cursor& in);

// Readers of the sections of each format (gmsh_2.cpp, gmsh_4.cpp). The cursor stands behind the
// section's first line.
void read_nodes_2(Cursor& in, bool parametric, File& file, NodeNumbers& numbers);
void read_elements_2(Cursor& in, const NodeNumbers& numbers, File& file);
// the set of physical groups of each entity; without $Entities made as they appear
using Entities = std::map<DimTag, Index>;
void read_entities_4(Cursor& in, bool partitioned, File& file, Entities& entities);
void read_nodes_4(Cursor& in, File& file, NodeNumbers& numbers);
void read_elements_4(Cursor& in, const NodeNumbers& numbers, Entities& entities, bool are_listed,
                     File& file);
void hop_over_nodes_4(Cursor& in, Layout& layout);
void hop_over_elements_4(Cursor& in, Entities& entities, bool are_listed, Layout& layout);

// The dimension of a type of element that can be read (point, line, triangle, tet); throws for all
// others, naming the element and the remedy.
int dimension_of(std::int64_t type, std::int64_t element, const Cursor& in, std::size_t position);

// One node of an element: its place in File::points.
Index read_node(Cursor& in, const NodeNumbers& numbers, std::int64_t number, std::int64_t element);

// The numbers of elements in each set of groups, by dimension.
using SetSizes = std::array<std::vector<std::size_t>, 4>;

// What the sets of groups are in a mesh of this dimension.
struct Groups {
    std::vector<std::string> regions, boundaries;
    // of these, the last: entities that lie in no physical group
    std::size_t entity_boundaries = 0;
    std::vector<std::uint16_t> region_of_set;
    std::vector<std::vector<std::uint16_t>> boundaries_of_set;
};
// warns of what is left out
Groups name_groups(const File& file, const SetSizes& sizes, int dimension,
                   const std::string& place);

// Throws unless there are cells, all parts of them.
void check_completeness(const File& file, const SetSizes& sizes, const std::string& place);

// Cells, sides and their groups; warns of what is left out. `place` is the file's name.
SimplexMesh to_simplex_mesh(File&& file, const std::string& place);

}  // namespace solenoid::gmsh

// Gmsh format 2.2: nodes, and elements with the tags of their physical groups.
#include <fmt/format.h>

#include <map>

#include "io/mesh/gmsh_file.hpp"

namespace solenoid::gmsh {
namespace {

// Reads the number of records, a line of text also in binary files.
std::int64_t read_count_line(Cursor& in, const char* what) {
    const bool binary = in.binary();
    in.read_text();
    const std::int64_t count = in.count(what);
    in.end_of_record(what);
    if (binary) in.read_binary();
    return count;
}

// Skips the data of a parametric node: dimension and tag of its entity, u on a curve, u and v on a
// surface.
void skip_parameters(Cursor& in) {
    if (!in.binary()) {
        in.line();
        return;
    }
    const std::int64_t dimension = in.integer("the dimension of a node's entity");
    in.integer("the tag of a node's entity");
    for (int i = 0; i < (dimension == 1 || dimension == 2 ? dimension : 0); ++i)
        in.real("a node's parameter");
}

// The sets of one physical group each, and of entities in no group, added as their tags appear.
class GroupSets {
  public:
    explicit GroupSets(File& file) : file_(file) {}
    Index operator()(std::int64_t group, std::int64_t entity) {
        const std::pair tags{group, group == 0 ? entity : 0};
        if (tags == last_tags_) return last_set_;
        last_tags_ = tags;
        if (tags == std::pair<std::int64_t, std::int64_t>{0, 0}) return last_set_ = 0;
        const auto [entry, is_new] = sets_.try_emplace(tags, static_cast<Index>(file_.sets.size()));
        // a negative tag is a reversed element
        if (is_new)
            file_.add_set(
                group == 0 ? std::vector<int>{} : std::vector{static_cast<int>(std::abs(group))},
                entity);
        return last_set_ = entry->second;
    }

  private:
    File& file_;
    std::map<std::pair<std::int64_t, std::int64_t>, Index> sets_;
    std::pair<std::int64_t, std::int64_t> last_tags_{0, 0};
    Index last_set_ = 0;
};

struct Header {
    std::int64_t type, tags;
};

// Reads an element: number (binary: read here), tags, nodes.
void read_element(Cursor& in, const Header& header, int dimension, std::int64_t element,
                  const NodeNumbers& numbers, GroupSets& set_of, File& file) {
    std::array<std::int64_t, 2> tags{0, 0};  // physical group, entity
    for (std::int64_t t = 0; t < header.tags; ++t) {
        const std::int64_t tag = in.integer_in_line("a tag of the element");
        if (t < 2) tags[t] = tag;
    }
    Elements& elements = file.elements[dimension];
    for (int j = 0; j <= dimension; ++j) {
        const Index node =
            read_node(in, numbers, in.integer_in_line("a node of the element"), element);
        if (dimension > 0) elements.nodes.push_back(node);
    }
    if (dimension > 0) elements.set.push_back(set_of(tags[0], tags[1]));
    in.end_of_record("the element");
}

void read_text_elements(Cursor& in, std::int64_t count, const NodeNumbers& numbers,
                        GroupSets& set_of, File& file) {
    for (std::int64_t i = 0; i < count; ++i) {
        in.skip_blanks();
        const std::size_t start = in.position();
        const std::int64_t element = in.integer("an element's number");
        Header header{};
        header.type = in.integer_in_line("the element's type");
        const int dimension = dimension_of(header.type, element, in, start);
        header.tags = in.count_in_line("the element's number of tags");
        read_element(in, header, dimension, element, numbers, set_of, file);
    }
}

// Reads blocks of elements of one type: type, number of elements, number of tags, then the
// elements.
void read_binary_elements(Cursor& in, std::int64_t count, const NodeNumbers& numbers,
                          GroupSets& set_of, File& file) {
    for (std::int64_t done = 0; done < count;) {
        const std::size_t start = in.position();
        Header header{};
        header.type = in.integer("a block's element type");
        const std::int64_t size = in.integer("a block's number of elements");
        header.tags = in.integer("a block's number of tags");
        if (size < 1 || size > count - done)
            in.fail_at(start, fmt::format("a block of {} elements, where 1 to {} can follow", size,
                                          count - done));
        if (header.tags < 0) in.fail_at(start, fmt::format("elements with {} tags", header.tags));
        for (std::int64_t i = 0; i < size; ++i) {
            const std::int64_t element = in.integer("an element's number");
            const int dimension = dimension_of(header.type, element, in, start);
            read_element(in, header, dimension, element, numbers, set_of, file);
        }
        done += size;
    }
}

}  // namespace

void read_nodes_2(Cursor& in, bool parametric, File& file, NodeNumbers& numbers) {
    const std::int64_t count = read_count_line(in, "the number of nodes");
    in.require(count, 8, 28, "nodes");
    for (std::int64_t i = 0; i < count; ++i) {
        numbers.add(in.integer("a node's number"));
        Vec3 point;
        for (int d = 0; d < 3; ++d) point[d] = in.real_in_line("a node's coordinate");
        file.points.push_back(point);
        if (parametric)
            skip_parameters(in);
        else
            in.end_of_record("the node");
    }
}

void read_elements_2(Cursor& in, const NodeNumbers& numbers, File& file) {
    const std::int64_t count = read_count_line(in, "the number of elements");
    in.require(count, 8, 8, "elements");
    GroupSets set_of(file);
    if (in.binary())
        read_binary_elements(in, count, numbers, set_of, file);
    else
        read_text_elements(in, count, numbers, set_of, file);
}

}  // namespace solenoid::gmsh

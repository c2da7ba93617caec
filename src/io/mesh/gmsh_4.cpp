// Gmsh format 4.1: entities with their physical groups, and blocks of nodes and elements of these
// entities.
#include <fmt/format.h>

#include "io/mesh/gmsh_file.hpp"

namespace solenoid::gmsh {
namespace {

void skip_integers(Cursor& in, std::int64_t n, const char* what) {
    in.require(n, 2, 4, what);
    for (std::int64_t i = 0; i < n; ++i) in.integer(what);
}

// Reads the tags of an entity's physical groups into a new set; negative tags are of reversed
// elements. entity: its tag, or its parent's.
Index read_groups(Cursor& in, std::int64_t entity, File& file) {
    const std::int64_t count = in.count("an entity's number of physical groups");
    in.require(count, 2, 4, "physical groups");
    std::vector<int> set;
    for (std::int64_t i = 0; i < count; ++i)
        set.push_back(static_cast<int>(std::abs(in.integer("a physical group"))));
    return file.add_set(std::move(set), entity);
}

void read_entity(Cursor& in, int dimension, bool partitioned, File& file, Entities& entities) {
    const std::int64_t tag = in.integer("an entity's tag");
    std::int64_t parent = tag;
    // between partitions, within an entity: its groups are those of the partitioner
    bool is_interface = false;
    if (partitioned) {
        is_interface = in.integer("a parent's dimension") != dimension;
        parent = in.integer("a parent's tag");
        const std::int64_t partitions = in.count("the number of partitions");
        in.require(partitions, 2, 4, "partitions");
        for (std::int64_t i = 0; i < partitions; ++i)
            file.parts[dimension].insert(static_cast<int>(in.integer("a partition")));
    }
    in.skip_reals(dimension == 0 ? 3 : 6, "an entity's bounds");
    const Index set = read_groups(in, parent, file);
    if (dimension > 0)
        skip_integers(in, in.count("the number of bounding entities"), "bounding entities");
    if (!entities.try_emplace({dimension, static_cast<int>(tag)}, is_interface ? 0 : set).second)
        in.fail(fmt::format("entity {} of dimension {} is given twice", tag, dimension));
}

// Number of blocks, and number, least and largest tag of the nodes or elements.
struct Totals {
    std::int64_t blocks, count;
};
Totals read_totals(Cursor& in, const char* what, std::size_t text_size, std::size_t binary_size) {
    Totals totals{};
    totals.blocks = in.count("the number of blocks");
    totals.count = in.count("the number of records");
    in.count("the least number");
    in.count("the largest number");
    in.require(totals.count, text_size, binary_size, what);
    return totals;
}

void check_total(const Cursor& in, std::size_t start, const char* what, std::int64_t count,
                 std::int64_t total) {
    if (count != total)
        in.fail_at(start,
                   fmt::format("{} {} are announced, but the blocks hold {}", total, what, count));
}

struct NodeBlockHeader {
    std::int64_t dimension, parametric, count;
};
NodeBlockHeader read_node_block_header(Cursor& in) {
    NodeBlockHeader block{};
    block.dimension = in.integer("an entity's dimension");
    in.integer("an entity's tag");
    block.parametric = in.integer("0 or 1 (parametric)");
    block.count = in.count("a block's number of nodes");
    in.require(block.count, 8, 32, "nodes");
    if (block.dimension < 0 || block.dimension > 3)
        in.fail(fmt::format("an entity of dimension {}", block.dimension));
    return block;
}

void read_node_block(Cursor& in, File& file, NodeNumbers& numbers) {
    const NodeBlockHeader block = read_node_block_header(in);
    for (std::int64_t i = 0; i < block.count; ++i) numbers.add(in.count("a node's number"));
    for (std::int64_t i = 0; i < block.count; ++i) {
        Vec3 point;
        point.x = in.real("a node's x");
        point.y = in.real_in_line("a node's y");
        point.z = in.real_in_line("a node's z");
        file.points.push_back(point);
        if (!block.parametric)
            in.end_of_record("the node");
        else if (in.binary())
            in.skip_reals(static_cast<int>(block.dimension), "a node's parameters");
        else
            in.line();
    }
}

Index set_of(const Cursor& in, std::size_t position, DimTag entity, Entities& entities,
             bool are_listed, File& file) {
    const auto found = entities.find(entity);
    if (found == entities.end() && !are_listed)
        return entities[entity] = file.add_set({}, entity.second);
    if (found == entities.end())
        in.fail_at(
            position,
            fmt::format("elements of entity {} of dimension {}, which $Entities does not list",
                        entity.second, entity.first));
    return found->second;
}

// Reads the header of a block, up to its first record. A block without elements has no other
// meaningful data.
ElementBlock read_element_block_header(Cursor& in, Entities& entities, bool are_listed,
                                       File& file) {
    in.skip_to_number();
    const std::size_t start = in.position();
    const std::int64_t entity_dimension = in.integer("an entity's dimension");
    const std::int64_t entity = in.integer("an entity's tag");
    const std::int64_t type = in.integer("an element type");
    ElementBlock block{in.count("a block's number of elements"), 0, 0, in.position()};
    if (block.count == 0) return block;
    block.dimension = dimension_of(type, in.count("an element's number"), in, start);
    in.move_to(block.records);
    if (block.dimension != entity_dimension)
        in.fail_at(start, fmt::format("elements of dimension {} in an entity of dimension {}",
                                      block.dimension, entity_dimension));
    in.require(block.count, 2 * (block.dimension + 2), block.stride(), "elements");
    block.set =
        set_of(in, start, {block.dimension, static_cast<int>(entity)}, entities, are_listed, file);
    return block;
}

// Reads a block and returns its number of elements.
std::int64_t read_element_block(Cursor& in, const NodeNumbers& numbers, Entities& entities,
                                bool are_listed, File& file) {
    const ElementBlock block = read_element_block_header(in, entities, are_listed, file);
    Elements& elements = file.elements[block.dimension];
    for (std::int64_t i = 0; i < block.count; ++i) {
        const std::int64_t element = in.count("an element's number");
        for (int j = 0; j <= block.dimension; ++j) {
            const Index node =
                read_node(in, numbers, in.count_in_line("a node of the element"), element);
            if (block.dimension > 0) elements.nodes.push_back(node);
        }
        if (block.dimension > 0) elements.set.push_back(block.set);
        in.end_of_record("the element");
    }
    return block.count;
}

}  // namespace

void read_entities_4(Cursor& in, bool partitioned, File& file, Entities& entities) {
    if (partitioned) {
        file.partitions = in.count("the number of partitions");
        const std::int64_t ghosts = in.count("the number of ghost entities");
        in.require(ghosts, 4, 8, "ghost entities");
        skip_integers(in, 2 * ghosts, "ghost entities");
    }
    std::array<std::int64_t, 4> counts{};
    for (int d = 0; d < 4; ++d) counts[d] = in.count("the number of entities");
    for (int d = 0; d < 4; ++d) {
        in.require(counts[d], 10, 36, "entities");
        for (std::int64_t i = 0; i < counts[d]; ++i)
            read_entity(in, d, partitioned, file, entities);
    }
}

void read_nodes_4(Cursor& in, File& file, NodeNumbers& numbers) {
    const std::size_t start = in.position();
    const Totals totals = read_totals(in, "nodes", 8, 32);
    for (std::int64_t b = 0; b < totals.blocks; ++b) read_node_block(in, file, numbers);
    check_total(in, start, "nodes", static_cast<std::int64_t>(numbers.count()), totals.count);
}

void read_elements_4(Cursor& in, const NodeNumbers& numbers, Entities& entities, bool are_listed,
                     File& file) {
    const std::size_t start = in.position();
    const Totals totals = read_totals(in, "elements", 4, 16);
    std::int64_t count = 0;
    for (std::int64_t b = 0; b < totals.blocks; ++b)
        count += read_element_block(in, numbers, entities, are_listed, file);
    check_total(in, start, "elements", count, totals.count);
}

void hop_over_nodes_4(Cursor& in, Layout& layout) {
    const std::size_t start = in.position();
    const Totals totals = read_totals(in, "nodes", 8, 32);
    std::int64_t count = 0;
    for (std::int64_t b = 0; b < totals.blocks; ++b) {
        const NodeBlockHeader header = read_node_block_header(in);
        const std::size_t numbers = in.position(),
                          stride = 24 + 8 * (header.parametric ? header.dimension : 0);
        in.require(header.count, 8, 8 + stride, "nodes");
        layout.nodes.push_back({header.count, numbers, numbers + 8 * header.count, stride});
        in.move_to(numbers + (8 + stride) * header.count);
        count += header.count;
    }
    check_total(in, start, "nodes", count, totals.count);
}

void hop_over_elements_4(Cursor& in, Entities& entities, bool are_listed, Layout& layout) {
    const std::size_t start = in.position();
    const Totals totals = read_totals(in, "elements", 4, 16);
    std::int64_t count = 0;
    for (std::int64_t b = 0; b < totals.blocks; ++b) {
        const ElementBlock block = read_element_block_header(in, entities, are_listed, layout.file);
        if (block.count > 0) layout.elements.push_back(block);
        in.move_to(block.records + block.stride() * block.count);
        count += block.count;
    }
    check_total(in, start, "elements", count, totals.count);
}

}  // namespace solenoid::gmsh

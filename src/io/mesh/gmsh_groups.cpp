// Conversion of the simplices and physical groups of a Gmsh file to cells, sides, regions and
// boundaries.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>

#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "io/mesh/gmsh_file.hpp"

namespace solenoid::gmsh {
namespace {

constexpr std::size_t most_groups = 65535;
constexpr std::size_t most_warnings = 8;  // of one kind
// A face is kept once for each of its groups: so many on average, in a mesh of many faces.
constexpr std::size_t groups_of_a_face = 8, always_kept = 1'000'000;

// Warnings of one kind: the first are printed, the others counted.
class Warnings {
  public:
    template <class Text>
    void add(const Text& text) {
        if (++count_ <= most_warnings) log::caution(text());
    }
    void tell_number(const std::string& place) const {
        if (count_ > most_warnings)
            log::warning("{}: and {} more like these", place, count_ - most_warnings);
    }

  private:
    std::size_t count_ = 0;
};

// Names of groups in ascending order of their tags. Groups of one name become one group.
class GroupNames {
  public:
    GroupNames(const File& file, int dimension, const char* stem)
        : file_(file), dimension_(dimension), stem_(stem) {}

    std::uint16_t add(const std::string& name, const std::string& place) {
        const auto [entry, is_new] =
            index_.try_emplace(name, static_cast<std::uint16_t>(names.size()));
        if (is_new) names.push_back(name);
        if (names.size() > most_groups)
            throw InputError(place, fmt::format("more than {} groups", most_groups));
        return entry->second;
    }
    void add_tag(int tag, const std::string& place) { of_tag_[tag] = add(name_of(tag), place); }
    std::uint16_t operator[](int tag) const { return of_tag_.at(tag); }
    std::string name_of(int tag) const {
        for (const int dimension : {dimension_, -1})
            if (const auto found = file_.names.find({dimension, tag}); found != file_.names.end())
                return found->second;
        return fmt::format("{}_{}", stem_, tag);
    }
    // Adds a geometric entity: "curve_5", or another name that no group has.
    std::uint16_t add_entity(int tag, const std::string& place) {
        std::string name =
            fmt::format("{}_{}", std::array{"", "curve", "surface", "volume"}[dimension_], tag);
        while (index_.contains(name) && !entities_.contains(name)) name = "entity_" + name;
        entities_.insert(name);
        return add(name, place);
    }

    std::vector<std::string> names;

  private:
    const File& file_;
    int dimension_;
    const char* stem_;
    std::map<std::string, std::uint16_t> index_;
    std::map<int, std::uint16_t> of_tag_;
    std::set<std::string> entities_;
};

// The entities of sets without groups that have elements, in ascending order, as tag and set.
std::vector<std::pair<int, std::size_t>> entities_without_groups(
    const File& file, const std::vector<std::size_t>& sizes) {
    std::vector<std::pair<int, std::size_t>> entities;
    for (std::size_t s = 0; s < sizes.size(); ++s)
        if (sizes[s] > 0 && file.sets[s].empty() && file.entities[s] != 0)
            entities.emplace_back(file.entities[s], s);
    std::sort(entities.begin(), entities.end());
    return entities;
}

SetSizes set_sizes(const File& file) {
    SetSizes sizes;
    for (int d = 0; d < 4; ++d) {
        sizes[d].resize(file.sets.size());
        for (const Index set : file.elements[d].set) ++sizes[d][set];
    }
    return sizes;
}

// Format 2.2 writes an element once for each of its groups: of repeated cells the first is kept. A
// cell that occurs twice in one group remains, and is found by the checks.
void drop_repeated_cells(Elements& cells, int dimension, const std::string& place) {
    if (std::adjacent_find(cells.set.begin(), cells.set.end(), std::not_equal_to<>()) ==
        cells.set.end())
        return;
    const int nodes = dimension + 1;
    using Key = std::pair<std::array<Index, 4>, Index>;  // nodes, ascending; number
    std::vector<Key> keys(cells.count());
    for (std::size_t c = 0; c < keys.size(); ++c) {
        keys[c] = {{none, none, none, none}, static_cast<Index>(c)};
        std::copy_n(cells.nodes.begin() + c * nodes, nodes, keys[c].first.begin());
        std::sort(keys[c].first.begin(), keys[c].first.end());
    }
    std::sort(keys.begin(), keys.end());
    std::vector<bool> repeated(keys.size());
    for (std::size_t i = 1; i < keys.size(); ++i)
        repeated[keys[i].second] = keys[i].first == keys[i - 1].first &&
                                   cells.set[keys[i].second] != cells.set[keys[i - 1].second];

    std::size_t kept = 0;
    for (std::size_t c = 0; c < keys.size(); ++c) {
        if (repeated[c]) continue;
        std::copy_n(cells.nodes.begin() + c * nodes, nodes, cells.nodes.begin() + kept * nodes);
        cells.set[kept++] = cells.set[c];
    }
    if (kept == keys.size()) return;
    log::warning("{}: {} cells lie in several groups; each counts for the first one", place,
                 keys.size() - kept);
    cells.nodes.resize(kept * nodes);
    cells.set.resize(kept);
}

void name_regions(const File& file, const std::vector<std::size_t>& sizes, int dimension,
                  const std::string& place, Groups& groups) {
    GroupNames regions(file, dimension, "region");
    std::set<int> tags;
    Warnings warnings;
    for (std::size_t s = 1; s < sizes.size(); ++s) {
        const auto& set = file.sets[s];
        if (sizes[s] == 0 || set.empty()) continue;
        tags.insert(set[0]);
        for (std::size_t i = 1; i < set.size(); ++i)
            warnings.add([&] {
                return fmt::format(
                    "{}: {} cells lie in the groups \"{}\" and \"{}\"; they count for the first",
                    place, sizes[s], regions.name_of(set[0]), regions.name_of(set[i]));
            });
    }
    warnings.tell_number(place);
    for (const int tag : tags) regions.add_tag(tag, place);
    const std::size_t of_groups = regions.names.size();
    groups.region_of_set.resize(sizes.size());
    std::vector<std::size_t> nameless;  // sets in no group and with no entity
    std::size_t rest = 0;
    for (std::size_t set = 0; set < sizes.size(); ++set)
        if (sizes[set] > 0 && file.sets[set].empty() && file.entities[set] == 0) {
            nameless.push_back(set);
            rest += sizes[set];
        }
    for (const auto& [tag, set] : entities_without_groups(file, sizes)) {
        groups.region_of_set[set] = regions.add_entity(tag, place);
        rest += sizes[set];
    }
    if (!nameless.empty()) {
        const std::uint16_t region =
            regions.add(regions.names.empty() ? "default" : "unnamed", place);
        for (const std::size_t set : nameless) groups.region_of_set[set] = region;
    }
    if (rest > 0 && of_groups > 0)
        log::warning("{}: {} cells lie in no physical group; they are called \"{}\"", place, rest,
                     joined_words(std::span(regions.names.begin() + of_groups, regions.names.end()),
                                  "\", \""));
    for (std::size_t s = 1; s < sizes.size(); ++s)
        if (sizes[s] > 0 && !file.sets[s].empty())
            groups.region_of_set[s] = regions[file.sets[s][0]];
    groups.regions = std::move(regions.names);
}

void name_boundaries(const File& file, const std::vector<std::size_t>& sizes, int dimension,
                     const std::string& place, Groups& groups) {
    std::set<int> tags;
    for (std::size_t s = 0; s < sizes.size(); ++s)
        if (sizes[s] > 0) tags.insert(file.sets[s].begin(), file.sets[s].end());
    GroupNames boundaries(file, dimension, "group");
    for (const int tag : tags) boundaries.add_tag(tag, place);
    const std::size_t of_groups = boundaries.names.size();
    groups.boundaries_of_set.resize(sizes.size());
    for (std::size_t s = 0; s < sizes.size(); ++s)
        if (sizes[s] > 0)
            for (const int tag : file.sets[s])
                groups.boundaries_of_set[s].push_back(boundaries[tag]);
    for (const auto& [tag, set] : entities_without_groups(file, sizes))
        groups.boundaries_of_set[set].push_back(boundaries.add_entity(tag, place));
    groups.entity_boundaries = boundaries.names.size() - of_groups;
    groups.boundaries = std::move(boundaries.names);
}

void warn_of_empty_groups(const File& file, int dimension, const std::string& place,
                          const Groups& groups) {
    const std::set<std::string> regions(groups.regions.begin(), groups.regions.end()),
        boundaries(groups.boundaries.begin(), groups.boundaries.end());
    Warnings warnings;
    for (const auto& entry : file.names) {
        const std::string& name = entry.second;
        const bool is_region = entry.first.first == dimension;
        if (!is_region && entry.first.first != dimension - 1) continue;
        if (!(is_region ? regions : boundaries).contains(name))
            warnings.add([&] {
                return fmt::format("{}: the group \"{}\" has no {}", place, name,
                                   is_region ? "cells" : "faces");
            });
    }
    warnings.tell_number(place);
}

// Refuses meshes whose faces lie in very many groups each: the mesh would take more memory than
// the file by far.
void check_sizes(const File& file, const std::vector<std::size_t>& sizes, int dimension,
                 const std::string& place) {
    std::size_t faces = 0, kept = 0, most = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        if (sizes[s] == 0) continue;
        faces += sizes[s];
        kept += sizes[s] * file.sets[s].size();
        most = std::max(most, file.sets[s].size());
    }
    if (kept > always_kept && kept > groups_of_a_face * faces)
        throw InputError(
            place, fmt::format("its {} {} lie in {} physical groups each on average, some in {}: "
                               "solenoid keeps {} on average; leave groups out of the geometry",
                               faces, dimension == 2 ? "faces" : "sides", kept / faces, most,
                               groups_of_a_face));
}

void take_sides(const File& file, const Groups& groups, SimplexMesh& mesh) {
    const int nodes = mesh.dimension;
    const Elements& sides = file.elements[nodes - 1];
    for (std::size_t i = 0; i < sides.count(); ++i)
        for (const std::uint16_t group : groups.boundaries_of_set[sides.set[i]]) {
            mesh.sides.insert(mesh.sides.end(), &sides.nodes[i * nodes],
                              &sides.nodes[i * nodes] + nodes);
            mesh.side_group.push_back(group);
        }
}

std::size_t count_of(const std::vector<std::size_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t(0));
}

// Text such as "in the groups "a" and "b"": the physical groups of a dimension that have elements;
// empty without any.
std::string in_groups(const File& file, const std::vector<std::size_t>& sizes, int dimension) {
    const GroupNames names(file, dimension, "group");
    std::set<std::string> found;
    for (std::size_t s = 0; s < sizes.size(); ++s)
        for (const int tag : file.sets[s])
            if (sizes[s] > 0) found.insert(names.name_of(tag));
    return found.empty()
               ? ""
               : fmt::format(" in the group{} \"{}\"", found.size() > 1 ? "s" : "",
                             joined_words(std::vector(found.begin(), found.end()), "\", \""));
}

// The remedy where cells were left out of the file because they are in no group.
std::string saves_groups_alone(const char* cells) {
    return fmt::format(
        "where there are physical groups, Gmsh saves only the elements in them: add Physical "
        "{}(\"...\") = {{...}}; to the geometry (or Mesh.SaveAll = 1;) and mesh it again",
        cells);
}

// Checks that triangles are in a plane z = constant, and moves it to z = 0.
void flatten(SimplexMesh& mesh, const std::string& groups, const std::string& place) {
    if (mesh.cells.empty()) return;
    Vec3 low = mesh.points[mesh.cells[0]], high = low;
    for (const Index node : mesh.cells) {
        low = glm::min(low, mesh.points[node]);
        high = glm::max(high, mesh.points[node]);
    }
    if (high.z - low.z > 1e-10 * glm::distance(low, high))
        throw InputError(
            place, fmt::format("triangles in space (z from {} to {}){} and no tets: solenoid "
                               "computes on tets, or on triangles in the plane z = constant. {}",
                               low.z, high.z, groups,
                               groups.empty() ? "Was the volume meshed (gmsh -3)?"
                                              : "Was the volume meshed (gmsh -3)? And " +
                                                    saves_groups_alone("Volume")));
    for (Vec3& point : mesh.points) point.z = 0;
}

// Orients triangles counter-clockwise: each surface of a plane mesh has its own orientation in
// Gmsh.
void orient_triangles(SimplexMesh& mesh) {
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Index* node = mesh.cells.data() + 3 * c;
        const Vec3 a = mesh.points[node[1]] - mesh.points[node[0]],
                   b = mesh.points[node[2]] - mesh.points[node[0]];
        if (a.x * b.y < a.y * b.x) std::swap(node[1], node[2]);
    }
}

std::string without_cells(const File& file, const SetSizes& sizes) {
    if (count_of(sizes[1]) == 0)
        return "the file contains neither tets nor triangles: mesh the geometry with gmsh -3 (or "
               "-2)";
    const std::string groups = in_groups(file, sizes[1], 1);
    const std::string lines =
        fmt::format("the file contains lines only, {}{}", count_of(sizes[1]), groups);
    return groups.empty()
               ? lines + ": mesh the geometry with gmsh -2 (or -3)"
               : fmt::format("{}; {} with gmsh -2", lines, saves_groups_alone("Surface"));
}

}  // namespace

Groups name_groups(const File& file, const SetSizes& sizes, int dimension,
                   const std::string& place) {
    if (file.latin1_names > 0)
        log::warning(
            "{}: names of groups that are not UTF-8 are read as Latin-1: \"{}\"{}", place,
            file.latin1_name,
            file.latin1_names > 1 ? fmt::format(" and {} more", file.latin1_names - 1) : "");
    check_sizes(file, sizes[dimension - 1], dimension - 1, place);
    Groups groups;
    name_regions(file, sizes[dimension], dimension, place, groups);
    name_boundaries(file, sizes[dimension - 1], dimension - 1, place, groups);
    warn_of_empty_groups(file, dimension, place, groups);
    return groups;
}

void check_completeness(const File& file, const SetSizes& sizes, const std::string& place) {
    const int dimension = count_of(sizes[3]) > 0 ? 3 : 2;
    if (count_of(sizes[dimension]) == 0) throw InputError(place, without_cells(file, sizes));
    if (const auto parts = static_cast<std::int64_t>(file.parts[dimension].size());
        parts < file.partitions)
        throw InputError(place,
                         fmt::format("the file contains {} of the {} parts of a partitioned mesh: "
                                     "save it as a whole (solenoid partitions it itself)",
                                     parts, file.partitions));
}

SimplexMesh to_simplex_mesh(File&& file, const std::string& place) {
    SimplexMesh mesh;
    mesh.dimension = file.elements[3].count() > 0 ? 3 : 2;
    check_completeness(file, set_sizes(file), place);
    Elements& cells = file.elements[mesh.dimension];
    if (file.version == 2) drop_repeated_cells(cells, mesh.dimension, place);
    const SetSizes sizes = set_sizes(file);
    Groups groups = name_groups(file, sizes, mesh.dimension, place);
    mesh.points = std::move(file.points);
    mesh.cells = std::move(cells.nodes);
    mesh.cell_region.reserve(cells.count());
    for (const Index set : cells.set) mesh.cell_region.push_back(groups.region_of_set[set]);
    take_sides(file, groups, mesh);
    mesh.regions = std::move(groups.regions);
    mesh.boundaries = std::move(groups.boundaries);
    mesh.entity_boundaries = groups.entity_boundaries;
    if (mesh.dimension == 2) {
        flatten(mesh, in_groups(file, sizes[2], 2), place);
        orient_triangles(mesh);
    }
    return mesh;
}

}  // namespace solenoid::gmsh

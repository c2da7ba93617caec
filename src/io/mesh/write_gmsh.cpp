// Writes Gmsh 4.1, with an entity for each region and for each set of boundary groups of a side.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <glm/common.hpp>
#include <iterator>
#include <map>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/mesh/mesh_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Writes numbers as text or binary values into a string.
class Writer {
  public:
    explicit Writer(bool binary) : binary_(binary) {}

    void text(std::string_view text) { bytes_ += text; }
    void integer(std::int64_t value) {
        binary_ ? raw(static_cast<std::int32_t>(value)) : word(value);
    }
    void count(std::size_t value) {
        binary_ ? raw(static_cast<std::uint64_t>(value)) : word(value);
    }
    void real(double value) { binary_ ? raw(value) : word(value); }
    void point(const Vec3& x) {
        for (int d = 0; d < 3; ++d) real(x[d]);
    }
    void end_record() {
        if (!binary_) bytes_.back() = '\n';
    }
    void begin(std::string_view section) { bytes_ += fmt::format("${}\n", section); }
    void end(std::string_view section) {
        bytes_ += fmt::format("{}$End{}\n", binary_ ? "\n" : "", section);
    }
    bool binary() const { return binary_; }
    const std::string& bytes() const { return bytes_; }

  private:
    template <class T>
    void raw(T value) {
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), &value, sizeof(T));
        bytes_.append(bytes.data(), bytes.size());
    }
    template <class T>
    void word(T value) {
        fmt::format_to(std::back_inserter(bytes_), "{} ", value);
    }

    bool binary_;
    std::string bytes_;
};

// Elements of one dimension in the same physical groups.
struct Entity {
    std::vector<int> groups;          // tags, from 1
    std::vector<const Index*> nodes;  // of each element
};

std::vector<Entity> region_entities(const SimplexMesh& mesh) {
    std::vector<Entity> entities(mesh.regions.size());
    for (std::size_t r = 0; r < entities.size(); ++r)
        entities[r].groups = {static_cast<int>(r + 1)};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        entities[mesh.cell_region[c]].nodes.push_back(mesh.cell(c));
    return entities;
}

struct SideKey {
    std::array<Index, 3> nodes;  // ascending
    std::size_t side;
    auto operator<=>(const SideKey&) const = default;
};

// Repeated sides, one for each group, become one element.
std::vector<Entity> side_entities(const SimplexMesh& mesh) {
    std::vector<SideKey> keys(mesh.side_count());
    for (std::size_t s = 0; s < keys.size(); ++s) {
        keys[s] = {{none, none, none}, s};
        std::copy_n(mesh.side(s), mesh.dimension, keys[s].nodes.begin());
        std::sort(keys[s].nodes.begin(), keys[s].nodes.end());
    }
    std::sort(keys.begin(), keys.end());

    std::vector<std::vector<int>> groups(keys.size());  // of the first side with these nodes
    for (std::size_t i = 0, first = 0; i < keys.size(); ++i) {
        if (keys[i].nodes != keys[first].nodes) first = i;
        groups[keys[first].side].push_back(mesh.side_group[keys[i].side] + 1);
    }
    std::map<std::vector<int>, std::size_t> entity_of;
    std::vector<Entity> entities;
    for (std::size_t s = 0; s < groups.size(); ++s) {
        if (groups[s].empty()) continue;
        std::sort(groups[s].begin(), groups[s].end());
        const auto [entry, is_new] = entity_of.try_emplace(groups[s], entities.size());
        if (is_new) entities.push_back({groups[s], {}});
        entities[entry->second].nodes.push_back(mesh.side(s));
    }
    return entities;
}

void write_format(Writer& out) {
    out.text(fmt::format("$MeshFormat\n4.1 {} 8\n", out.binary() ? 1 : 0));
    if (out.binary()) out.integer(1);
    out.end("MeshFormat");
}

void write_names(Writer& out, const SimplexMesh& mesh) {
    out.begin("PhysicalNames");
    out.text(fmt::format("{}\n", mesh.boundaries.size() + mesh.regions.size()));
    for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
        out.text(fmt::format("{} {} \"{}\"\n", mesh.dimension - 1, b + 1, mesh.boundaries[b]));
    for (std::size_t r = 0; r < mesh.regions.size(); ++r)
        out.text(fmt::format("{} {} \"{}\"\n", mesh.dimension, r + 1, mesh.regions[r]));
    out.text("$EndPhysicalNames\n");
}

// Writes tag, bounding box, physical groups, and no bounding entities.
void write_entity(Writer& out, const SimplexMesh& mesh, std::size_t tag, const Entity& entity,
                  int nodes) {
    Vec3 low(0), high(0);
    if (!entity.nodes.empty()) low = high = mesh.points[entity.nodes[0][0]];
    for (const Index* element : entity.nodes)
        for (int j = 0; j < nodes; ++j) {
            low = glm::min(low, mesh.points[element[j]]);
            high = glm::max(high, mesh.points[element[j]]);
        }
    out.integer(static_cast<std::int64_t>(tag));
    out.point(low);
    out.point(high);
    out.count(entity.groups.size());
    for (const int group : entity.groups) out.integer(group);
    out.count(0);
    out.end_record();
}

void write_entities(Writer& out, const SimplexMesh& mesh, const std::vector<Entity>& sides,
                    const std::vector<Entity>& regions) {
    out.begin("Entities");
    for (int d = 0; d < 4; ++d)
        out.count(d == mesh.dimension       ? regions.size()
                  : d == mesh.dimension - 1 ? sides.size()
                                            : 0);
    out.end_record();
    for (std::size_t s = 0; s < sides.size(); ++s)
        write_entity(out, mesh, s + 1, sides[s], mesh.dimension);
    for (std::size_t r = 0; r < regions.size(); ++r)
        write_entity(out, mesh, r + 1, regions[r], mesh.dimension + 1);
    out.end("Entities");
}

// Writes the number of blocks, and number, least and largest tag of the records.
void write_totals(Writer& out, std::size_t blocks, std::size_t count) {
    for (const std::size_t value : {blocks, count, std::size_t{1}, count}) out.count(value);
    out.end_record();
}

// Writes all nodes as a block of the first region.
void write_nodes(Writer& out, const SimplexMesh& mesh) {
    out.begin("Nodes");
    write_totals(out, 1, mesh.points.size());
    out.integer(mesh.dimension);
    out.integer(1);
    out.integer(0);
    out.count(mesh.points.size());
    out.end_record();
    for (std::size_t n = 1; n <= mesh.points.size(); ++n) {
        out.count(n);
        out.end_record();
    }
    for (const Vec3& point : mesh.points) {
        out.point(point);
        out.end_record();
    }
    out.end("Nodes");
}

void write_blocks(Writer& out, const std::vector<Entity>& entities, int dimension,
                  std::size_t& number) {
    constexpr std::array<int, 4> type{15, 1, 2, 4};
    for (std::size_t e = 0; e < entities.size(); ++e) {
        if (entities[e].nodes.empty()) continue;
        out.integer(dimension);
        out.integer(static_cast<std::int64_t>(e + 1));
        out.integer(type[dimension]);
        out.count(entities[e].nodes.size());
        out.end_record();
        for (const Index* nodes : entities[e].nodes) {
            out.count(++number);
            for (int j = 0; j <= dimension; ++j) out.count(std::size_t{nodes[j]} + 1);
            out.end_record();
        }
    }
}

void write_elements(Writer& out, const SimplexMesh& mesh, const std::vector<Entity>& sides,
                    const std::vector<Entity>& regions) {
    std::size_t blocks = 0, count = 0;
    for (const auto* entities : {&sides, &regions})
        for (const Entity& entity : *entities) {
            blocks += !entity.nodes.empty();
            count += entity.nodes.size();
        }
    out.begin("Elements");
    write_totals(out, blocks, count);
    std::size_t number = 0;
    write_blocks(out, sides, mesh.dimension - 1, number);
    write_blocks(out, regions, mesh.dimension, number);
    out.end("Elements");
}

// Throws InputError where the file cannot be written; a full disk is a ComputationError found
// later.
void check_writable(const fs::path& file) {
    const std::string place = file.string();
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        throw InputError(place, "cannot be written: this is a directory");
    if (!fs::is_directory(folder, ignored))
        throw InputError(
            place, fmt::format("cannot be written: there is no directory {}", folder.string()));
    if (access(folder.c_str(), W_OK) != 0)
        throw InputError(place, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace

void write_gmsh(const SimplexMesh& mesh, const fs::path& file, bool binary) {
    check_writable(file);
    const std::vector<Entity> regions = region_entities(mesh), sides = side_entities(mesh);
    Writer out(binary);
    write_format(out);
    write_names(out, mesh);
    write_entities(out, mesh, sides, regions);
    write_nodes(out, mesh);
    write_elements(out, mesh, sides, regions);
    write_atomically(file, out.bytes());
}

}  // namespace solenoid

#include "app/mesh_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "app/passages.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/geometry.hpp"
#include "mesh/length_units.hpp"
#include "mesh/separate_parts.hpp"
#include "mesh/side_matching.hpp"
#include "mesh/thin_layers.hpp"

namespace solenoid {
namespace {

constexpr double least_curved =
    1e-3;  // of aspect times length over radius: below it a wall is flat

struct BoundarySummary {
    std::string name;
    std::size_t faces = 0, inner_faces = 0;
    double area = 0;
};

struct RegionSummary {
    std::string name;
    std::size_t cells = 0;
    double volume = 0;
};

struct MeshSummary {
    std::string file;
    int dimension = 3;
    std::int64_t cells = 0, faces = 0, edges = 0, nodes = 0;
    std::int64_t euler = 0;
    std::vector<std::size_t> component_cells;
    PartContacts contacts;
    std::size_t components = 0, outer_faces = 0, outer_faces_in_no_group = 0;
    double volume = 0;
    Vec3 low{0}, high{0};
    std::vector<BoundarySummary> boundaries;
    std::vector<RegionSummary> regions;
    std::vector<std::string> region_names;
    MatchingGroups matching;
    std::vector<Passage> passages;
    Quality quality{};
    ThinLayers thin;
};

bool is_outer(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}

// Counts the parts of the mesh connected through faces, and those connected by nodes.
void find_parts(const Mesh& mesh, MeshSummary& summary) {
    JoinedSets by_faces(mesh.cells());
    for (Index f = 0; f < mesh.faces(); ++f)
        if (!is_outer(mesh, f)) by_faces.join(mesh.face_cells(f, 0), mesh.face_cells(f, 1));
    for (const Index part : by_faces.numbers()) {
        if (part >= summary.component_cells.size()) summary.component_cells.resize(part + 1, 0);
        ++summary.component_cells[part];
    }
    std::ranges::sort(summary.component_cells, std::greater());
    summary.components = summary.component_cells.size();
    summary.contacts =
        part_contacts(mesh.dimension, outer_faces(mesh, mesh.faces(), parts_of_nodes(mesh)));
}

void sum_groups(const Mesh& mesh, MeshSummary& summary) {
    const Geometry sizes = geometry(mesh);
    for (const std::string& name : mesh.boundaries) summary.boundaries.push_back({name});
    for (const std::string& name : mesh.regions) summary.regions.push_back({name});
    std::vector<bool> in_group(mesh.faces());
    for (const Side& side : mesh.sides) {
        BoundarySummary& boundary = summary.boundaries[side.boundary];
        ++boundary.faces;
        boundary.inner_faces += !is_outer(mesh, side.face);
        boundary.area += glm::length(sizes.face_area[side.face]);
        in_group[side.face] = true;
    }
    for (Index c = 0; c < mesh.cells(); ++c) {
        RegionSummary& region = summary.regions[mesh.cell_region[c]];
        ++region.cells;
        region.volume += sizes.cell_volume[c];
    }
    for (const RegionSummary& region : summary.regions) summary.volume += region.volume;
    for (Index f = 0; f < mesh.faces(); ++f) {
        summary.outer_faces += is_outer(mesh, f);
        summary.outer_faces_in_no_group += is_outer(mesh, f) && !in_group[f];
    }
}

MeshSummary summarise(const std::filesystem::path& file, double unit) {
    SimplexMesh simplices = read_mesh(file);
    for (Vec3& x : simplices.points) x *= unit;
    MeshSummary summary;
    summary.file = file.string();
    summary.quality = quality(simplices);
    summary.matching = SideGroups(simplices).all_matches();
    const Mesh mesh = build_mesh(whole(std::move(simplices)));
    summary.dimension = mesh.dimension;
    summary.cells = mesh.cells();
    summary.faces = mesh.faces();
    summary.edges = mesh.edges();
    summary.nodes = mesh.nodes();
    summary.euler = mesh.dimension == 3
                        ? summary.nodes - summary.edges + summary.faces - summary.cells
                        : summary.nodes - summary.edges + summary.cells;
    find_parts(mesh, summary);
    summary.low = summary.high = mesh.points.at(0);
    for (const Vec3& point : mesh.points) {
        summary.low = glm::min(summary.low, point);
        summary.high = glm::max(summary.high, point);
    }
    summary.region_names = mesh.regions;
    sum_groups(mesh, summary);
    summary.passages = narrowest_passages(mesh);
    summary.thin = thin_layers(mesh, mesh.cells());
    return summary;
}

std::string boundary_name(const MeshSummary& s, std::size_t b) {
    return b < s.boundaries.size() ? s.boundaries[b].name : "no group";
}

std::string to_json(const MeshSummary& s) {
    using Json = nlohmann::ordered_json;
    const auto list = [](const Vec3& x) { return Json::array({x.x, x.y, x.z}); };
    const auto thin = [&](const Thinness& t) {
        return Json{{"aspect", t.aspect},
                    {"aspect_place", list(t.aspect_place)},
                    {"curved_aspect", t.curved_aspect},
                    {"curved_place", list(t.curved_place)}};
    };
    Json boundaries = Json::array(), regions = Json::array(), matching = Json::array();
    for (std::size_t b = 0; b < s.boundaries.size(); ++b)
        boundaries.push_back({{"name", s.boundaries[b].name},
                              {"faces", s.boundaries[b].faces},
                              {"inner_faces", s.boundaries[b].inner_faces},
                              {"area", s.boundaries[b].area},
                              {"thin", thin(s.thin.at_boundary[b])}});
    for (const RegionSummary& r : s.regions)
        regions.push_back({{"name", r.name}, {"cells", r.cells}, {"volume", r.volume}});
    for (const PeriodicPair& p : s.matching.pairs)
        matching.push_back({{"from", s.boundaries[p.from].name},
                            {"to", s.boundaries[p.to].name},
                            {"offset", list(p.offset)}});
    Json passages = Json::array();
    for (const Passage& p : s.passages)
        passages.push_back({{"from", s.boundaries[p.from].name},
                            {"to", boundary_name(s, p.to)},
                            {"cells", p.cells},
                            {"length", p.length},
                            {"place", list(p.place)}});
    const Json object{
        {"file", s.file},
        {"dimension", s.dimension},
        {"cells", s.cells},
        {"faces", s.faces},
        {"edges", s.edges},
        {"nodes", s.nodes},
        {"euler", s.euler},
        {"components", s.components},
        {"component_cells", s.component_cells},
        {"coincident_faces", s.contacts.coincident.faces},
        {"slit_faces", s.contacts.slit.faces},
        {"touching_faces", s.contacts.touching.faces},
        {"overlapping_faces", s.contacts.overlapping.faces},
        {"outer_faces", s.outer_faces},
        {"outer_faces_in_no_group", s.outer_faces_in_no_group},
        {"volume", s.volume},
        {"low", list(s.low)},
        {"high", list(s.high)},
        {"boundaries", boundaries},
        {"matching_boundaries", matching},
        {"matching_is_complete", s.matching.is_complete},
        {"passages", passages},
        {"regions", regions},
        {"quality",
         {{"least", s.quality.least},
          {"mean", s.quality.mean},
          {"smallest_volume", s.quality.smallest_volume},
          {"largest_volume", s.quality.largest_volume},
          {"shortest_edge", s.quality.shortest_edge},
          {"longest_edge", s.quality.longest_edge}}},
        {"thinnest_layer",
         {{"aspect", s.thin.layer_inside.aspect},
          {"aspect_place", list(s.thin.layer_inside.aspect_place)}}},
        {"thinnest",
         {{"aspect", s.thin.inside.aspect}, {"aspect_place", list(s.thin.inside.aspect_place)}}}};
    // the file's name may be invalid UTF-8
    return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

void print_groups(const MeshSummary& s) {
    const char* area = s.dimension == 3 ? "m^2" : "m";
    const char* volume = s.dimension == 3 ? "m^3" : "m^2";
    std::size_t width = 0;
    for (const auto& b : s.boundaries) width = std::max(width, b.name.size());
    for (const auto& r : s.regions) width = std::max(width, r.name.size());
    log::info("regions");
    for (const auto& r : s.regions)
        log::info("  {:{}}  {:>10} cells  {:>12.6g} {}", r.name, width, r.cells, r.volume, volume);
    log::info("boundaries");
    for (const auto& b : s.boundaries)
        log::info("  {:{}}  {:>10} faces  {:>12.6g} {}{}", b.name, width, b.faces, b.area, area,
                  b.inner_faces == 0 ? "" : fmt::format(", {} of the faces inside", b.inner_faces));
    if (std::ranges::any_of(s.boundaries,
                            [](const BoundarySummary& b) { return b.inner_faces > 0; }))
        log::info(
            "  faces inside have no effect without a table in the case; a table for a wall, "
            "insulation or a heat contact slits the mesh there");
    for (const PeriodicPair& p : s.matching.pairs)
        log::info("  {} and {} match, apart by {} m: they can be periodic",
                  s.boundaries[p.from].name, s.boundaries[p.to].name, position_text(p.offset));
    if (!s.matching.is_complete)
        log::info("  very many boundaries are alike: more of them may match than are listed");
    log::info("  {} of {} outer faces in no group", s.outer_faces_in_no_group, s.outer_faces);
}

// Number of cells across a passage below which the scheme takes some per cent of what friction does
// (docs/numerics.md, "What the scheme takes").
constexpr double few_cells = 8;

void print_passages(const MeshSummary& s) {
    if (s.passages.empty()) return;
    std::size_t width = 0;
    for (const Passage& p : s.passages) width = std::max(width, s.boundaries[p.from].name.size());
    log::info("fewest cells from each boundary straight across to the opposite one");
    for (const Passage& p : s.passages)
        log::info("  {:{}}  {:>10.1f} cells  {:>12.6g} m to {}, at {}", s.boundaries[p.from].name,
                  width, p.cells, p.length, boundary_name(s, p.to), position_text(p.place));
    const Passage& narrowest = *std::ranges::min_element(s.passages, {}, &Passage::cells);
    if (narrowest.cells < few_cells)
        log::info(
            "  fewer than {} from {} to {}: if these are walls of a flow, a finer mesh between "
            "them reduces losses by the scheme",
            few_cells, s.boundaries[narrowest.from].name, boundary_name(s, narrowest.to));
}

void print_thin(const MeshSummary& s) {
    std::size_t width = std::string("layers inside").size();
    for (const auto& b : s.boundaries) width = std::max(width, b.name.size());
    log::info("largest aspect of cells, length along a face over height on it");
    for (std::size_t b = 0; b < s.boundaries.size(); ++b)
        if (const Thinness& t = s.thin.at_boundary[b]; t.aspect > 0)
            log::info("  {:{}}  {:>10.3g} at {}{}", s.boundaries[b].name, width, t.aspect,
                      position_text(t.aspect_place),
                      t.curved_aspect < least_curved
                          ? ""
                          : fmt::format("; times length over radius {:.3g}, at {}", t.curved_aspect,
                                        position_text(t.curved_place)));
    if (const Thinness& t = s.thin.layer_inside; t.aspect > 0)
        log::info("  {:{}}  {:>10.3g} at {}", "layers inside", width, t.aspect,
                  position_text(t.aspect_place));
    log::info("  {:{}}  {:>10.3g} at {}", "any cell", width, s.thin.inside.aspect,
              position_text(s.thin.inside.aspect_place));
}

// Such as ", of 300 and 200 cells".
std::string component_text(const MeshSummary& s) {
    if (s.components < 2) return "";
    const std::size_t told = std::min<std::size_t>(s.components, 8);
    return fmt::format(", of {}{} cells",
                       fmt::join(s.component_cells.begin(), s.component_cells.begin() + told, ", "),
                       told < s.components ? ", ..." : "");
}

void print_table(const MeshSummary& s) {
    const Quality& q = s.quality;
    log::info("{}: {} dimensions", s.file, s.dimension);
    log::info("cells                 {}", s.cells);
    log::info("faces                 {}", s.faces);
    if (s.dimension == 3) log::info("edges                 {}", s.edges);
    log::info("nodes                 {}", s.nodes);
    log::info("Euler characteristic  {}", s.euler);
    log::info("components            {}{}", s.components, component_text(s));
    log::info("bounding box          {} to {} m", position_text(s.low), position_text(s.high));
    log::info("{}  {:.6g} {}", s.dimension == 3 ? "volume              " : "area                ",
              s.volume, s.dimension == 3 ? "m^3" : "m^2");
    log::info("edge lengths          {:.4g} to {:.4g} m", q.shortest_edge, q.longest_edge);
    log::info("cell sizes            {:.4g} to {:.4g} {}", q.smallest_volume, q.largest_volume,
              s.dimension == 3 ? "m^3" : "m^2");
    log::info("quality               {:.3f} at least, {:.3f} on average (1: regular, 0: flat)",
              q.least, q.mean);
    print_groups(s);
    print_passages(s);
    print_thin(s);
    if (s.contacts.slit.faces > 0)
        log::info("  {} pairs of outer faces coincide, as at a slit, one at {}",
                  s.contacts.slit.faces, position_text(s.contacts.slit.place));
    if (const std::string why = contact_refusal(s.contacts, s.region_names, false); !why.empty())
        log::warning("{}", why);
    const Vec3 size = s.high - s.low;
    if (std::max({size.x, size.y, size.z}) > 100)
        log::info(
            "  more than 100 m long: if it was drawn in millimetres, take --unit mm here, and "
            "[mesh] "
            "unit = \"mm\" in the case");
}

}  // namespace

int mesh_info(const std::filesystem::path& file, bool json, const std::string& unit) {
    const MeshSummary summary = summarise(file, length_of_unit(unit));
    if (json)
        log::print(to_json(summary));
    else
        print_table(summary);
    return 0;
}

int mesh_box(const BoxSettings& settings, const std::filesystem::path& file) {
    if (file.has_extension() && file.extension() != ".msh")
        throw InputError(
            file.string(),
            fmt::format("the box is written as a Gmsh file: name it {} (meshio convert makes other "
                        "formats from it)",
                        std::filesystem::path(file).replace_extension(".msh").string()));
    const SimplexMesh mesh = box_mesh(settings);
    write_gmsh(mesh, file);
    log::info("{}: {} {} and {} nodes", file.string(), mesh.cell_count(),
              mesh.dimension == 3 ? "tets" : "triangles", mesh.points.size());
    return 0;
}

}  // namespace solenoid

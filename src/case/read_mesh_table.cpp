// Reading of [mesh] and [mesh.box].
#include <fmt/format.h>

#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "mesh/length_units.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_cells = 500'000'000;

Vec3 corner(const TableReader& table, const std::string& key, int dimension) {
    const Vec3 point = table.point(key);
    if (dimension == 2 && point.z != 0)
        table.fail(key, "has a third coordinate, in two dimensions");
    return point;
}

const Keys<BoxSettings>& box_keys() {
    static const auto keys =
        Keys<BoxSettings>()
            .other("cells", "integer", "required", "approximate number of cells, 1 to 500 000 000")
            .other("dimension", "integer", "`3`", "`2` or `3`")
            .other("low", "point", "`[0, 0, 0]`", "corner of smallest coordinates [m]")
            .other("high", "point", "`[1, 1, 1]`", "corner of largest coordinates [m]")
            .other("jitter", "number", "`0.15`",
                   "largest displacement of a node in lattice spacings, up to 0.17 (2D: 0.21)");
    return keys;
}

BoxSettings read_box(const TableReader& table) {
    box_keys().allow(table);
    BoxSettings box;
    box.cells = static_cast<std::size_t>(table.integer("cells", 1, most_cells));
    if (table.has("dimension")) box.dimension = static_cast<int>(table.integer("dimension", 2, 3));
    if (box.dimension == 2) box.high.z = 0;
    for (const char* key : {"low", "high"})
        if (table.has(key))
            (key[0] == 'l' ? box.low : box.high) = corner(table, key, box.dimension);
    for (int i = 0; i < box.dimension; ++i)
        if (!(box.low[i] < box.high[i]))
            table.fail(table.has("high") ? "high" : "low",
                       fmt::format("is empty in {}: low {} is not below high {}", "xyz"[i],
                                   box.low[i], box.high[i]));
    if (table.has("jitter")) box.jitter = table.number("jitter");
    // larger values could invert cells
    const double most_jitter = box.dimension == 3 ? 0.17 : 0.21;
    if (!(box.jitter >= 0 && box.jitter <= most_jitter))
        table.fail("jitter", fmt::format("must be from 0 to {} lattice spacings, found {}",
                                         most_jitter, box.jitter));
    return box;
}

fs::path mesh_file(const TableReader& table, const fs::path& folder) {
    const std::string name = table.text("file");
    if (name.empty() || name.find('\0') != std::string::npos)
        table.fail("file", "must be the path of a mesh");
    const fs::path path = (folder / name).lexically_normal();
    std::error_code error;
    if (!fs::exists(path, error))
        table.fail("file", fmt::format("\"{}\": there is no file {}", name, path.string()));
    if (fs::is_directory(path, error)) table.fail("file", fmt::format("\"{}\" is a folder", name));
    return path;
}

const Keys<MeshSettings>& mesh_keys() {
    static const auto keys =
        Keys<MeshSettings>()
            .other("file", "string", "none",
                   "the mesh, a path counted from the folder of the case file (also when given by "
                   "`--set`)")
            .other("scale", "number", "`1`",
                   "multiplies the coordinates; `0.001` for a mesh drawn in millimetres")
            .other("unit", "string", "`\"m\"`",
                   "the unit of the coordinates, instead of `scale`: `\"m\"`, `\"cm\"`, `\"mm\"`, "
                   "`\"um\"`, "
                   "`\"in\"`, `\"ft\"`")
            .other("glue", "number", "none",
                   "joins nodes nearer than this [m], in a mesh file: bodies with coinciding faces "
                   "become one; `0`: they stay apart")
            .other("ordering", "string", "`\"hilbert\"`",
                   "numbering of cells and nodes in memory: `\"hilbert\"`, "
                   "`\"reverse-cuthill-mckee\"`, `\"file\"`")
            .other("cut", "string", "`\"metis\"`",
                   "how cells are distributed over the ranks: by `\"metis\"`, for which one rank "
                   "holds the graph of all cells, or `\"hilbert\"`, for which none does")
            .other("box", "table", "none", "mesh of a box made in memory, instead of `file`")
            .one_of({"file", "box"})
            .one_of({"unit", "scale"})
            .one_of({"glue", "box"});
    return keys;
}
}  // namespace

MeshSettings read_mesh_table(const TableReader& table, const fs::path& folder) {
    mesh_keys().allow(table);
    MeshSettings mesh;
    if (!table.has("file") && !table.has("box"))
        throw InputError(table.place(), "[mesh] needs the key \"file\", or a table [mesh.box]");
    if (table.has("file")) mesh.file = mesh_file(table, folder);
    if (table.has("box")) mesh.box = read_box(table.table("box"));
    if (table.has("scale")) mesh.scale = table.positive("scale");
    if (table.has("unit"))
        mesh.scale = length_of_unit(table.choice("unit", names_of_length_units()));
    mesh.is_scaled = table.has("scale") || table.has("unit");
    if (table.has("glue")) mesh.glue = table.number("glue");
    if (mesh.glue && !(*mesh.glue >= 0))
        table.fail("glue", fmt::format("must be a length [m], or 0, found {}", *mesh.glue));
    if (table.has("ordering"))
        mesh.ordering = table.choice("ordering", {"hilbert", "reverse-cuthill-mckee", "file"});
    if (table.has("cut")) mesh.cut = table.choice("cut", {"metis", "hilbert"});
    return mesh;
}

std::vector<KeyTable> mesh_key_tables() {
    return {{"[mesh]", "", mesh_keys().declared()}, {"[mesh.box]", "", box_keys().declared()}};
}

}  // namespace solenoid

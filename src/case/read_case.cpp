// From a case file to checked settings, one function a table.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "case/quote.hpp"
#include "case/read_tables.hpp"
#include "case/toml_document.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_cells = 500'000'000;
constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr std::int64_t most_iterations = 1'000'000'000;
constexpr std::int64_t most_points = 1'000'000;

// A string that names a file of the output.
std::string file_name(const TableReader& table, const std::string& key) {
    const std::string name = table.text(key);
    const bool printable = std::ranges::all_of(name, [](unsigned char c) { return c >= ' ' && c != 0x7F; });
    if (name.empty() || name.size() > 100 || !printable ||
        name.find_first_of("/\\:*?\"<>|") != std::string::npos || name.front() == '.' ||
        name.front() == '-' || name.front() == ' ' || name.back() == ' ')
        table.fail(
            key, fmt::format("names a file of the output: {} cannot be one (letters, digits, _, - and . can)",
                             quoted(name)));
    return name;
}

template <class Settings>
void check_unique(const std::vector<Settings>& all, const std::string& name, const TableReader& table) {
    for (const Settings& other : all)
        if (other.name == name)
            table.fail("name", fmt::format("\"{}\" is taken by the one at {}", name, other.place));
}

Vec3 corner(const TableReader& table, const std::string& key, int dimension) {
    const Vec3 point = table.point(key);
    if (dimension == 2 && point.z != 0) table.fail(key, "has a third coordinate, in two dimensions");
    return point;
}

const Keys<BoxSettings>& box_keys() {
    static const auto keys = Keys<BoxSettings>()
        .other("cells", "integer", "required", "number of cells aimed at, 1 to 500 000 000")
        .other("dimension", "integer", "`3`", "`2` or `3`")
        .other("low", "point", "`[0, 0, 0]`", "corner of smallest coordinates [m]")
        .other("high", "point", "`[1, 1, 1]`", "corner of largest coordinates [m]")
        .other("jitter", "number", "`0.15`", "largest displacement of a node in lattice spacings, up to 0.17 (2D: 0.21)");
    return keys;
}

BoxSettings read_box(const TableReader& table) {
    box_keys().allow(table);
    BoxSettings box;
    box.cells = static_cast<std::size_t>(table.integer("cells", 1, most_cells));
    if (table.has("dimension")) box.dimension = static_cast<int>(table.integer("dimension", 2, 3));
    if (box.dimension == 2) box.high.z = 0;
    for (const char* key : {"low", "high"})
        if (table.has(key)) (key[0] == 'l' ? box.low : box.high) = corner(table, key, box.dimension);
    for (int i = 0; i < box.dimension; ++i)
        if (!(box.low[i] < box.high[i]))
            table.fail(table.has("high") ? "high" : "low",
                       fmt::format("is empty in {}: low {} is not below high {}", "xyz"[i], box.low[i],
                                   box.high[i]));
    if (table.has("jitter")) box.jitter = table.number("jitter");
    const double most_jitter = box.dimension == 3 ? 0.17 : 0.21;  // more could turn a cell over
    if (!(box.jitter >= 0 && box.jitter <= most_jitter))
        table.fail("jitter",
                   fmt::format("must be from 0 to {} lattice spacings, found {}", most_jitter, box.jitter));
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
    static const auto keys = Keys<MeshSettings>()
        .other("file", "string", "none", "the mesh, a path counted from the folder of the case file (also when given by `--set`)")
        .other("scale", "number", "`1`", "multiplies the coordinates; `0.001` for a mesh drawn in millimetres")
        .other("ordering", "string", "`\"hilbert\"`", "numbering of cells and nodes in memory: `\"hilbert\"`, `\"reverse-cuthill-mckee\"`, `\"file\"`")
        .other("box", "table", "none", "a mesh made in memory, instead of `file`");
    return keys;
}

MeshSettings read_mesh(const TableReader& table, const fs::path& folder) {
    mesh_keys().allow(table);
    MeshSettings mesh;
    if (!table.has("file") && !table.has("box"))
        throw InputError(table.place(), "[mesh] needs the key \"file\", or a table [mesh.box]");
    if (table.has("file")) mesh.file = mesh_file(table, folder);
    if (table.has("box")) mesh.box = read_box(table.table("box"));
    if (table.has("scale")) mesh.scale = table.positive("scale");
    if (table.has("ordering"))
        mesh.ordering = table.choice("ordering", {"hilbert", "reverse-cuthill-mckee", "file"});
    return mesh;
}

const Keys<OutputSettings>& output_keys() {
    static const auto keys = Keys<OutputSettings>()
        .key("interval", &OutputSettings::interval, value::optional(value::positive()), "start and end only",
             "time between written states and pictures [s]; not together with `every`")
        .key("every", &OutputSettings::every, value::optional(value::count(1, most_steps)), "start and end only",
             "steps between written states")
        .key("vtk", &OutputSettings::vtk, value::flag(), "`true`",
             "write files for ParaView");
    return keys;
}

OutputSettings read_output(const TableReader& table) {
    output_keys().allow(table);
    return output_keys().read(table);
}

void read_line(const TableReader& table, MonitorSettings& monitor) {
    table.refuse("at", "belongs to type \"point\"; a line goes \"from\" a point \"to\" another");
    monitor.from = table.point("from");
    monitor.to = table.point("to");
    if (monitor.from == monitor.to) table.fail("to", "is where \"from\" is: the line has no length");
    if (table.has("points")) monitor.points = static_cast<int>(table.integer("points", 2, most_points));
}

void read_point(const TableReader& table, MonitorSettings& monitor) {
    for (const char* key : {"from", "to", "points"})
        table.refuse(key, "belongs to type \"line\"; a point is \"at\" one");
    monitor.from = monitor.to = table.point("at");
    monitor.points = 1;
}

using Names = std::vector<std::string>;

// Nu = heat flow x length / (diffusivity x difference x area).
void read_nusselt(const TableReader& table, const CaseSettings& settings, MonitorSettings& monitor) {
    const Names scalars = names_of(settings.scalars);
    monitor.scalar = table.has("scalar") ? table.choice("scalar", scalars) : scalars.front();
    monitor.boundary = table.text("boundary");
    if (table.has("difference")) monitor.difference = table.positive("difference");
    if (table.has("length")) monitor.length = table.positive("length");
}

Vec3 direction(const TableReader& table, const std::string& key) {
    const Vec3 v = table.point(key);
    if (v == Vec3{0}) table.fail(key, "must not be zero");
    return glm::normalize(v);
}

void read_force(const TableReader& table, MonitorSettings& monitor) {
    ForceSettings& force = monitor.force;
    force.boundaries = table.texts("boundaries");
    if (table.has("reference_speed")) force.speed = table.positive("reference_speed");
    if (table.has("reference_area")) force.area = table.positive("reference_area");
    if (table.has("drag")) force.drag = direction(table, "drag");
    if (table.has("lift")) force.lift = direction(table, "lift");
    if (table.has("centre")) force.centre = table.point("centre");
}

void check_energy(const TableReader& table, const CaseSettings& settings) {
    if (settings.flow.momentum != "collocated")
        table.fail("type", fmt::format("\"energy\" is the budget of collocated momentum, and flow.momentum is \"{}\"", settings.flow.momentum));
    if (settings.flow.time_scheme != "bdf2")
        table.fail("type", fmt::format("\"energy\" is the budget of steps by \"bdf2\", and flow.time_scheme is \"{}\"", settings.flow.time_scheme));
}

const Keys<MonitorSettings>& monitor_keys() {
    static const auto keys = Keys<MonitorSettings>()
        .other("type", "string", "required", "`\"line\"` or `\"point\"`; of a flow `\"force\"`, `\"energy\"` and `\"nusselt\"`, below")
        .other("name", "string", "required", "names the file; every monitor its own, and not `boundaries` (nor `flow`, in a flow case)")
        .other("from", "point", "required for a line", "where the line begins [m]")
        .other("to", "point", "required for a line", "where it ends [m]")
        .other("points", "integer", "`101`", "points on a line, both ends included, at least 2")
        .other("at", "point", "required for a point", "where it is [m]");
    return keys;
}

const Keys<MonitorSettings>& force_monitor_keys() {
    static const auto keys = Keys<MonitorSettings>()
        .other("boundaries", "list of strings", "required", "the boundary groups that it acts on, together")
        .other("reference_speed", "number", "none", "U [m/s]: with it, the coefficients 2 F·d / (ρ U² A) are written too")
        .other("reference_area", "number", "`1`", "A [m²], in two dimensions a length [m]")
        .other("drag", "point", "`[1, 0, 0]`", "direction d of the one coefficient")
        .other("lift", "point", "`[0, 1, 0]`", "of the other")
        .other("centre", "point", "the origin", "of the moment [m]");
    return keys;
}

const Keys<MonitorSettings>& nusselt_monitor_keys() {
    static const auto keys = Keys<MonitorSettings>()
        .other("boundary", "string", "required", "the boundary group")
        .other("scalar", "string", "the first scalar", "of what")
        .other("difference", "number", "`1`", "of the scalar, what the Nusselt number refers to")
        .other("length", "number", "`1`", "[m], likewise");
    return keys;
}

// Keys that belong to some types of monitor only.
void refuse_keys_of_others(const TableReader& table, const std::string& type) {
    const std::vector<std::pair<std::string, Names>> own{{"nusselt", names_of(nusselt_monitor_keys().declared())}, {"force", names_of(force_monitor_keys().declared())}};
    for (const auto& [other, keys] : own)
        for (const std::string& key : keys)
            if (type != other) table.refuse(key, fmt::format("belongs to a monitor of type \"{}\"", other));
    if (type != "line" && type != "point")
        for (const char* key : {"from", "to", "points", "at"}) table.refuse(key, "belongs to a line or a point");
}

Names monitor_types(const CaseSettings& settings) {
    Names types{"line", "point"};
    if (settings.physics == "flow") types.insert(types.end(), {"force", "energy"});
    if (!settings.scalars.empty()) types.push_back("nusselt");
    return types;
}

// The files of a physics' own in the folder of the monitors.
void check_not_reserved(const TableReader& table, const CaseSettings& settings, const std::string& name) {
    if (name == "boundaries")
        table.fail("name", "\"boundaries\" is the file of the heat flows: take another");
    for (const std::string& scalar : names_of(settings.scalars))
        if (name == scalar) table.fail("name", fmt::format("\"{}\" is the file of what diffuses through the boundaries: take another", name));
    if (name == "flow" && settings.physics == "flow")
        table.fail("name", "\"flow\" is the file of every step's figures: take another");
}

MonitorSettings read_monitor(const TableReader& table, const CaseSettings& settings) {
    Names known;
    for (const auto* keys : {&monitor_keys(), &nusselt_monitor_keys(), &force_monitor_keys()})
        for (const std::string& name : names_of(keys->declared())) known.push_back(name);
    table.allow(known);
    MonitorSettings monitor;
    monitor.place = table.place();
    monitor.type = table.choice("type", monitor_types(settings));
    monitor.name = file_name(table, "name");
    check_not_reserved(table, settings, monitor.name);
    check_unique(settings.monitors, monitor.name, table);
    refuse_keys_of_others(table, monitor.type);
    if (monitor.type == "line") read_line(table, monitor);
    if (monitor.type == "point") read_point(table, monitor);
    if (monitor.type == "nusselt") read_nusselt(table, settings, monitor);
    if (monitor.type == "force") read_force(table, monitor);
    if (monitor.type == "energy") check_energy(table, settings);
    return monitor;
}

// The first one is the default.
Names picture_fields(const CaseSettings& settings) {
    if (settings.physics == "heat") return {"temperature"};
    Names fields{"speed", "pressure", "vorticity", "q_criterion", "stream_function"};
    for (const std::string& scalar : names_of(settings.scalars)) fields.push_back(scalar);
    return fields;
}

const Keys<PictureSettings>& picture_keys() {
    static const auto keys = Keys<PictureSettings>()
        .other("name", "string", "required", "names the file; every picture its own")
        .other("field", "string", "`\"temperature\"`; of a flow `\"speed\"`", "heat: `\"temperature\"`; flow: `\"speed\"`, `\"pressure\"`, `\"vorticity\"` (in 3D its magnitude), `\"q_criterion\"`, `\"stream_function\"` (2D)")
        .other("width", "integer", "`1200`", "pixels, 16 to 16384")
        .other("height", "integer", "`800`", "pixels, 16 to 16384")
        .other("mesh", "flag", "`false`", "draw the edges of the mesh")
        .other("range", "two numbers", "the field's own", "values of the first and the last colour, low before high")
        .other("direction", "point", "from above at an angle; −z in 2D", "in which the camera looks, not zero");
    return keys;
}

PictureSettings read_picture(const TableReader& table, const CaseSettings& settings) {
    picture_keys().allow(table);
    PictureSettings picture;
    picture.place = table.place();
    picture.name = file_name(table, "name");
    check_unique(settings.pictures, picture.name, table);
    const std::vector<std::string> fields = picture_fields(settings);
    picture.field = table.has("field") ? table.choice("field", fields) : fields.front();
    if (table.has("width")) picture.width = static_cast<int>(table.integer("width", 16, 16384));
    if (table.has("height")) picture.height = static_cast<int>(table.integer("height", 16, 16384));
    if (table.has("mesh")) picture.mesh = table.flag("mesh");
    if (table.has("range")) {
        const std::vector<double> range = table.numbers("range", 2, 2);
        if (!(range[0] < range[1])) table.fail("range", "must be [low, high] with low below high");
        picture.range = {range[0], range[1]};
    }
    if (table.has("direction")) {
        picture.direction = table.point("direction");
        if (*picture.direction == Vec3{0}) table.fail("direction", "must not be zero");
    }
    return picture;
}

void read_root(const TableReader& root, CaseSettings& settings) {
    root.allow({"title", "name", "physics", "mesh", "material", "fluid", "flow", "boundary", "time",
                "scalar", "initial", "solver", "output", "monitor", "picture"});
    if (root.has("title")) settings.title = root.text("title");
    if (root.has("name")) settings.name = file_name(root, "name");
    if (root.has("physics")) settings.physics = root.choice("physics", {"heat", "flow"});
    settings.mesh = read_mesh(root.table("mesh"), settings.file.parent_path());
    settings.physics == "heat" ? read_heat(root, settings) : read_flow(root, settings);
    if (root.has("output")) settings.output = read_output(root.table("output"));
    for (const TableReader& table : root.tables("monitor"))
        settings.monitors.push_back(read_monitor(table, settings));
    for (const TableReader& table : root.tables("picture"))
        settings.pictures.push_back(read_picture(table, settings));
}

}  // namespace

double read_tolerance(const TableReader& table) {
    const double value = table.number("tolerance");
    if (!(value > 0 && value < 1))
        table.fail("tolerance", fmt::format("must be between 0 and 1, found {}", value));
    return value;
}

void read_end(const TableReader& table, TimeSettings& time) {
    time.steady = false;
    time.end = table.positive("end");
    if (table.has("step")) time.step = table.positive("step");
    if (table.has("steps")) time.steps = table.integer("steps", 1, most_steps);
}

namespace {

Keys<SolverSettings> solver_keys(const std::string& tolerance, const std::string& max_iterations, const std::string& preconditioner) {
    return Keys<SolverSettings>()
        .key("tolerance", &SolverSettings::tolerance, value::optional(ValueReader<double>{"number", [](const TableReader& table, const std::string&) { return read_tolerance(table); }}),
             tolerance, "stop when ‖b − A x‖ ≤ tolerance ‖b‖; between 0 and 1")
        .key("max_iterations", &SolverSettings::max_iterations, value::integer(1, most_iterations), "`100000`", max_iterations)
        .key("preconditioner", &SolverSettings::preconditioner, value::choice({"automatic", "multigrid", "jacobi", "none"}), "`\"automatic\"`", preconditioner)
        .key("levels", &SolverSettings::levels, value::integer(2, 20), "`20`", "of multigrid, at most")
        .key("print_hierarchy", &SolverSettings::print_hierarchy, value::flag(), "`false`",
             "rows, nonzeros and memory of every level when the run ends; in 3D, for the stream function, those of the nodal hierarchy");
}

}  // namespace

std::vector<Key> declared_solver_keys(const std::string& tolerance, const std::string& max_iterations, const std::string& preconditioner) {
    return solver_keys(tolerance, max_iterations, preconditioner).declared();
}

SolverSettings read_solver(const TableReader& table) {
    static const auto keys = solver_keys("by the precision", "more are a failure", "what precedes an iteration");
    keys.allow(table);
    return keys.read(table);
}

std::vector<KeyTable> common_key_tables() {
    return {{"[mesh]", "", mesh_keys().declared()}, {"[mesh.box]", "", box_keys().declared()}, {"[output]", "", output_keys().declared()}, {"[[monitor]]", "", monitor_keys().declared()},
            {"[[monitor]] of type \"force\"", "flow", force_monitor_keys().declared()}, {"[[monitor]] of type \"nusselt\"", "flow", nusselt_monitor_keys().declared()},
            {"[[picture]]", "", picture_keys().declared()}};
}

void refuse_keys_of(const std::string& physics, const TableReader& table,
                    const std::vector<std::string>& keys) {
    for (const std::string& key : keys)
        table.refuse(key, fmt::format("belongs to a {0} case, one with physics = \"{0}\"", physics));
}

bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings) {
    if (!table.is("type", "periodic")) {
        table.refuse("partner", "belongs to type \"periodic\"");
        return false;
    }
    for (const std::string& key : table.keys())
        if (key != "type" && key != "partner" && key != "flux")
            table.fail(key, "does not belong to type \"periodic\", which takes partner");
    PeriodicSettings periodic{name, table.text("partner"), table.place(), std::nullopt};
    if (table.has("flux")) periodic.flux = table.formula("flux");
    if (periodic.partner == name) table.fail("partner", "is the boundary itself: a pair has two sides");
    settings.periodic.push_back(periodic);
    return true;
}

std::string case_name(const fs::path& file) {
    const fs::path path = fs::absolute(file).lexically_normal();
    const std::string folder = path.parent_path().filename().string();
    return path.filename() == "case.toml" && !folder.empty() ? folder : path.stem().string();
}

CaseSettings read_case(const fs::path& file, const std::vector<std::string>& overrides) {
    toml::table document = parse_toml_file(file);
    for (const std::string& text : overrides) apply_override(document, text);
    CaseSettings settings;
    settings.file = fs::absolute(file).lexically_normal();
    settings.place = file.string();
    settings.name = case_name(file);
    read_root(TableReader(document, "", file.string()), settings);
    return settings;
}

std::vector<MonitorSettings> CaseSettings::placed_monitors() const {
    std::vector<MonitorSettings> placed;
    for (const MonitorSettings& m : monitors)
        if (m.type == "line" || m.type == "point") placed.push_back(m);
    return placed;
}

}  // namespace solenoid

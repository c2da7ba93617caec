// [output], [[monitor]] and [[picture]]: what a run leaves.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "case/quote.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

constexpr std::int64_t most_points = 1'000'000;

template <class Settings>
void check_unique(const std::vector<Settings>& all, const std::string& name, const TableReader& table) {
    for (const Settings& other : all)
        if (other.name == name)
            table.fail("name", fmt::format("\"{}\" is taken by the one at {}", name, other.place));
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

}  // namespace

OutputSettings read_output(const TableReader& table) {
    output_keys().allow(table);
    return output_keys().read(table);
}

namespace {

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
    for (const std::string& type : physics_named(settings.physics).monitor_types(settings)) types.push_back(type);
    return types;
}

void check_not_reserved(const TableReader& table, const CaseSettings& settings, const std::string& name) {
    for (const auto& [file, content] : physics_named(settings.physics).monitor_files(settings))
        if (name == file) table.fail("name", fmt::format("\"{}\" is the file of {}: take another", name, content));
}

}  // namespace

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

namespace {

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

}  // namespace

PictureSettings read_picture(const TableReader& table, const CaseSettings& settings) {
    picture_keys().allow(table);
    PictureSettings picture;
    picture.place = table.place();
    picture.name = file_name(table, "name");
    check_unique(settings.pictures, picture.name, table);
    const std::vector<std::string> fields = physics_named(settings.physics).picture_fields(settings);
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

std::vector<KeyTable> output_key_tables() {
    return {{"[output]", "", output_keys().declared()}, {"[[monitor]]", "", monitor_keys().declared()},
            {"[[monitor]] of type \"force\"", "flow", force_monitor_keys().declared()}, {"[[monitor]] of type \"nusselt\"", "flow", nusselt_monitor_keys().declared()},
            {"[[picture]]", "", picture_keys().declared()}};
}

}  // namespace solenoid

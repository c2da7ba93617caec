// Reading of [output] and [[picture]].
#include <fmt/format.h>

#include "case/read_tables.hpp"

namespace solenoid {
namespace {

const Keys<OutputSettings>& output_keys() {
    static const auto keys =
        Keys<OutputSettings>()
            .key("interval", &OutputSettings::interval, value::optional(value::positive()),
                 "start and end only",
                 "time between written states and pictures [s]; not together with `every`")
            .key("every", &OutputSettings::every, value::optional(value::count(1, most_steps)),
                 "start and end only", "steps between written states")
            .key("vtk", &OutputSettings::vtk, value::flag(), "`true`", "write files for ParaView")
            .one_of({"interval", "every"})
            .steerable({"interval", "every"});
    return keys;
}

}  // namespace

OutputSettings read_output(const TableReader& table) {
    output_keys().allow(table);
    return output_keys().read(table);
}

namespace {

// Such as "heat: `"temperature"`; flow: `"speed"`, `"vorticity"` (in 3D its magnitude)".
std::string described_fields(const PhysicsList& all) {
    std::vector<std::string> lines;
    for (const Physics* physics : all) {
        std::vector<std::string> fields;
        for (const PictureField& field : physics->picture_fields())
            fields.push_back(
                fmt::format("`\"{}\"`{}", field.name,
                            field.note.empty() ? "" : fmt::format(" ({})", field.note)));
        lines.push_back(fmt::format("{}: {}", physics->name(), fmt::join(fields, ", ")));
    }
    return fmt::format("{}", fmt::join(lines, "; "));
}

Keys<PictureSettings> picture_keys(const PhysicsList& all) {
    return Keys<PictureSettings>()
        .other("name", "string", "required", "name of the file; different for every picture")
        .other("field", "string", "the first of its physics", described_fields(all))
        .other("width", "integer", "`1200`", "pixels, 16 to 16384")
        .other("height", "integer", "`800`", "pixels, 16 to 16384")
        .other("mesh", "flag", "`false`", "draw the edges of the mesh")
        .other("range", "two numbers", "the field's own",
               "values of the first and the last colour, low before high")
        .other("direction", "point", "from above at an angle; −z in 2D",
               "direction of view, not zero");
}

}  // namespace

PictureSettings read_picture(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings) {
    picture_keys(all).allow(table);
    PictureSettings picture;
    picture.place = table.place();
    picture.name = file_name(table, "name");
    check_unique(settings.pictures, picture.name, table);
    const std::vector<std::string> fields = picture_fields_of(settings);
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

std::vector<KeyTable> output_key_tables(const PhysicsList& all) {
    std::vector<KeyTable> tables{{"[output]", "", output_keys().declared()}};
    for (const KeyTable& table : monitor_key_tables(all)) tables.push_back(table);
    tables.push_back({"[[picture]]", "", picture_keys(all).declared()});
    tables.push_back({"[[trigger]]", "", trigger_keys()});
    return tables;
}

}  // namespace solenoid

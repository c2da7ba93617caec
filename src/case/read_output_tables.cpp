// Reading of [output], [[picture]], [[film]] and [average], and of the keys that say when something
// is written or recorded.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"

namespace solenoid {
namespace {

const std::vector<std::string> frequencies{"interval", "every", "wall_interval"};

// The keys of a time window are named from + suffix, to + suffix.
Keys<WhenSettings> keys_of_when(const std::string& fallback, const std::string& suffix = "") {
    return Keys<WhenSettings>()
        .key("interval", &WhenSettings::interval, value::optional(value::positive()), fallback,
             "time between two outputs [s]; steps end at its multiples")
        .key("every", &WhenSettings::every, value::optional(value::count(1, most_steps)), fallback,
             "steps between two outputs")
        .key("wall_interval", &WhenSettings::wall_interval, value::optional(value::positive()),
             fallback, "wall-clock time between two outputs [s], at the next end of a step")
        .key("from" + suffix, &WhenSettings::from, value::not_negative(), "`0`",
             "no output before this time [s]")
        .key("to" + suffix, &WhenSettings::to, value::positive(), "`time.end`",
             "no output after this time [s]")
        .key("trigger", &WhenSettings::trigger, value::text(), "none",
             "when the `[[trigger]]` of this name acts, too")
        .one_of(frequencies);
}

void refuse_window(const TableReader& table, double from, double to, const std::string& first,
                   const std::string& last, const CaseSettings& settings) {
    if (!(from < to))
        throw InputError(given_last(table.place(last), table.place(first), settings),
                         fmt::format("{} {} is not after {}: {:g} s, and {:g} s", table.title(),
                                     last, first, to, from));
}

}  // namespace

std::vector<Key> when_keys(const std::string& fallback) {
    return keys_of_when(fallback).declared();
}

void refuse_when_steady(const TableReader& table, const CaseSettings& settings,
                        const std::string& suffix) {
    if (!settings.time.steady) return;
    std::vector<std::string> keys = frequencies;
    keys.insert(keys.end(), {"from" + suffix, "to" + suffix, "trigger"});
    for (const std::string& key : keys)
        table.refuse(key,
                     "is for a run in time, and this case is steady: leave it out, or add "
                     "[time]");
}

WhenSettings read_when(const TableReader& table, const CaseSettings& settings,
                       const std::string& suffix) {
    refuse_two_of(table, frequencies);
    const WhenSettings when = keys_of_when("none", suffix).read(table);
    if (when.interval) check_is_felt(table, "interval", *when.interval, settings);
    refuse_window(table, when.from, when.to, "from" + suffix, "to" + suffix, settings);
    return when;
}

namespace {

const Keys<OutputSettings>& output_keys() {
    static const auto keys = Keys<OutputSettings>().key("vtk", &OutputSettings::vtk, value::flag(),
                                                        "`true`", "write files for ParaView");
    return keys;
}

std::vector<Key> declared_output_keys() {
    std::vector<Key> keys = when_keys("start and end only");
    for (Key& key : keys)
        if (contains(frequencies, key.name)) mark_steerable(key);
    for (const Key& key : output_keys().declared()) keys.push_back(key);
    return keys;
}

}  // namespace

OutputSettings read_output(const TableReader& table, const CaseSettings& settings) {
    table.allow(names_of(declared_output_keys()));
    OutputSettings output = output_keys().read(table);
    static_cast<WhenSettings&>(output) = read_when(table, settings);
    return output;
}

namespace {

// Such as "heat: `"temperature"`; flow: `"speed"`, `"vorticity"` (in 3D its magnitude)".
std::string described_fields(const PhysicsList& all) {
    std::vector<std::string> lines;
    for (const Physics* physics : all) {
        std::vector<std::string> fields;
        for (const QuantityInfo& field : physics->quantities(nullptr, 0))
            if (field.is_drawn)
                fields.push_back(
                    fmt::format("`\"{}\"`{}", field.name,
                                field.note.empty() ? "" : fmt::format(" ({})", field.note)));
        lines.push_back(fmt::format("{}: {}", physics->name(), joined_words(fields, ", ")));
    }
    return joined_words(lines, "; ");
}

std::vector<Key> picture_keys(const PhysicsList& all) {
    std::vector<Key> keys =
        Keys<PictureSettings>()
            .other("name", "string", "required", "name of the file; different for every picture")
            .other("field", "string", "the first of its physics", described_fields(all))
            .other("width", "integer", "`1200`", "pixels, 16 to 16384")
            .other("height", "integer", "`800`", "pixels, 16 to 16384")
            .other("mesh", "flag", "`false`", "draw the edges of the mesh")
            .other("range", "two numbers", "the field's own",
                   "values of the first and the last colour, low before high")
            .other("direction", "point", "from above at an angle; −z in 2D without `height_of`",
                   "direction of view, not zero")
            .other("height_of", "string", "none: flat",
                   "in 2D, draw the values of this quantity as heights, in perspective and with "
                   "light: one on nodes with one column")
            .other("height_scale", "number", "by the range of the values",
                   "height over value [m over its unit], positive")
            .declared();
    for (const Key& key : when_keys("with the states of `[output]`")) keys.push_back(key);
    return keys;
}

// Those of a picture, with a speed; one of the frequencies is required.
std::vector<Key> film_keys(const PhysicsList& all) {
    std::vector<Key> keys =
        Keys<PictureSettings>()
            .other("frames_per_second", "number", "`25`", "speed of the video, 0.1 to 1000")
            .declared();
    for (Key key : picture_keys(all)) {
        if (key.name == "name")
            key.help = "name of the files; different for every film and picture";
        if (contains(frequencies, key.name)) key.fallback = "one of the three is required";
        keys.push_back(key);
    }
    std::swap(keys[0], keys[1]);
    return keys;
}

// ---- [average]

Keys<AverageSettings> average_keys() {
    return Keys<AverageSettings>()
        .key("from", &AverageSettings::from, value::not_negative(), "`0`",
             "time from which the averages count [s]; steps end there")
        .key("to", &AverageSettings::to, value::positive(), "`time.end`",
             "time until which they count [s]")
        .other("fields", "list of strings", "the first of its physics",
               "quantities on nodes, by their names in the files ([output.md](output.md))");
}

}  // namespace

namespace {

// The quantities that can be drawn as heights: those on nodes with one column.
std::string read_height_of(const TableReader& table, const CaseSettings& settings) {
    const std::string name = table.text("height_of");
    std::vector<std::string> known;
    int columns = 1;  // of the one that is asked for
    for (const QuantityInfo& quantity : settings.physics->quantities(&settings, 2)) {
        if (quantity.of != QuantityInfo::Of::nodes) continue;
        if (quantity.columns == 1) known.push_back(quantity.name);
        if (quantity.name == name) columns = quantity.columns;
    }
    if (columns > 1)
        table.fail("height_of", fmt::format("takes a quantity of one column, and \"{}\" has {}: "
                                            "take {}",
                                            name, columns, listed(known)));
    return table.choice("height_of", known);
}

// Whether text is `name` with the number of a picture behind it: a_0003 for a.
bool is_numbered(const std::string& text, const std::string& name) {
    if (!text.starts_with(name + '_')) return false;
    const std::string number = text.substr(name.size() + 1);
    return number.size() >= 4 && number.find_first_not_of("0123456789") == number.npos;
}

// In a run in time pictures have numbers: one's name is not to be the file of another.
void refuse_numbered(const TableReader& table, const std::string& name,
                     const CaseSettings& settings) {
    if (settings.time.steady) return;
    for (const PictureSettings& other : settings.pictures)
        if (is_numbered(name, other.name) || is_numbered(other.name, name))
            table.fail("name", fmt::format("\"{}\" and \"{}\", the one at {}, would write files of "
                                           "one name, since those of a run in time are numbered: "
                                           "take another",
                                           name, other.name, other.place));
}

// What a picture and a film have in common.
PictureSettings read_view(const TableReader& table, const CaseSettings& settings) {
    PictureSettings picture;
    picture.place = table.place();
    picture.name = file_name(table, "name");
    check_unique(settings.pictures, picture.name, table);
    refuse_numbered(table, picture.name, settings);
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
    if (table.has("height_of")) {
        picture.height_of = read_height_of(table, settings);
        picture.height_place = table.place("height_of");
    }
    if (table.has("height_scale")) {
        if (picture.height_of.empty())
            table.fail("height_scale",
                       "needs height_of, the quantity whose values are drawn as heights: add it, "
                       "or leave height_scale out");
        picture.height_scale = table.positive("height_scale");
    }
    picture.when = read_when(table, settings);
    return picture;
}

}  // namespace

PictureSettings read_picture(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings) {
    table.allow(names_of(picture_keys(all)));
    PictureSettings picture = read_view(table, settings);
    refuse_when_steady(table, settings);
    return picture;
}

PictureSettings read_film(const TableReader& table, const PhysicsList& all,
                          const CaseSettings& settings) {
    table.allow(names_of(film_keys(all)));
    PictureSettings film = read_view(table, settings);
    if (settings.time.steady)
        throw InputError(film.place,
                         "[[film]] shows a run in time, and this case is steady: make it a "
                         "[[picture]] without the time between two frames, or add [time]");
    if (!film.when.every && !film.when.interval && !film.when.wall_interval)
        throw InputError(film.place,
                         "[[film]] needs the time between two frames: give it interval [s], every "
                         "(steps) or wall_interval [s]");
    film.frames_per_second =
        table.has("frames_per_second") ? table.number("frames_per_second") : 25;
    if (!(*film.frames_per_second >= 0.1 && *film.frames_per_second <= 1000))
        table.fail("frames_per_second",
                   fmt::format("must be from 0.1 to 1000, found {:g}", *film.frames_per_second));
    return film;
}

namespace {

// The averages of a monitor are a table beside the others, and those of a field are fields.
void check_names_of_averages(const TableReader& table, const AverageSettings& average,
                             const CaseSettings& settings) {
    for (const MonitorSettings& averaged : settings.monitors) {
        if (averaged.type == "line") continue;  // it has no rows in time
        const std::string name = averaged.name + "_average";
        for (const MonitorSettings& other : settings.monitors)
            if (other.name == name)
                throw InputError(other.place,
                                 fmt::format("[[monitor]] name: \"{}\" is the file of the averages "
                                             "of the one at {}, by [average]: take another",
                                             name, averaged.place));
        for (const auto& [file, content] : settings.physics->monitor_files(settings))
            if (file == name)
                throw InputError(averaged.place,
                                 fmt::format("[[monitor]] name: its averages, by [average], would "
                                             "be \"{}\", the file of {}: take another",
                                             name, content));
    }
    for (const std::string& field : average.fields)
        for (const QuantityInfo& other : settings.physics->quantities(&settings, 0))
            if (other.of == QuantityInfo::Of::nodes &&
                (other.name == field + "_mean" || other.name == field + "_rms"))
                table.fail("fields",
                           fmt::format("has \"{0}\", whose averages are called {0}_mean and "
                                       "{0}_rms, and the case has a field \"{1}\": give "
                                       "one of the two another name, or leave \"{0}\" "
                                       "out of fields",
                                       field, other.name));
}

}  // namespace

AverageSettings read_average(const TableReader& table, const CaseSettings& settings) {
    const Keys<AverageSettings> keys = average_keys();
    keys.allow(table);
    AverageSettings average = keys.read(table);
    average.place = table.place();
    if (settings.time.steady)
        throw InputError(average.place,
                         "[average] is over time, and this case is steady: leave it out, or add "
                         "[time]");
    refuse_window(table, average.from, average.to, "from", "to", settings);
    if (average.from >= settings.time.end)
        throw InputError(
            given_last(table.place("from"), settings.time.end_place, settings),
            fmt::format("[average] from = {:g} s ({}) is not before [time] end = {:g} s ({}), so "
                        "that nothing would be averaged: change one of them",
                        average.from, table.place("from"), settings.time.end,
                        settings.time.end_place));
    std::vector<std::string> known;
    for (const QuantityInfo& quantity : settings.physics->quantities(&settings, 0))
        if (quantity.in_files && quantity.of == QuantityInfo::Of::nodes)
            known.push_back(quantity.name);
    average.fields = {known.front()};
    if (table.has("fields")) average.fields = table.texts("fields");
    for (const std::string& field : average.fields)
        if (std::ranges::count(average.fields, field) > 1 || !contains(known, field))
            table.fail("fields",
                       fmt::format("has \"{}\": it takes {}, each once", field, listed(known)));
    check_names_of_averages(table, average, settings);
    return average;
}

std::vector<KeyTable> output_key_tables(const PhysicsList& all) {
    std::vector<KeyTable> tables{{"[output]", "", declared_output_keys()},
                                 {"[checkpoint]", "", checkpoint_keys()}};
    for (const KeyTable& table : monitor_key_tables(all)) tables.push_back(table);
    tables.push_back({"[[picture]]", "", picture_keys(all)});
    tables.push_back({"[[film]]", "", film_keys(all)});
    tables.push_back({"[average]", "", average_keys().declared()});
    tables.push_back({"[[trigger]]", "", trigger_keys()});
    return tables;
}

}  // namespace solenoid

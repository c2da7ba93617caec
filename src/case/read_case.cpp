// Reading of a case file into checked settings: the top level, and tables that several physics
// share.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "case/case_text.hpp"
#include "case/document/toml_document.hpp"
#include "case/named.hpp"
#include "case/quote.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/plain_text.hpp"
#include "solvers/choice/preconditioner_kinds.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_iterations = 1'000'000'000;

const std::vector<std::string> keys_of_top{"title", "name", "physics"};

// The one of the tables of meshes that the case has, of those that its physics takes.
void read_mesh(const TableReader& root, CaseSettings& settings) {
    const std::vector<std::string> taken = settings.physics->mesh_tables();
    for (const char* table : {"mesh", "grid"})
        if (!contains(taken, table))
            root.refuse(table, fmt::format("is not for physics = \"{}\", which computes on what "
                                           "[{}] gives",
                                           settings.physics->name(), taken.front()));
    if (root.has("mesh")) root.refuse("grid", "is a mesh of its own: take either [mesh] or [grid]");
    if (!root.has("mesh") && !root.has("grid") && taken.size() > 1)
        throw InputError(root.place(),
                         fmt::format("a case with physics = \"{}\" needs a table [{}]",
                                     settings.physics->name(), joined_words(taken, "] or [")));
    if (root.has("grid") || taken.front() == "grid")
        settings.grid = read_grid_table(root.table("grid"));
    else
        settings.mesh = read_mesh_table(root.table("mesh"), settings.file.parent_path());
}

void read_root(const TableReader& root, const PhysicsList& all, CaseSettings& settings) {
    std::vector<std::string> known = keys_of_top;
    for (const char* table : {"mesh", "grid", "boundary", "time", "initial", "solver", "output",
                              "checkpoint", "monitor", "picture", "film", "average", "trigger"})
        known.emplace_back(table);
    for (const Physics* physics : all)
        for (const std::string& table : physics->tables()) known.push_back(table);
    root.allow(known);
    if (root.has("title")) settings.title = root.text("title");
    if (root.has("name")) settings.name = file_name(root, "name");
    settings.physics = root.has("physics")
                           ? &physics_named(all, root.choice("physics", names_of(all)))
                           : all.front();
    read_mesh(root, settings);
    const OtherPhysics others(all, *settings.physics);
    others.refuse_keys(root, "");
    settings.physics->read(root, others, settings);
    if (root.has("output")) {
        settings.output = read_output(root.table("output"), settings);
        refuse_when_steady(root.table("output"), settings);
    }
    if (root.has("checkpoint"))
        settings.checkpoint = read_checkpoint(root.table("checkpoint"), settings);
    for (const TableReader& table : root.tables("monitor"))
        settings.monitors.push_back(read_monitor(table, all, settings));
    for (const TableReader& table : root.tables("picture"))
        settings.pictures.push_back(read_picture(table, all, settings));
    for (const TableReader& table : root.tables("film"))
        settings.pictures.push_back(read_film(table, all, settings));
    if (root.has("average")) settings.average = read_average(root.table("average"), settings);
    for (const TableReader& table : root.tables("trigger"))
        settings.triggers.push_back(read_trigger(table, settings));
    check_triggers(settings);
}

}  // namespace

// A string that is the name of an output file.
std::string file_name(const TableReader& table, const std::string& key) {
    const std::string name = table.text(key);
    if (name.empty() || name.size() > 100 || !is_plain_text(name) ||
        name.find_first_of("/\\:*?\"<>|") != std::string::npos || name.front() == '.' ||
        name.front() == '-' || name.front() == ' ' || name.back() == ' ')
        table.fail(
            key,
            fmt::format(
                "names a file of the output: {} cannot be one (letters, digits, _, - and . can)",
                quoted(name)));
    return name;
}

double read_tolerance(const TableReader& table) {
    const double value = table.number("tolerance");
    if (!(value > 0 && value < 1))
        table.fail("tolerance", fmt::format("must be between 0 and 1, found {}", value));
    return value;
}

const std::string& given_last(const std::string& place, const std::string& other,
                              const CaseSettings& settings) {
    const auto rank = [&](const std::string& one) {
        return one.starts_with(settings.place + ':') ? 0 : one.starts_with(override_place) ? 1 : 2;
    };
    return rank(other) > rank(place) ? other : place;
}

void check_is_felt(const TableReader& table, const std::string& key, double length,
                   const CaseSettings& settings) {
    constexpr double part = 1e-13;
    const double end = settings.time.end;
    if (settings.time.steady || length >= part * end) return;
    const std::string own = table.place(key);
    if (given_last(own, settings.time.end_place, settings) == own)
        table.fail(key, fmt::format("must be at least {:g} of time.end, which is {:g} s: {:g} s is "
                                    "lost when it is added to a time; take {:.3g} s or more",
                                    part, end, length, 1.001 * part * end));
    throw InputError(
        settings.time.end_place,
        fmt::format("[time] end is too late for {} {} = {:g} s ({}), which would be lost when it "
                    "is added to a time: take {:.3g} s or less, or make {} longer",
                    table.title(), key, length, own, 0.999 * length / part, key));
}

void read_end(const TableReader& table, CaseSettings& settings) {
    TimeSettings& time = settings.time;
    time.steady = false;
    table.require("end");
    time.end_place = table.place("end");
    time.end = table.quantity("end");
    if (!(time.end > 0)) table.fail("end", fmt::format("must be positive, found {}", time.end));
    if (table.has("step")) {
        time.step = table.positive("step");
        check_is_felt(table, "step", *time.step, settings);
    }
    if (table.has("steps")) time.steps = table.integer("steps", 1, most_steps);
    if (table.has("retries"))
        time.retries = static_cast<int>(table.integer("retries", 0, most_retries));
}

void read_step_control(const TableReader& table, CaseSettings& settings) {
    TimeSettings& time = settings.time;
    if (table.has("tolerance")) time.tolerance = read_tolerance(table);
    if (table.has("first_step")) time.first_step = table.positive("first_step");
    if (table.has("largest_step")) time.largest_step = table.positive("largest_step");
    if (time.first_step) check_is_felt(table, "first_step", *time.first_step, settings);
    if (time.largest_step) check_is_felt(table, "largest_step", *time.largest_step, settings);
    if (time.first_step && time.largest_step && *time.first_step > *time.largest_step) {
        const std::string own = table.place("first_step"), most = table.place("largest_step");
        throw InputError(
            given_last(own, most, settings),
            fmt::format("{0} first_step = {1:g} s is longer than largest_step = {2:g} s: reduce "
                        "first_step, or raise largest_step",
                        table.title(), *time.first_step, *time.largest_step));
    }
}

namespace {

Keys<SolverSettings> solver_keys(const std::string& tolerance, const std::string& max_iterations,
                                 const std::string& preconditioner) {
    return Keys<SolverSettings>()
        .key("tolerance", &SolverSettings::tolerance,
             value::optional(ValueReader<double>{"number",
                                                 [](const TableReader& table, const std::string&) {
                                                     return read_tolerance(table);
                                                 }}),
             tolerance, "stop when ‖b − A x‖ ≤ tolerance ‖b‖; between 0 and 1")
        .key("max_iterations", &SolverSettings::max_iterations, value::integer(1, most_iterations),
             "`100000`", max_iterations)
        .key("preconditioner", &SolverSettings::preconditioner,
             value::choice(preconditioner_names()), "`\"automatic\"`", preconditioner)
        .key("levels", &SolverSettings::levels, value::integer(2, 20), "`20`",
             "largest number of multigrid levels")
        .key("print_hierarchy", &SolverSettings::print_hierarchy, value::flag(), "`false`",
             "print rows, nonzeros and memory of every level at the end of the run; in 3D, for the "
             "stream function, those of the nodal hierarchy");
}

}  // namespace

std::vector<Key> declared_solver_keys(const std::string& tolerance,
                                      const std::string& max_iterations,
                                      const std::string& preconditioner) {
    return solver_keys(tolerance, max_iterations, preconditioner).declared();
}

SolverSettings read_solver(const TableReader& table) {
    static const auto keys = solver_keys(
        "by the precision",
        "largest number of iterations; where more are needed the step, or the run, fails",
        "what precedes an iteration");
    keys.allow(table);
    return keys.read(table);
}

bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings,
                   bool takes_flux) {
    if (!table.is("type", "periodic")) {
        table.refuse("partner", "belongs to type \"periodic\"");
        return false;
    }
    for (const std::string& key : table.keys())
        if (key != "type" && key != "partner" && !(takes_flux && key == "flux"))
            table.fail(key, "does not belong to type \"periodic\", which takes partner");
    PeriodicSettings periodic{name, table.text("partner"), table.place(), std::nullopt};
    if (table.has("flux")) periodic.flux = value::formula_of_time().read(table, "flux");
    if (periodic.partner == name)
        table.fail("partner", "is the boundary itself: a pair has two sides");
    settings.periodic.push_back(periodic);
    return true;
}

std::string case_name(const fs::path& file) {
    const fs::path path = fs::absolute(file).lexically_normal();
    const std::string folder = path.parent_path().filename().string();
    return path.filename() == "case.toml" && !folder.empty() ? folder : path.stem().string();
}

namespace {

// Checks the places of overrides. tables: of all physics.
void check_places(const toml::table& document, const PhysicsList& all,
                  const std::vector<std::string>& overrides, std::vector<KeyTable> tables,
                  std::string_view given) {
    const std::string physics = document["physics"].value_or(all.front()->name());
    std::erase_if(tables, [&](const KeyTable& table) {
        return !table.physics.empty() && table.physics != physics;
    });
    for (const Physics* one : all) {
        if (one->name() != physics) continue;
        KeyTable boundary{
            "[boundary.NAME]", physics, {{"type", "string", "required", "what is given"}}};
        for (const ConditionSummary& kind : one->conditions())
            boundary.keys.insert(boundary.keys.end(), kind.keys.begin(), kind.keys.end());
        tables.push_back(std::move(boundary));
    }
    for (const std::string& text : overrides)
        check_place_of_override(document, text, tables, keys_of_top, given);
}

// Of a case that is called after its file; `name` was checked as it was read.
void check_name(const CaseSettings& settings) {
    const std::string& name = settings.name;
    if (!name.empty() && name.size() <= 200 && name.front() != '.' && is_plain_text(name)) return;
    throw InputError(
        settings.place,
        fmt::format("the results would be called {}, after this file, which is no name "
                    "for them: rename it, or add a line name = \"...\"",
                    quoted(name)));
}

}  // namespace

toml::table document_of(const CaseText& text, const PhysicsList& all,
                        const std::vector<std::string>& overrides) {
    toml::table document = parse_toml(text.text, text.file.string());
    const std::vector<KeyTable> tables = key_tables(all);
    for (const std::string& override : overrides) apply_override(document, override, tables);
    check_places(document, all, overrides, tables, override_place);
    return document;
}

CaseSettings settings_in(const toml::table& document, const fs::path& file,
                         const PhysicsList& all) {
    CaseSettings settings;
    settings.file = fs::absolute(file).lexically_normal();
    settings.place = file.string();
    settings.name = case_name(file);
    read_root(TableReader(document, "", file.string()), all, settings);
    check_name(settings);
    return settings;
}

CaseSettings read_case(const CaseText& text, const PhysicsList& all,
                       const std::vector<std::string>& overrides) {
    return settings_in(document_of(text, all, overrides), text.file, all);
}

CaseSettings read_case(const fs::path& file, const PhysicsList& all,
                       const std::vector<std::string>& overrides) {
    return read_case(read_case_text(file), all, overrides);
}

CaseSettings case_of_keys(const std::string& name, const std::vector<std::string>& keys,
                          const PhysicsList& all) {
    toml::table document;
    const std::vector<KeyTable> tables = key_tables(all);
    for (const std::string& text : keys) apply_override(document, text, tables, program_place);
    check_places(document, all, keys, tables, program_place);
    CaseSettings settings;
    settings.file = fs::absolute(name);
    settings.place = settings.name = name;
    read_root(TableReader(document, "", name), all, settings);
    return settings;
}

}  // namespace solenoid

// Readers of the tables of a case file; read_case.cpp calls them in order.
#pragma once

#include <fmt/format.h>

#include "case/case_text.hpp"
#include "case/physics.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

// The tables of a case with its overrides, and the settings that they stand for.
toml::table document_of(const CaseText& text, const PhysicsList& all,
                        const std::vector<std::string>& overrides);
CaseSettings settings_in(const toml::table& document, const std::filesystem::path& file,
                         const PhysicsList& all);

// Tables of every physics.
MeshSettings read_mesh_table(const TableReader& table, const std::filesystem::path& folder);
GridSettings read_grid_table(const TableReader& table);
OutputSettings read_output(const TableReader& table, const CaseSettings& settings);
// Called after the tables of the physics, as those below.
CheckpointSettings read_checkpoint(const TableReader& table, const CaseSettings& settings);
MonitorSettings read_monitor(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings);
PictureSettings read_picture(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings);
PictureSettings read_film(const TableReader& table, const PhysicsList& all,
                          const CaseSettings& settings);
// [average]; called after the tables of the physics.
AverageSettings read_average(const TableReader& table, const CaseSettings& settings);
// [[trigger]]; called after the monitors.
TriggerSettings read_trigger(const TableReader& table, const CaseSettings& settings);
// Throws InputError where a `trigger` names none of the case.
void check_triggers(const CaseSettings& settings);
void check_monitors(const CaseSettings& settings, const MeshNames& mesh);
std::vector<KeyTable> mesh_key_tables();
KeyTable grid_key_table();
std::vector<Key> checkpoint_keys();
const std::vector<Key>& trigger_keys();
std::vector<KeyTable> monitor_key_tables(const PhysicsList& all);
std::vector<KeyTable> output_key_tables(const PhysicsList& all);  // includes those of monitors

// The keys of WhenSettings. fallback: what happens without a frequency, in Markdown.
std::vector<Key> when_keys(const std::string& fallback);
// Reads them; `suffix` behind the names of from and to. Throws InputError.
WhenSettings read_when(const TableReader& table, const CaseSettings& settings,
                       const std::string& suffix = "");
// Refuses them where the case is steady. Called after the tables of the physics.
void refuse_when_steady(const TableReader& table, const CaseSettings& settings,
                        const std::string& suffix = "");

// Shared by several tables.
constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr int most_retries = 30;
// The help of [time] retries.
constexpr const char* retries_help =
    "how often a step that fails (a solve does not converge, a value is not finite) is taken back "
    "and repeated at half its length, before the run ends; from 0, never, to 30";
// A string that is the name of an output file.
std::string file_name(const TableReader& table, const std::string& key);
// A number strictly between 0 and 1.
double read_tolerance(const TableReader& table);
// The keys of [initial] that name another run's state, and their reader; none: without `file`.
extern const char* const help_of_initial_file;
extern const char* const help_of_outside;
std::optional<InitialFile> read_initial_file(const TableReader& table,
                                             const CaseSettings& settings);
// Reads [time] end, step, steps, retries.
void read_end(const TableReader& table, CaseSettings& settings);
// Reads [time] tolerance, first_step, largest_step; refuses them together with step.
void read_step_control(const TableReader& table, CaseSettings& settings);
// Throws InputError where a length of time of the run, such as a step or what lies between two
// outputs, is so short a part of time.end that it is lost when it is added to a time.
void check_is_felt(const TableReader& table, const std::string& key, double length,
                   const CaseSettings& settings);
// Of the places of two values that do not go together, that of the one that was given last: by
// control.toml, or else by --set; else the first.
const std::string& given_last(const std::string& place, const std::string& other,
                              const CaseSettings& settings);
SolverSettings read_solver(const TableReader& table);  // [solver.NAME]
// The keys of [solver.NAME]; the default tolerance and two help texts depend on the physics.
std::vector<Key> declared_solver_keys(const std::string& tolerance,
                                      const std::string& max_iterations,
                                      const std::string& preconditioner);

template <class Settings>
void check_unique(const std::vector<Settings>& all, const std::string& name,
                  const TableReader& table) {
    for (const Settings& other : all)
        if (other.name == name)
            table.fail("name", fmt::format("\"{}\" is taken by the one at {}", name, other.place));
}

// The kind of a boundary's `type`. Refuses keys that are neither of a kind nor in `common`, and
// names the physics that has such a type or key. Throws InputError.
template <class Kind>
const Kind& read_condition_kind(const TableReader& table, const std::vector<Kind>& kinds,
                                const OtherPhysics& others,
                                const std::vector<std::string>& common = {}) {
    std::vector<std::string> known{"type"}, types = names_of(kinds);
    for (const std::string& key : keys_of(kinds)) known.push_back(key);
    known.insert(known.end(), common.begin(), common.end());
    others.refuse_keys(table, "[boundary.NAME]", common);
    table.allow(known);
    types.push_back("periodic");
    others.refuse_types(table, types);
    const Kind& kind = kind_of(kinds, table.choice("type", types));
    refuse_keys_of_others(table, kinds, kind);
    return kind;
}

// Reads a [boundary.NAME] table with type = "periodic"; returns false for others. takes_flux:
// whether a flux can be imposed between the sides.
bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings,
                   bool takes_flux = false);
// Of a case on a grid, whose directions are periodic by [grid]. Throws InputError.
void refuse_periodic_type(const TableReader& table);

}  // namespace solenoid

// The tables of a case file, one function each; read_case.cpp calls them in order.
#pragma once

#include <fmt/format.h>

#include "case/physics.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

// What every physics has.
MeshSettings read_mesh_table(const TableReader& table, const std::filesystem::path& folder);
OutputSettings read_output(const TableReader& table);
// after the physics' own tables
MonitorSettings read_monitor(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings);
PictureSettings read_picture(const TableReader& table, const PhysicsList& all,
                             const CaseSettings& settings);
void check_monitors(const CaseSettings& settings, const MeshNames& mesh);
std::vector<KeyTable> mesh_key_tables();
std::vector<KeyTable> monitor_key_tables(const PhysicsList& all);
std::vector<KeyTable> output_key_tables(const PhysicsList& all);  // with those of monitors

// Shared by several.
constexpr std::int64_t most_steps = 1'000'000'000'000;
// a string that names a file of the output
std::string file_name(const TableReader& table, const std::string& key);
// strictly between 0 and 1
double read_tolerance(const TableReader& table);
// [time] end, step, steps
void read_end(const TableReader& table, TimeSettings& time);
// [time] tolerance, first_step, largest_step; refused beside step
void read_step_control(const TableReader& table, TimeSettings& time);
SolverSettings read_solver(const TableReader& table);  // [solver.NAME]
// Its keys: what depends on the physics is the default tolerance and two lines of help.
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

// The kind of a boundary's `type`, with the keys of all kinds and `common` ones known; a type or a
// key of another physics is said to belong to it.
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

// [boundary.NAME] tables: reads those with type = "periodic", which every physics has, and leaves
// the others. takes_flux: whether a flux can be imposed between the sides.
bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings,
                   bool takes_flux = false);

}  // namespace solenoid

// The tables of a case file, one function each; read_case.cpp calls them in order.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "case/physics.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

// Scalars that a flow carries: the tables of [scalar], the keys that they add to a boundary, and what these say.
std::vector<ScalarSettings> read_scalars(const TableReader& scalars);
std::vector<Key> scalar_settings_keys();  // of a [scalar.NAME]
std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars);
std::map<std::string, ScalarCondition> read_scalar_conditions(const TableReader& boundary, const std::vector<ScalarSettings>& scalars);

// What every physics has.
MeshSettings read_mesh_table(const TableReader& table, const std::filesystem::path& folder);
OutputSettings read_output(const TableReader& table);
MonitorSettings read_monitor(const TableReader& table, const CaseSettings& settings);  // after the physics' own tables
PictureSettings read_picture(const TableReader& table, const CaseSettings& settings);
std::vector<KeyTable> mesh_key_tables();
std::vector<KeyTable> output_key_tables();

// Shared by several.
constexpr std::int64_t most_steps = 1'000'000'000'000;
std::string file_name(const TableReader& table, const std::string& key);    // a string that names a file of the output
double read_tolerance(const TableReader& table);                            // strictly between 0 and 1
void read_end(const TableReader& table, TimeSettings& time);                // [time] end, step, steps
SolverSettings read_solver(const TableReader& table);                       // [solver.NAME]
// Its keys: what depends on the physics is the default tolerance and two lines of help.
std::vector<Key> declared_solver_keys(const std::string& tolerance, const std::string& max_iterations, const std::string& preconditioner);

// The kind of a boundary's `type`, with the keys of all kinds and `common` ones known; a type or a key of another physics is said to
// belong to it.
template <class Kind>
const Kind& read_condition_kind(const TableReader& table, const std::vector<Kind>& kinds, const std::string& physics, const std::vector<std::string>& common = {}) {
    std::vector<std::string> known{"type"}, types = names_of(kinds);
    for (const std::string& key : keys_of(kinds)) known.push_back(key);
    known.insert(known.end(), common.begin(), common.end());
    refuse_keys_of_other_physics(table, "[boundary.NAME]", physics, common);
    table.allow(known);
    types.push_back("periodic");
    for (const Physics& other : all_physics())
        for (const std::string& type : names_of(other.conditions()))
            if (table.is("type", type) && std::ranges::find(types, type) == types.end())
                table.fail("type", fmt::format("\"{}\" belongs to a {} case; here it must be {}", type, other.name, listed(types)));
    const Kind& kind = kind_of(kinds, table.choice("type", types));
    refuse_keys_of_others(table, kinds, kind);
    return kind;
}

// [boundary.NAME] tables: reads those with type = "periodic", which every physics has, and leaves the others.
bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings);

}  // namespace solenoid

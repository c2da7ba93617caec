// The tables of a case file, one function each; read_case.cpp calls them in order.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

// What belongs to one physics: materials or fluid, boundaries, time, initial state, solvers.
void read_heat(const TableReader& root, CaseSettings& settings);
void read_flow(const TableReader& root, CaseSettings& settings);

// Scalars that a flow carries: the tables of [scalar], the keys that they add to a boundary, and what these say.
std::vector<ScalarSettings> read_scalars(const TableReader& scalars);
std::vector<Key> scalar_settings_keys();  // of a [scalar.NAME]
std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars);
std::map<std::string, ScalarCondition> read_scalar_conditions(const TableReader& boundary, const std::vector<ScalarSettings>& scalars);

// Shared by the two.
double read_tolerance(const TableReader& table);                            // strictly between 0 and 1
void read_end(const TableReader& table, TimeSettings& time);                // [time] end, step, steps
SolverSettings read_solver(const TableReader& table);                       // [solver.NAME]
// Its keys: what depends on the physics is the default tolerance and two lines of help.
std::vector<Key> declared_solver_keys(const std::string& tolerance, const std::string& max_iterations, const std::string& preconditioner);

// Fails where the table has a key of another physics.
void refuse_keys_of(const std::string& physics, const TableReader& table,
                    const std::vector<std::string>& keys);
// The kind of a boundary's `type`, with the keys of all kinds and `common` ones known; a type or a key of the other physics is said to
// belong to it.
template <class Kind, class OtherKind>
const Kind& read_condition_kind(const TableReader& table, const std::vector<Kind>& kinds, const std::string& other_physics, const std::vector<OtherKind>& other_kinds,
                                const std::vector<std::string>& common = {}) {
    std::vector<std::string> known{"type"}, types = names_of(kinds), foreign;
    for (const std::string& key : keys_of(kinds)) known.push_back(key);
    known.insert(known.end(), common.begin(), common.end());
    for (const std::string& key : keys_of(other_kinds))
        if (std::ranges::find(known, key) == known.end()) foreign.push_back(key);
    refuse_keys_of(other_physics, table, foreign);
    table.allow(known);
    types.push_back("periodic");
    for (const std::string& other : names_of(other_kinds))
        if (table.is("type", other) && std::ranges::find(types, other) == types.end())
            table.fail("type", fmt::format("\"{}\" belongs to a {} case; here it must be {}", other, other_physics, listed(types)));
    const Kind& kind = kind_of(kinds, table.choice("type", types));
    refuse_keys_of_others(table, kinds, kind);
    return kind;
}

// [boundary.NAME] tables: reads those with type = "periodic", which every physics has, and leaves the others.
bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings);

}  // namespace solenoid

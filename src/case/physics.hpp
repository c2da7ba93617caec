// The physics that a case may have: what each adds to the reading of a case file. A physics is one line of physics.cpp.
#pragma once

#include <string>
#include <vector>

#include "case/condition_kinds.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

struct Physics {
    std::string name, summary;        // `physics = "name"`; what it is, in a few words
    std::vector<std::string> tables;  // of the top level, beside those of every case
    void (*read)(const TableReader& root, CaseSettings& settings);
    void (*check)(const CaseSettings& settings, const MeshNames& mesh);  // against the mesh
    std::vector<KeyTable> (*key_tables)();
    std::vector<ConditionSummary> (*conditions)();  // of boundaries, but "periodic", which every physics has
    std::vector<std::string> (*picture_fields)(const CaseSettings& settings);  // the first is the default
    std::vector<std::string> (*monitor_types)(const CaseSettings& settings);   // but "line" and "point"
    std::vector<std::pair<std::string, std::string>> (*monitor_files)(const CaseSettings& settings);  // of its own: name, what they hold
    std::vector<SolverSettings*> (*solvers)(CaseSettings& settings);
};

const std::vector<Physics>& all_physics();
const Physics& physics_named(const std::string& name);
std::vector<std::string> physics_names();

// Refuses keys that other physics have in this table, and `own` has not. section: "" for the top level, "[time]", "[solver]",
// "[boundary.NAME]", as in Physics::key_tables.
void refuse_keys_of_other_physics(const TableReader& table, const std::string& section, const std::string& own, const std::vector<std::string>& also_known = {});

}  // namespace solenoid

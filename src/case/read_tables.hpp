// The tables of a case file, one function each; read_case.cpp calls them in order.
#pragma once

#include "case/settings.hpp"
#include "case/table_reader.hpp"

namespace solenoid {

// What belongs to one physics: materials or fluid, boundaries, time, initial state, solvers.
void read_heat(const TableReader& root, CaseSettings& settings);
void read_flow(const TableReader& root, CaseSettings& settings);

// Scalars that a flow carries: the tables of [scalar], the keys that they add to a boundary, and what these say.
std::vector<ScalarSettings> read_scalars(const TableReader& scalars);
std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars);
std::map<std::string, ScalarCondition> read_scalar_conditions(const TableReader& boundary, const std::vector<ScalarSettings>& scalars);

// Shared by the two.
double read_tolerance(const TableReader& table);                            // strictly between 0 and 1
void read_end(const TableReader& table, TimeSettings& time);                // [time] end, step, steps
SolverSettings read_solver(const TableReader& table);                       // [solver.NAME]

// Fails where the table has a key of another physics.
void refuse_keys_of(const std::string& physics, const TableReader& table,
                    const std::vector<std::string>& keys);
// The type of a boundary, among `types`; one of `other_types` is said to belong to another physics.
std::string read_boundary_type(const TableReader& table, const std::vector<std::string>& types,
                               const std::string& other_physics, const std::vector<std::string>& other_types);

// [boundary.NAME] tables: reads those with type = "periodic", which every physics has, and leaves the others.
bool read_periodic(const TableReader& table, const std::string& name, CaseSettings& settings);

inline const std::vector<std::string> heat_boundary_types{"temperature", "flux", "convection", "insulated",
                                                          "periodic"};
inline const std::vector<std::string> flow_boundary_types{"wall", "inflow", "outflow", "symmetry", "pressure", "periodic"};

}  // namespace solenoid

#pragma once

#include <string>
#include <vector>

#include "case/settings.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// Prints a line for each level: rows, nonzeros, ranks and memory.
void print_hierarchy(const std::vector<LevelSummary>& levels);

// Prints the hierarchy of one system of a run where its [solver.NAME] asks for it.
void report_hierarchy(const std::string& name, const SolverSettings& settings,
                      const SolveTotals& totals);

}  // namespace solenoid

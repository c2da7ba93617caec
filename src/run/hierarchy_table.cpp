#include "run/hierarchy_table.hpp"

#include <algorithm>

#include "core/log.hpp"
#include "run/text.hpp"

namespace solenoid {

void print_hierarchy(const std::vector<LevelSummary>& levels) {
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const LevelSummary& level = levels[k];
        log::info("  level {}   {:>10} rows  {:>12} nonzeros  {:>8.1f} a row  {:>6}  {:>9.1f} MB",
                  k, level.rows, level.nonzeros,
                  double(level.nonzeros) / double(std::max<std::int64_t>(level.rows, 1)),
                  plural(level.ranks, "rank"), double(level.bytes) / 1e6);
    }
}

void report_hierarchy(const std::string& name, const SolverSettings& settings,
                      const SolveTotals& totals) {
    if (!settings.print_hierarchy) return;
    const PreconditionerSummary& made = totals.preconditioner;
    log::info("{}: {}, made in {:.3f} s", name,
              made.levels.empty() ? "no multigrid" : plural(made.levels.size(), "level"),
              made.setup_seconds);
    print_hierarchy(made.levels);
    double nonzeros = 0;
    for (const LevelSummary& level : made.levels) nonzeros += static_cast<double>(level.nonzeros);
    if (nonzeros > 0)
        log::info("  operator complexity {:.3f}",
                  nonzeros / static_cast<double>(made.levels.front().nonzeros));
}

}  // namespace solenoid

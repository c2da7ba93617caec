// The tables of a case of Poisson's equation.
#include <fmt/format.h>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "poisson/case/poisson_physics.hpp"
#include "poisson/grid_smoothers.hpp"
#include "poisson/poisson_case.hpp"

namespace solenoid {
namespace {

// A formula of x and y; as a number it must be positive, or at least 0.
ValueReader<Formula> above(bool takes_zero) {
    return {"formula", [takes_zero](const TableReader& table, const std::string& key) {
                const Formula formula = in_the_plane().read(table, key);
                if (!formula.is_constant()) return formula;
                const double value = formula(Vec3{0});
                if (!(takes_zero ? value >= 0 : value > 0))
                    table.fail(key,
                               fmt::format("must be {}, found {}",
                                           takes_zero ? "at least 0" : "positive", formula.text()));
                return formula;
            }};
}

const Keys<PoissonSettings>& poisson_keys() {
    static const auto keys =
        Keys<PoissonSettings>()
            .key("conductivity", &PoissonSettings::conductivity, above(false), "`1`",
                 "k, of x, y; positive")
            .key("source", &PoissonSettings::source, in_the_plane(), "`0`", "f, of x, y")
            .key("reaction", &PoissonSettings::reaction, above(true), "`0`",
                 "c, of x, y; not negative");
    return keys;
}

const Keys<GridSolveSettings>& solve_keys() {
    static const auto keys = [] {
        std::vector<std::string> smoothers{"automatic"};
        for (const GridSmootherKind& kind : grid_smoother_kinds()) smoothers.push_back(kind.name);
        return Keys<GridSolveSettings>()
            .key("tolerance", &GridSolveSettings::tolerance,
                 value::optional(ValueReader<double>{
                     "number", [](const TableReader& table,
                                  const std::string&) { return read_tolerance(table); }}),
                 "`1e-10` in double, `1e-5` in single precision",
                 "stop when ‖b − A x‖ ≤ tolerance ‖b‖, with `\"cycles\"` in the maximum norm")
            .key("max_iterations", &GridSolveSettings::max_iterations,
                 value::integer(1, 1'000'000'000), "`1000`", "more, or more cycles, are a failure")
            .key(
                "method", &GridSolveSettings::method, value::choice({"cg", "cycles", "full"}),
                "`\"cg\"`",
                "`\"cg\"`: conjugate gradients, with a multigrid cycle before each iteration; "
                "`\"cycles\"`: cycles alone; `\"full\"`: full multigrid, from the coarsest grid "
                "up with two cycles a grid, to about the error of the grid and no tolerance; where "
                "more than 1e-3 of ‖b‖ is left, cycles follow until it is not")
            .key("cycle", &GridSolveSettings::cycle, value::choice({"V", "W"}), "`\"V\"`",
                 "`\"V\"`, or `\"W\"`: twice a coarser grid; better where coefficients jump")
            .key("smoother", &GridSolveSettings::smoother, value::choice(smoothers),
                 "`\"automatic\"`",
                 described(grid_smoother_kinds()) +
                     "; `\"automatic\"`: colours, or lines where cells are stretched")
            .key("before", &GridSolveSettings::before, value::integer(1, 100), "`1`",
                 "sweeps of the smoother before the coarser grid")
            .key("after", &GridSolveSettings::after, value::integer(1, 100), "`1`",
                 "and behind it; as many as before with `\"cg\"`");
    }();
    return keys;
}

GridSolveSettings read_solve(const TableReader& table) {
    solve_keys().allow(table);
    const GridSolveSettings solve = solve_keys().read(table);
    if (solve.method == "full" && table.has("tolerance"))
        table.fail("tolerance", "belongs to the methods \"cg\" and \"cycles\": \"full\" has none");
    if (solve.method == "cg" && solve.before != solve.after)
        table.fail(table.has("after") ? "after" : "before",
                   "must be as many as the others with method \"cg\", which takes a symmetric "
                   "preconditioner");
    return solve;
}

}  // namespace

void PoissonPhysics::read(const TableReader& root, const OtherPhysics& others,
                          CaseSettings& settings) const {
    PoissonCase poisson;
    root.refuse("time", "is not for physics = \"poisson\": it has no time");
    root.refuse("initial", "is not for physics = \"poisson\": nothing is started from");
    if (root.has("poisson")) {
        const TableReader table = root.table("poisson");
        poisson_keys().allow(table);
        poisson.poisson = poisson_keys().read(table);
    }
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys()) {
            const TableReader table = boundaries.table(name);
            refuse_periodic_type(table);
            const PoissonConditionKind& kind =
                read_condition_kind(table, poisson_condition_kinds(), others);
            poisson.boundaries.push_back({name, table.place(), kind.read(table, {})});
        }
    }
    if (root.has("solver")) {
        const TableReader solvers = root.table("solver");
        others.refuse_keys(solvers, "[solver]");
        solvers.allow({"U"});
        if (solvers.has("U")) poisson.solver = read_solve(solvers.table("U"));
    }
    settings.own = poisson;
}

std::vector<ConditionPlace> PoissonPhysics::conditions_of(const CaseSettings& settings) const {
    std::vector<ConditionPlace> conditions;
    for (const PoissonBoundary& b : settings_of<PoissonCase>(settings).boundaries)
        conditions.push_back({b.name, b.place});
    return conditions;
}

void PoissonPhysics::with_default(CaseSettings& settings,
                                  const std::vector<std::string>& groups) const {
    solenoid::with_default(settings_of<PoissonCase>(settings).boundaries, groups);
}

std::vector<KeyTable> PoissonPhysics::key_tables() const {
    return {{"[poisson]", "poisson", poisson_keys().declared()},
            {"[solver.U]", "poisson", solve_keys().declared()}};
}

std::vector<ConditionSummary> PoissonPhysics::conditions() const {
    return summaries_of(poisson_condition_kinds());
}

}  // namespace solenoid

// The kinds of boundary conditions of boundary-value problems.
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

PoissonConditionKind value_kind();
PoissonConditionKind slope_kind();
PoissonConditionKind mixed_kind();

const std::vector<PoissonConditionKind>& poisson_condition_kinds() {
    static const std::vector<PoissonConditionKind> kinds{value_kind(), slope_kind(), mixed_kind()};
    return kinds;
}

ValueReader<Formula> in_the_plane() {
    return {"formula", [](const TableReader& table, const std::string& key) {
                const Formula formula = table.formula(key);
                if (formula.depends_on_time()) table.fail(key, "may depend on x and y, not on t");
                return formula;
            }};
}

}  // namespace solenoid

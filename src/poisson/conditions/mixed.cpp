// Robin's condition, alpha U + beta dU/dn = gamma.
#include "poisson/conditions/poisson_condition.hpp"

namespace solenoid {

PoissonConditionKind mixed_kind() {
    const auto keys =
        Keys<PoissonCondition>()
            .key("alpha", &PoissonCondition::alpha, value::positive(), "required", "α, positive")
            .key("beta", &PoissonCondition::beta, value::positive(), "required",
                 "β, positive: h U + k dU/dn = h U_inf of an exchange has alpha = h, beta = k [m]")
            .key("gamma", &PoissonCondition::gamma, in_the_plane(), "`0`", "γ, of x, y");
    return {"mixed", keys.declared(), "α U + β dU/dn = γ, with the outward normal",
            "alpha = ...  beta = ...  gamma = ...   alpha U + beta dU/dn = gamma",
            [keys](const TableReader& table, const NoPoissonContext&) {
                return std::make_shared<PoissonCondition>(keys.read(table));
            }};
}

}  // namespace solenoid

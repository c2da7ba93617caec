// Boundaries of a flow as a case file would give them.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include "flow/conditions/flow_conditions.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid::test {

inline VectorFormula vector_formula(const std::vector<std::string>& components) {
    VectorFormula v;
    for (std::size_t k = 0; k < components.size(); ++k) v[k] = Formula(components[k], "test");
    return v;
}

// Of a kind, "wall", "inflow", ...: with the velocity or the pressure that it takes; the classical
// method's are known, too.
inline FlowBoundary boundary(const std::string& name, const std::string& kind,
                             const VectorFormula& velocity = {},
                             const std::map<std::string, ScalarCondition>& scalars = {},
                             const Formula& pressure = 0.0) {
    toml::table table;
    const FlowConditionKind& made = kind_of(flow_condition_kinds(), kind);
    for (const solenoid::Key& key : made.keys) {
        if (key.name == "velocity")
            table.insert("velocity",
                         toml::array{velocity[0].text(), velocity[1].text(), velocity[2].text()});
        if (key.name == "pressure") table.insert("pressure", pressure.text());
    }
    return {name, "test",
            made.read(TableReader(table, fmt::format("[boundary.{}]", name), "test"), {}), scalars};
}

// The same side with a condition of another kind; its velocity and its scalars stay where they
// belong.
inline void change(FlowBoundary& b, const std::string& kind) {
    b = boundary(b.name, kind, b.condition->velocity(), b.scalars, b.condition->pressure());
}
// The same wall or inflow with another velocity, and a given pressure.
inline void move(FlowBoundary& b, const VectorFormula& velocity) {
    b = boundary(b.name, b.condition->lets_through() ? "inflow" : "wall", velocity, b.scalars);
}
inline FlowBoundary& press(FlowBoundary& b, const Formula& pressure) {
    return b = boundary(b.name, "pressure", {}, b.scalars, pressure);
}

}  // namespace solenoid::test

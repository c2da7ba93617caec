// Boundaries of heat as a case file would give them.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include "heat/case/heat_settings.hpp"

namespace solenoid::test {

// Of a kind: with its first key and, of "convection", the second.
inline HeatBoundary heat_boundary(const std::string& name, const std::string& kind,
                                  const Formula& first = 0.0, const Formula& second = 0.0) {
    const HeatConditionKind& made = kind_of(heat_condition_kinds(), kind);
    toml::table table;
    for (std::size_t i = 0; i < made.keys.size(); ++i)
        table.insert(made.keys[i].name, (i == 0 ? first : second).text());
    return {name, "test",
            made.read(TableReader(table, fmt::format("[boundary.{}]", name), "test"), {})};
}

}  // namespace solenoid::test

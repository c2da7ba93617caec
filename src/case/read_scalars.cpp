// The scalars that a flow carries: [scalar.NAME], and NAME or NAME_flux in the tables of the boundaries.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "case/quote.hpp"
#include "case/read_tables.hpp"

namespace solenoid {
namespace {

// A name of a scalar is a key, a column and an array of the output.
void check_scalar_name(const TableReader& scalars, const std::string& name) {
    static const std::vector<std::string> taken{"type", "velocity", "u", "v", "w", "p", "omega", "pressure", "vorticity", "q_criterion", "stream_function", "speed", "time", "flow", "boundaries"};
    const bool is_word = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) &&
                         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!is_word || name.ends_with("_flux")) scalars.fail(name, fmt::format("names a scalar: a word of letters, digits and _ that does not end in _flux, found {}", quoted(name)));
    if (std::ranges::find(taken, name) != taken.end()) scalars.fail(name, fmt::format("{} is taken by the flow itself", quoted(name)));
}

ScalarSettings read_scalar(const TableReader& table, const std::string& name) {
    table.allow({"diffusivity", "initial", "source", "expansion", "reference", "convection"});
    ScalarSettings scalar;
    scalar.name = name;
    scalar.place = table.place();
    scalar.diffusivity = table.quantity("diffusivity");
    if (scalar.diffusivity < 0) table.fail("diffusivity", fmt::format("must not be negative, found {}", scalar.diffusivity));
    if (table.has("initial")) scalar.initial = table.formula("initial");
    if (table.has("source")) scalar.source = table.formula("source");
    if (table.has("expansion")) scalar.expansion = table.quantity("expansion");
    if (table.has("reference")) scalar.reference = table.quantity("reference");
    if (table.has("convection")) scalar.convection = table.choice("convection", {"bounded", "central", "upwind", "blended"});
    return scalar;
}

}  // namespace

std::vector<ScalarSettings> read_scalars(const TableReader& scalars) {
    std::vector<ScalarSettings> result;
    for (const std::string& name : scalars.keys()) {
        check_scalar_name(scalars, name);
        result.push_back(read_scalar(scalars.table(name), name));
    }
    return result;
}

std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars) {
    std::vector<std::string> keys;
    for (const ScalarSettings& scalar : scalars) {
        keys.push_back(scalar.name);
        keys.push_back(scalar.name + "_flux");
    }
    return keys;
}

std::map<std::string, ScalarCondition> read_scalar_conditions(const TableReader& boundary, const std::vector<ScalarSettings>& scalars) {
    std::map<std::string, ScalarCondition> conditions;
    for (const ScalarSettings& scalar : scalars) {
        const std::string flux = scalar.name + "_flux";
        if (boundary.has(scalar.name) && boundary.has(flux)) boundary.fail(flux, fmt::format("excludes {}: give the value or the flux", quoted(scalar.name)));
        if (boundary.has(scalar.name)) conditions[scalar.name] = {true, boundary.formula(scalar.name)};
        if (boundary.has(flux)) conditions[scalar.name] = {false, boundary.formula(flux)};
    }
    return conditions;
}

}  // namespace solenoid

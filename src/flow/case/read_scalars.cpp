// Reading of the scalars of a flow: tables [scalar.NAME], and keys NAME, NAME_inflow_value and
// NAME_flux of boundaries.
#include "flow/case/read_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "case/quote.hpp"
#include "flow/case/read_schemes.hpp"

namespace solenoid {
namespace {

// Keys of a boundary.
std::string flux_key(const std::string& scalar) { return scalar + "_flux"; }
std::string inflow_key(const std::string& scalar) { return scalar + "_inflow_value"; }

// A scalar's name is used as a key, a column and an array of the output.
void check_scalar_name(const TableReader& scalars, const std::string& name) {
    static const std::vector<std::string> taken{"type",
                                                "velocity",
                                                "u",
                                                "v",
                                                "w",
                                                "p",
                                                "omega",
                                                "pressure",
                                                "vorticity",
                                                "q_criterion",
                                                "stream_function",
                                                "speed",
                                                "time",
                                                "flow",
                                                "boundaries"};
    const bool is_word =
        !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) &&
        std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!is_word || name.ends_with(flux_key("")) || name.ends_with(inflow_key("")) ||
        name.ends_with("_balance"))  // a table of the run
        scalars.fail(name, fmt::format("names a scalar: a word of letters, digits and _ that does "
                                       "not end in _flux, _inflow_value or _balance, found {}",
                                       quoted(name)));
    if (std::ranges::find(taken, name) != taken.end())
        scalars.fail(name, fmt::format("{} is taken by the flow itself", quoted(name)));
}

const Keys<ScalarSettings>& declared_keys() {
    static const auto keys =
        Keys<ScalarSettings>()
            .key("diffusivity", &ScalarSettings::diffusivity, value::not_negative_formula(),
                 "required", "D [m²/s], of x, y, z, t; positive or 0")
            .key("initial", &ScalarSettings::initial, value::formula(), "`0`",
                 "value at t = 0, of x, y, z")
            .key("source", &ScalarSettings::source, value::formula(), "`0`",
                 "source in the volume, per second, of x, y, z, t")
            .key("expansion", &ScalarSettings::expansion, value::quantity(), "`0`",
                 "relative decrease of the density per unit of the scalar")
            .key("reference", &ScalarSettings::reference, value::quantity(), "`0`",
                 "the value without buoyancy: of the fluid outside, where there are openings")
            .key("convection", &ScalarSettings::convection, value::choice(convections_of_scalars()),
                 "`\"bounded\"`",
                 described_convections_of_scalars() + ". Only the first guarantees the range");
    return keys;
}

ScalarSettings read_scalar(const TableReader& table, const std::string& name) {
    declared_keys().allow(table);
    ScalarSettings scalar = declared_keys().read(table);
    scalar.name = name;
    scalar.has_reference = table.has("reference");
    scalar.place = table.place();
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

std::vector<Key> scalar_settings_keys() { return declared_keys().declared(); }

std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars) {
    std::vector<std::string> keys;
    for (const ScalarSettings& scalar : scalars) {
        for (const std::string& key : {scalar.name, inflow_key(scalar.name), flux_key(scalar.name)})
            keys.push_back(key);
    }
    return keys;
}

std::map<std::string, ScalarCondition> read_scalar_conditions(
    const TableReader& boundary, const std::vector<ScalarSettings>& scalars, bool lets_through) {
    std::map<std::string, ScalarCondition> conditions;
    for (const ScalarSettings& scalar : scalars) {
        const std::string &value = scalar.name, inflow = inflow_key(value), flux = flux_key(value);
        std::vector<std::string> given;
        for (const std::string& key : {value, inflow, flux})
            if (boundary.has(key)) given.push_back(key);
        if (given.size() > 1)
            boundary.fail(given.back(), fmt::format("excludes {}: give one of {}, {} and {}",
                                                    quoted(given.front()), value, inflow, flux));
        if (given.empty()) continue;
        if (given.front() == inflow && !lets_through)
            boundary.fail(inflow, fmt::format("is of fluid that enters, and none does through a "
                                              "boundary of this type: give {} or {}, or leave it "
                                              "out where nothing diffuses through",
                                              value, flux));
        conditions[value] = {given.front() != flux, boundary.formula(given.front()),
                             given.front() == inflow};
    }
    return conditions;
}

}  // namespace solenoid

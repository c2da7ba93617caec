#include "case/control_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "case/document/toml_document.hpp"
#include "case/named.hpp"
#include "case/physics.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"

namespace solenoid {
namespace {

const Keys<ControlRequest>& request_keys() {
    static const auto keys =
        Keys<ControlRequest>()
            .key("write", &ControlRequest::write, value::flag(), "`false`",
                 "write the present state, as at a time of output")
            .key("checkpoint", &ControlRequest::checkpoint, value::flag(), "`false`",
                 "write a checkpoint")
            .key("stop", &ControlRequest::stop, value::flag(), "`false`",
                 "stop now, able to continue: exit code 3")
            .key("stop_at_step", &ControlRequest::stop_at_step,
                 value::optional(value::count(1, most_steps)), "none",
                 "stop after this step, counted from the start")
            .key("stop_at_time", &ControlRequest::stop_at_time, value::optional(value::positive()),
                 "none", "stop at this time [s]; a step ends there");
    return keys;
}

// A value as TOML has it, in one line, from which the same bits are read.
std::string written(const toml::node& node) {
    if (const auto* number = node.as_floating_point()) {
        const std::string text = fmt::format("{}", number->get());
        return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    std::ostringstream text;
    if (const auto* string = node.as_string()) text << *string;
    return text.str();
}

// The steerable keys of a case, by full name.
std::vector<std::string> steerable(const std::vector<KeyTable>& tables) {
    std::vector<std::string> names;
    for (const KeyTable& table : tables)
        for (const Key& key : table.keys)
            if (key.is_steerable)
                names.push_back(
                    fmt::format("{}.{}", table.title.substr(1, table.title.size() - 2), key.name));
    return names;
}

// The tables of the case's physics.
std::vector<KeyTable> tables_of(const CaseSettings& settings, const PhysicsList& physics) {
    std::vector<KeyTable> tables = key_tables(physics);
    std::erase_if(tables, [&](const KeyTable& table) {
        return !table.physics.empty() && table.physics != settings.physics->name();
    });
    return tables;
}

// Moves the values of one table of the request into the case.
void take_table(const TableReader& given, toml::table& values, const KeyTable& declared,
                const std::vector<KeyTable>& tables, toml::table& document,
                ControlRequest& request) {
    const std::string name = declared.title.substr(1, declared.title.size() - 2);
    given.allow(names_of(declared.keys));
    for (const std::string& key : given.keys()) {
        const auto found = std::ranges::find(declared.keys, key, &Key::name);
        if (!found->is_steerable)
            given.fail(key, fmt::format("cannot change while the case runs; these can: {}",
                                        joined_words(steerable(tables), ", ")));
        for (const std::string& other : found->excludes) {
            if (given.has(other)) given.fail(key, fmt::format("and \"{}\": give one", other));
            if (document[name][other] &&
                !std::ranges::find(declared.keys, other, &Key::name)->is_steerable)
                given.fail(key, fmt::format("goes not together with {} of the case, which cannot "
                                            "change while it runs",
                                            other));
        }
        toml::node& value = *values.get(key);
        if (!value.is_value()) given.fail(key, "must be a plain value");
        request.changes.push_back(fmt::format("{}.{}={}", name, key, written(value)));
        set_value(document, {name, key}, std::move(value), given.place(key), tables);
    }
}

}  // namespace

bool ControlRequest::is_empty() const {
    return !write && !checkpoint && !stop && !stop_at_step && !stop_at_time && changes.empty();
}

const std::vector<Key>& control_keys() { return request_keys().declared(); }

ControlRequest read_control(const std::string& text, const std::string& place,
                            const CaseText& of_run, const std::vector<std::string>& overrides,
                            const PhysicsList& physics) {
    toml::table asked = parse_toml(text, place);
    CaseSettings settings = read_case(of_run, physics, overrides);
    const std::vector<KeyTable> tables = tables_of(settings, physics);

    // Requests, then the tables of keys that change: `checkpoint` may be either.
    toml::table requests, changes;
    std::vector<std::string> known = names_of(control_keys());
    for (const std::string& key : steerable(tables))
        if (const std::string table = key.substr(0, key.find('.')); !contains(known, table))
            known.push_back(table);
    TableReader(asked, "", place).allow(known);
    for (auto&& [key, value] : asked) {
        const std::string name(key.str());
        const bool is_request = contains(names_of(control_keys()), name) && !value.is_table();
        toml::table& part = is_request ? requests : changes;
        part.insert_or_assign(name, std::move(value));
    }
    ControlRequest request = request_keys().read(TableReader(requests, "", place));

    toml::table document = document_of(of_run, physics, overrides);
    const TableReader reader(changes, "", place);
    for (const std::string& name : reader.keys())
        for (const KeyTable& declared : tables)
            if (declared.title == '[' + name + ']') {
                const TableReader given = reader.table(name);  // refuses what is no table
                take_table(given, *changes.get_as<toml::table>(name), declared, tables, document,
                           request);
            }
    request.settings =
        request.changes.empty() ? std::move(settings) : settings_in(document, of_run.file, physics);
    if (request.is_empty())
        throw InputError(place, fmt::format("asks for nothing: give {}, or a table with one of {}",
                                            joined_words(names_of(control_keys()), ", "),
                                            joined_words(steerable(tables), ", ")));
    return request;
}

}  // namespace solenoid

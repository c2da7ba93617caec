// Reading of [[trigger]].
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/quote.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {
namespace {

const std::vector<std::string> conditions{"above", "below", "steady", "diverges"};

ValueReader<double> part() {
    return {"number", [](const TableReader& table, const std::string& key) {
                const double value = table.number(key);
                if (!(value > 0 && value < 1))
                    table.fail(key, fmt::format("must be between 0 and 1, found {}", value));
                return value;
            }};
}

ValueReader<double> factor() {
    return {"number", [](const TableReader& table, const std::string& key) {
                const double value = table.quantity(key);
                if (!(value > 1)) table.fail(key, fmt::format("must exceed 1, found {}", value));
                return value;
            }};
}

const Keys<TriggerSettings>& keys_of_trigger() {
    static const auto keys =
        Keys<TriggerSettings>()
            .key("name", &TriggerSettings::name, value::text(), "none",
                 "name by which `trigger` of `[output]`, a `[[monitor]]` or a `[[picture]]` names "
                 "it")
            .key("monitor", &TriggerSettings::monitor, value::text(), "required",
                 "name of a `[[monitor]]`, or of a table that every run of the physics writes, "
                 "such as `boundaries`, `flow`, `wave`; not of a line")
            .key("column", &TriggerSettings::column, value::text(), "required",
                 "the column of its table that is watched")
            .key("above", &TriggerSettings::above, value::optional(value::quantity()), "none",
                 "acts when the value passes this one upwards, or begins beyond it")
            .key("below", &TriggerSettings::below, value::optional(value::quantity()), "none",
                 "acts when the value passes this one downwards, or begins beyond it")
            .key("steady", &TriggerSettings::steady, value::optional(part()), "none",
                 "acts when the values of a `window` lie within this part of the largest of them, "
                 "by magnitude; between 0 and 1")
            .key("diverges", &TriggerSettings::diverges, value::optional(factor()), "none",
                 "acts when the value exceeds this many times the largest magnitude of the first "
                 "`window`; above 1")
            .key("window", &TriggerSettings::window, value::positive(),
                 "required with `steady` and `diverges`", "time over which values count [s]")
            .key("from", &TriggerSettings::from, value::not_negative(), "`0`",
                 "values before this time do not count [s]")
            .key("action", &TriggerSettings::action,
                 value::choice({"write", "checkpoint", "stop", "none"}),
                 "`\"none\"` with a `name`, else required",
                 "`\"write\"`: write the state; `\"checkpoint\"`: write a checkpoint; `\"stop\"`: "
                 "end "
                 "the run, which is then done; with `diverges` it has failed")
            .one_of(conditions);
    return keys;
}

// The tables of the run that get a row from time to time.
std::vector<std::string> tables_in_time(const CaseSettings& settings) {
    std::vector<std::string> names;
    for (const MonitorSettings& monitor : settings.monitors)
        if (monitor.type != "line") names.push_back(monitor.name);
    for (const auto& [file, content] : settings.physics->monitor_files(settings))
        names.push_back(file);
    return names;
}

void check_monitor(const TableReader& table, const TriggerSettings& trigger,
                   const CaseSettings& settings) {
    const std::vector<std::string> names = tables_in_time(settings);
    if (contains(names, trigger.monitor)) return;
    const bool is_line = std::ranges::any_of(
        settings.monitors,
        [&](const MonitorSettings& monitor) { return monitor.name == trigger.monitor; });
    if (is_line)
        table.fail("monitor", fmt::format("{} is a line, whose table has no times: take a "
                                          "monitor of another type",
                                          quoted(trigger.monitor)));
    const std::string near = nearest_name(trigger.monitor, names);
    table.fail("monitor",
               fmt::format("there is no {}{} the case has: {}", quoted(trigger.monitor),
                           near.empty() ? ";" : fmt::format("; did you mean \"{}\"?", near),
                           enumerated(names)));
}

}  // namespace

const std::vector<Key>& trigger_keys() { return keys_of_trigger().declared(); }

TriggerSettings read_trigger(const TableReader& table, const CaseSettings& settings) {
    keys_of_trigger().allow(table);
    if (settings.time.steady)
        throw InputError(table.place(),
                         "[[trigger]] belongs to a case with [time]: a steady one has no steps");
    TriggerSettings trigger = keys_of_trigger().read(table);
    trigger.place = table.place();
    if (trigger.name.empty())
        table.require("action");
    else
        check_unique(settings.triggers, trigger.name, table);
    if (std::ranges::none_of(conditions, [&](const auto& key) { return table.has(key); }))
        throw InputError(table.place(), fmt::format("[[trigger]] needs one of {}",
                                                    joined_words(conditions, ", ")));
    if (trigger.steady || trigger.diverges) {
        table.require("window");
        check_is_felt(table, "window", trigger.window, settings);
    } else {
        table.refuse("window", "belongs to steady or diverges");
    }
    check_monitor(table, trigger, settings);
    return trigger;
}

void check_triggers(const CaseSettings& settings) {
    std::vector<std::string> names;
    for (const TriggerSettings& trigger : settings.triggers)
        if (!trigger.name.empty()) names.push_back(trigger.name);
    const auto check = [&](const WhenSettings& when, const std::string& place) {
        if (when.trigger.empty() || contains(names, when.trigger)) return;
        const std::string near = nearest_name(when.trigger, names);
        throw InputError(
            place, fmt::format("trigger: no [[trigger]] has the name {}{}{}", quoted(when.trigger),
                               near.empty() ? ";" : fmt::format("; did you mean \"{}\"?", near),
                               names.empty() ? " add name = \"...\" to one"
                                             : " there are: " + enumerated(names)));
    };
    check(settings.output, settings.place + ": [output]");
    for (const MonitorSettings& monitor : settings.monitors) check(monitor.when, monitor.place);
    for (const PictureSettings& picture : settings.pictures) check(picture.when, picture.place);
}

}  // namespace solenoid

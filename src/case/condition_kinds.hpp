// The kinds of boundary conditions of one physics: the values of `type` in its [boundary.NAME]
// tables, each with its own keys.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "case/keys.hpp"
#include "core/joined_words.hpp"

namespace solenoid {

// Context: properties of the case that a condition depends on.
template <class Condition, class Context>
struct ConditionKind {
    std::string name;       // value of `type`
    std::vector<Key> keys;  // beside `type` and the keys of all kinds
    std::string help;       // row of docs/case-file.md, in Markdown
    std::string summary;    // line of a starter case; {} stands for a vector
    // Throws InputError where the table does not fit the kind or the context.
    std::function<std::shared_ptr<const Condition>(const TableReader&, const Context&)> read;
};

// A kind for messages and docs.
struct ConditionSummary {
    std::string name;
    std::vector<Key> keys;
    std::string help;
};

template <class Kind>
std::vector<ConditionSummary> summaries_of(const std::vector<Kind>& kinds) {
    std::vector<ConditionSummary> summaries;
    for (const Kind& kind : kinds) summaries.push_back({kind.name, kind.keys, kind.help});
    return summaries;
}

template <class Kind>
std::vector<std::string> names_of(const std::vector<Kind>& kinds) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds) names.push_back(kind.name);
    return names;
}

template <class Kind>
const Kind& kind_of(const std::vector<Kind>& kinds, const std::string& name) {
    const auto found = std::ranges::find(kinds, name, &Kind::name);
    if (found == kinds.end()) throw std::logic_error("no kind \"" + name + '"');
    return *found;
}

// The names of the kinds with a key.
template <class Kind>
std::vector<std::string> takers_of(const std::vector<Kind>& kinds, const std::string& key) {
    std::vector<std::string> takers;
    for (const Kind& kind : kinds)
        if (std::ranges::find(kind.keys, key, &Key::name) != kind.keys.end())
            takers.push_back(kind.name);
    return takers;
}

// The keys of all kinds, each once.
template <class Kind>
std::vector<std::string> keys_of(const std::vector<Kind>& kinds) {
    std::vector<std::string> keys;
    for (const Kind& kind : kinds)
        for (const Key& key : kind.keys)
            if (std::ranges::find(keys, key.name) == keys.end()) keys.push_back(key.name);
    return keys;
}

// The row of a kind in docs/case-file.md.
template <class Kind>
std::string documented(const Kind& kind) {
    std::string keys;
    for (const Key& key : kind.keys) keys += (keys.empty() ? "" : "; ") + documented(key);
    return fmt::format("| `\"{}\"` | {} | {} |", kind.name, keys.empty() ? "none" : keys,
                       kind.help);
}

// Throws InputError where the table has a key that only other kinds have.
template <class Kind>
void refuse_keys_of_others(const TableReader& table, const std::vector<Kind>& kinds,
                           const Kind& kind) {
    for (const std::string& key : keys_of(kinds))
        if (table.has(key) && std::ranges::find(kind.keys, key, &Key::name) == kind.keys.end())
            table.fail(key,
                       fmt::format("belongs to the type {}, not to \"{}\"{}",
                                   listed(takers_of(kinds, key)), kind.name,
                                   kind.keys.empty()
                                       ? ", which takes no other key"
                                       : fmt::format(", which takes {}",
                                                     joined_words(names_of(kind.keys), " and "))));
}

}  // namespace solenoid

// Conditions of a kind as a case file's table gives them.
#pragma once

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "case/condition_kinds.hpp"
#include "core/error.hpp"

namespace solenoid::test {

// Of the table [boundary.side] with `keys`, TOML's text without `type`. Throws InputError.
template <class Kind, class Context>
auto condition_of(const std::vector<Kind>& kinds, const std::string& type, const std::string& keys,
                  const Context& context) {
    const toml::table table = toml::parse(keys);
    return kind_of(kinds, type).read(TableReader(table, "[boundary.side]", "case.toml"), context);
}

// A table with what the kind requires.
template <class Kind>
toml::table least_of(const Kind& kind) {
    toml::table table;
    for (const solenoid::Key& key : kind.keys) {
        if (!key.is_required()) continue;
        if (key.type == "vector" || key.type == "point")
            table.insert(key.name, toml::array{1.0, 2.0});
        else
            table.insert(key.name, 3.0);
    }
    return table;
}

// Expects InputError of the case file, with all of the words.
template <class Action>
void expect_input_error(const Action& action, const std::vector<std::string>& words) {
    try {
        action();
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
                << '"' << word << "\" is not in: " << error.what();
    }
}

}  // namespace solenoid::test

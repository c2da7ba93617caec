// Keys and kinds of boundary conditions stand in the docs as they are declared.
#include <gtest/gtest.h>

#include "app/physics.hpp"
#include "boussinesq/conditions/boussinesq_condition.hpp"
#include "flow/conditions/flow_conditions.hpp"
#include "heat/conditions/heat_condition.hpp"
#include "poisson/conditions/poisson_condition.hpp"
#include "support/docs.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid::case_keys_test {
namespace {

using test::lines_of;
using test::squeezed;

template <class Kind>
void expect_documented(const std::vector<Kind>& kinds) {
    const std::set<std::string> lines = lines_of("docs/case-file.md");
    std::set<std::string> names;
    for (const Kind& kind : kinds) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is declared twice";
        EXPECT_FALSE(kind.summary.empty()) << kind.name;
        EXPECT_TRUE(lines.count(documented(kind))) << "docs/case-file.md lacks this row:\n"
                                                   << documented(kind);
    }
}

TEST(Keys, OfEveryTableStandInTheDocs) {
    std::set<std::string> lines;
    for (const std::string& line : lines_of("docs/case-file.md")) lines.insert(squeezed(line));
    for (const KeyTable& table : key_tables(all_physics())) {
        EXPECT_FALSE(table.keys.empty()) << table.title;
        for (const Key& key : table.keys) {
            const std::string row = "| `" + key.name + "` | " + key.type + " | " + key.fallback +
                                    " | " + key.help + " |";
            EXPECT_TRUE(lines.count(squeezed(row)))
                << "docs/case-file.md lacks this row of " << table.title << ":\n"
                << row;
        }
    }
}

// A help is read alone, in `solenoid keys`: it says what the key is.
void expect_a_noun(const std::vector<Key>& keys, const std::string& where) {
    for (const Key& key : keys)
        for (const char* begin : {"of ", "by ", "[", "likewise", "none before", "more are"})
            EXPECT_FALSE(key.help.starts_with(begin))
                << where << ' ' << key.name << ": " << key.help;
}

TEST(Keys, SayWhatTheyAre) {
    for (const KeyTable& table : key_tables(all_physics())) expect_a_noun(table.keys, table.title);
    for (const Physics* physics : all_physics())
        for (const ConditionSummary& condition : physics->conditions())
            expect_a_noun(condition.keys, physics->name() + ' ' + condition.name);
}

TEST(ConditionKinds, StandInTheDocs) {
    expect_documented(flow_condition_kinds());
    expect_documented(heat_condition_kinds());
    expect_documented(wave_condition_kinds());
    expect_documented(poisson_condition_kinds());
    expect_documented(boussinesq_condition_kinds());
}

}  // namespace
}  // namespace solenoid::case_keys_test

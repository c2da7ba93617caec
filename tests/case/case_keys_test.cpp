// Keys and kinds of boundary conditions are declared once: complete, documented, and told apart.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <fstream>
#include <set>
#include <sstream>

#include "app/physics.hpp"
#include "boussinesq/conditions/boussinesq_condition.hpp"
#include "case/control_request.hpp"
#include "core/error.hpp"
#include "flow/conditions/flow_conditions.hpp"
#include "flow/settings/flow_case.hpp"
#include "heat/case/heat_settings.hpp"
#include "poisson/conditions/poisson_condition.hpp"
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {
namespace {

struct Two {
    double a = 1;
    bool b = false;
};

TEST(Keys, AreReadByTheirDeclaration) {
    const auto keys = Keys<Two>()
                          .key("a", &Two::a, value::positive(), "required", "of a [m]")
                          .key("b", &Two::b, value::flag(), "false", "whether");
    EXPECT_EQ(names_of(keys.declared()), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(documented(keys.declared()[0]), "`a`, number, required: of a [m]");
    EXPECT_EQ(documented(keys.declared()[1]), "`b`, flag, false if absent: whether");
    const toml::table both{{"a", 2.0}, {"b", true}}, none{}, wrong{{"a", -2.0}};
    EXPECT_EQ(keys.read(TableReader(both, "[t]", "here")).a, 2);
    EXPECT_TRUE(keys.read(TableReader(both, "[t]", "here")).b);
    EXPECT_THROW(keys.read(TableReader(none, "[t]", "here")), InputError);
    EXPECT_THROW(keys.read(TableReader(wrong, "[t]", "here")), InputError);
}

TEST(Keys, AreDeclaredWhole) {
    EXPECT_THROW(Keys<Two>().key("a", &Two::a, value::quantity(), "1", ""), std::logic_error);
    EXPECT_THROW(Keys<Two>().key("a", &Two::a, value::quantity(), "", "of a"), std::logic_error);
    EXPECT_THROW(Keys<Two>().key("", &Two::a, value::quantity(), "1", "of a"), std::logic_error);
}

TEST(Keys, ThatExcludeOneAnotherAreDeclaredSo) {
    const auto keys = Keys<Two>()
                          .key("a", &Two::a, value::positive(), "1", "of a [m]")
                          .key("b", &Two::b, value::flag(), "false", "whether")
                          .one_of({"a", "b"});
    EXPECT_EQ(keys.declared()[0].excludes, std::vector<std::string>{"b"});
    const toml::table both{{"a", 2.0}, {"b", true}}, one{{"a", 2.0}};
    EXPECT_THROW(keys.allow(TableReader(both, "[t]", "here")), InputError);
    EXPECT_NO_THROW(keys.allow(TableReader(one, "[t]", "here")));
}

std::set<std::string> lines_of(const std::string& file) {
    std::ifstream in(std::string(SOLENOID_SOURCE_DIR) + "/" + file);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
}

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

// The cells of a row without what aligns them.
std::string squeezed(const std::string& line) {
    std::string result;
    for (const char c : line)
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
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

TEST(Keys, OfRequestsStandInTheDocs) {
    std::set<std::string> lines;
    for (const std::string& line : lines_of("docs/steering.md")) lines.insert(squeezed(line));
    for (const Key& key : control_keys()) {
        const std::string row =
            "| `" + key.name + "` | " + key.type + " | " + key.fallback + " | " + key.help + " |";
        EXPECT_TRUE(lines.count(squeezed(row))) << "docs/steering.md lacks this row:\n" << row;
    }
}

TEST(ConditionKinds, StandInTheDocs) {
    expect_documented(flow_condition_kinds());
    expect_documented(heat_condition_kinds());
    expect_documented(wave_condition_kinds());
    expect_documented(poisson_condition_kinds());
    expect_documented(boussinesq_condition_kinds());
}

// A table with what the kind requires.
template <class Kind>
toml::table least_of(const Kind& kind) {
    toml::table table;
    for (const Key& key : kind.keys) {
        if (!key.is_required()) continue;
        if (key.type == "vector" || key.type == "point")
            table.insert(key.name, toml::array{1.0, 2.0});
        else
            table.insert(key.name, 3.0);
    }
    return table;
}

// What a discretization can be asked to do: no kind contradicts itself.
TEST(ConditionKinds, OfAFlowAreConsistent) {
    for (const FlowConditionKind& kind : flow_condition_kinds()) {
        const toml::table table = least_of(kind);
        const auto condition = kind.read(TableReader(table, "[boundary.side]", "test"), {});
        const FlowCondition& c = *condition;
        EXPECT_EQ(c.is_open() + c.slips() + c.holds(), 1) << kind.name;
        EXPECT_EQ(c.given(), kind.given) << kind.name;
        EXPECT_TRUE(!c.is_open() || c.lets_through()) << kind.name;
        EXPECT_FALSE(c.slips() && c.lets_through()) << kind.name;
        EXPECT_TRUE(!c.drives() || c.is_open()) << kind.name;
        EXPECT_TRUE(c.holds() || c.velocity()[0](Vec3(0)) == 0) << kind.name;
    }
}

TEST(ConditionKinds, OfHeatAreConsistent) {
    for (const HeatConditionKind& kind : heat_condition_kinds()) {
        const toml::table table = least_of(kind);
        const auto condition = kind.read(TableReader(table, "[boundary.side]", "test"), {});
        const HeatCondition& c = *condition;
        EXPECT_LE((c.temperature() != nullptr) + (c.flux() != nullptr) + (c.exchange() != nullptr) +
                      (c.resistance() != nullptr),
                  1)
            << kind.name;
        EXPECT_EQ(c.lets_heat_pass() || c.resistance(), !kind.keys.empty()) << kind.name;
    }
}

}  // namespace
}  // namespace solenoid

// Keys are declared once: read, documented, and told apart by their declaration.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "case/control_request.hpp"
#include "case/keys.hpp"
#include "core/error.hpp"
#include "support/docs.hpp"

namespace solenoid::keys_test {
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

TEST(Keys, OfRequestsStandInTheDocs) {
    std::set<std::string> lines;
    for (const std::string& line : test::lines_of("docs/steering.md"))
        lines.insert(test::squeezed(line));
    for (const Key& key : control_keys()) {
        const std::string row =
            "| `" + key.name + "` | " + key.type + " | " + key.fallback + " | " + key.help + " |";
        EXPECT_TRUE(lines.count(test::squeezed(row))) << "docs/steering.md lacks this row:\n"
                                                      << row;
    }
}

}  // namespace
}  // namespace solenoid::keys_test

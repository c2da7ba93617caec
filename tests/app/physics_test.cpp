// Every physics is registered whole: with what reads, checks and documents its cases.
#include "app/physics.hpp"

#include <gtest/gtest.h>

#include <set>

namespace solenoid {
namespace {

TEST(AllPhysics, AreRegisteredWhole) {
    std::set<std::string> names, fields, tables;
    for (const Physics* p : all_physics()) {
        EXPECT_TRUE(names.insert(p->name()).second) << p->name();
        EXPECT_FALSE(p->summary().empty()) << p->name();
        EXPECT_FALSE(p->conditions().empty()) << p->name();
        EXPECT_FALSE(p->picture_fields().empty()) << p->name();
        for (const std::string& table : p->tables())
            EXPECT_TRUE(tables.insert(table).second) << table << " is a table of two physics";
        for (const KeyTable& table : p->key_tables())
            EXPECT_EQ(table.physics, p->name()) << table.title;
    }
}

TEST(AllPhysics, DeclareTheirMonitorsWhole) {
    for (const Physics* p : all_physics()) {
        std::set<std::string> kinds;
        for (const MonitorKind& kind : monitor_kinds_of(*p)) {
            EXPECT_TRUE(kinds.insert(kind.name).second)
                << kind.name << " of " << p->name() << " is declared twice";
            EXPECT_FALSE(kind.help.empty()) << kind.name;
            EXPECT_TRUE(kind.read && kind.check && kind.is_offered) << kind.name;
        }
        EXPECT_TRUE(kinds.contains("line") && kinds.contains("point")) << p->name();
    }
}

TEST(AllPhysics, RefuseAnUnknownName) {
    EXPECT_THROW(physics_named(all_physics(), "magnetism"), std::logic_error);
}

}  // namespace
}  // namespace solenoid

// Every physics is registered whole: with what reads, checks and documents its cases, and with what runs it.
#include <gtest/gtest.h>

#include <set>

#include "app/physics_runs.hpp"
#include "case/physics.hpp"

namespace solenoid {
namespace {

TEST(AllPhysics, AreRegisteredWhole) {
    std::set<std::string> names;
    for (const Physics& p : all_physics()) {
        EXPECT_TRUE(names.insert(p.name).second) << p.name;
        EXPECT_FALSE(p.summary.empty()) << p.name;
        EXPECT_TRUE(p.read && p.check && p.picture_fields && p.monitor_types && p.monitor_files && p.solvers) << p.name;
        EXPECT_FALSE(p.picture_fields({}).empty()) << p.name;
        EXPECT_FALSE(p.conditions().empty()) << p.name;
        for (const KeyTable& table : p.key_tables()) EXPECT_EQ(table.physics, p.name) << table.title;
        const PhysicsRun& run = physics_run(p.name);
        EXPECT_TRUE(run.single_precision && run.double_precision && run.starter) << p.name;
    }
    EXPECT_EQ(physics_runs().size(), all_physics().size());
}

TEST(AllPhysics, RefuseAnUnknownName) { EXPECT_THROW(physics_named("magnetism"), std::logic_error); }

}  // namespace
}  // namespace solenoid

// Every physics is registered whole: with what reads, checks and documents its cases.
#include "app/physics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>

namespace solenoid::physics_test {
namespace {

TEST(AllPhysics, AreRegisteredWhole) {
    std::set<std::string> names, fields, tables;
    for (const Physics* p : all_physics()) {
        EXPECT_TRUE(names.insert(p->name()).second) << p->name();
        EXPECT_FALSE(p->summary().empty()) << p->name();
        EXPECT_FALSE(p->conditions().empty()) << p->name();
        for (const std::string& table : p->tables())
            EXPECT_TRUE(tables.insert(table).second) << table << " is a table of two physics";
        for (const KeyTable& table : p->key_tables())
            EXPECT_EQ(table.physics, p->name()) << table.title;
    }
}

TEST(AllPhysics, DeclareTheirMonitorsWhole) {
    for (const Physics* p : all_physics()) {
        std::set<std::string> kinds;
        for (const MonitorKind& kind : p->monitor_kinds()) {
            EXPECT_TRUE(kinds.insert(kind.name).second)
                << kind.name << " of " << p->name() << " is declared twice";
            EXPECT_FALSE(kind.help.empty()) << kind.name;
            EXPECT_TRUE(kind.read && kind.check && kind.make && kind.is_offered) << kind.name;
        }
        EXPECT_TRUE(kinds.contains("line") && kinds.contains("point")) << p->name();
    }
}

TEST(AllPhysics, DeclareTheirQuantitiesWhole) {
    for (const Physics* p : all_physics())
        for (const int dimension : {0, 2, 3}) {
            std::set<std::pair<QuantityInfo::Of, std::string>> names;
            bool is_drawn = false, is_written = false, is_in_tables = false;
            for (const QuantityInfo& q : p->quantities(nullptr, dimension)) {
                EXPECT_TRUE(names.insert({q.of, q.name}).second) << q.name << " is declared twice";
                EXPECT_FALSE(q.unit.empty()) << q.name;
                EXPECT_FALSE(q.help.empty()) << q.name;
                EXPECT_TRUE(q.table_columns.empty() ||
                            q.table_columns.size() == std::size_t(q.columns))
                    << q.name;
                is_drawn |= q.is_drawn;
                is_written |= q.in_files;
                is_in_tables |= q.of == QuantityInfo::Of::nodes && !q.table_columns.empty();
            }
            EXPECT_TRUE(is_drawn && is_written && is_in_tables) << p->name();
        }
}

// The row of docs/output.md.
std::string documented(const QuantityInfo& q, const std::string& physics) {
    constexpr std::array on{"nodes", "cells", "boundaries", "number"};
    std::vector<std::string> where;
    if (q.in_files) where.emplace_back("files");
    if (q.is_drawn) where.emplace_back("pictures");
    if (!q.table_columns.empty())
        where.push_back(fmt::format("tables: `{}`", fmt::join(q.table_columns, "`, `")));
    return fmt::format("| `{}` | {} | {} | [{}] | {} | {} |", q.name, physics, on[int(q.of)],
                       q.unit, fmt::join(where, ", "), q.help);
}

TEST(AllPhysics, HaveTheirQuantitiesInTheDocs) {
    std::ifstream file(SOLENOID_SOURCE_DIR "/docs/output.md");
    std::set<std::string> rows;
    for (std::string line; std::getline(file, line);) rows.insert(line);
    for (const Physics* p : all_physics())
        for (const QuantityInfo& q : p->quantities(nullptr, 0)) {
            const std::string row = documented(q, p->name());
            EXPECT_TRUE(rows.contains(row)) << "docs/output.md lacks\n" << row;
        }
}

TEST(AllPhysics, RefuseAnUnknownName) {
    EXPECT_THROW(physics_named(all_physics(), "magnetism"), std::logic_error);
}

}  // namespace
}  // namespace solenoid::physics_test

#include "solvers/choice/preconditioner_kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace solenoid::preconditioner_kinds_test {
namespace {

using Part = PreconditionerPart;

Part part_at(const std::string& name, double diffusion_number) {
    return preconditioner_kind(name).part([&] { return diffusion_number; });
}

TEST(PreconditionerKinds, AreMadeOfWhatTheirNamesSay) {
    for (const double number : {0.0, 1.0, 1e9}) {
        EXPECT_EQ(part_at("none", number), Part::identity);
        EXPECT_EQ(part_at("jacobi", number), Part::diagonal);
        EXPECT_EQ(part_at("multigrid", number), Part::multigrid);
    }
    EXPECT_EQ(part_at("automatic", 100), Part::diagonal);
    EXPECT_EQ(part_at("automatic", 100.1), Part::multigrid);
}

// A sum over the ranks stands behind the number.
TEST(PreconditionerKinds, AskForTheDiffusionNumberOnlyWhereItDecides) {
    for (const PreconditionerKind& kind : preconditioner_kinds()) {
        int asked = 0;
        kind.part([&] { return ++asked; });
        EXPECT_EQ(asked, kind.name == "automatic" ? 1 : 0) << kind.name;
    }
}

TEST(PreconditionerKinds, AreMultigridWithoutAShiftWhereTheyMayBe) {
    for (const PreconditionerKind& kind : preconditioner_kinds())
        EXPECT_EQ(kind.part_without_shift() == Part::multigrid, kind.may_be_multigrid())
            << kind.name;
    EXPECT_EQ(preconditioner_kind("none").part_without_shift(), Part::identity);
}

TEST(PreconditionerKinds, HaveNamesOfTheirOwnHelpAndDocs) {
    std::ifstream file(SOLENOID_SOURCE_DIR "/docs/case-file.md");
    std::stringstream docs;
    docs << file.rdbuf();
    std::set<std::string> names;
    for (const PreconditionerKind& kind : preconditioner_kinds()) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_FALSE(kind.help.empty()) << kind.name;
        EXPECT_NE(docs.str().find("`\"" + kind.name + "\"`"), std::string::npos) << kind.name;
    }
    EXPECT_EQ(preconditioner_names().size(), names.size());
    EXPECT_EQ(PreconditionerSettings().kind->name, "automatic");
    EXPECT_THROW(preconditioner_kind("ilu"), std::logic_error);
}

}  // namespace
}  // namespace solenoid::preconditioner_kinds_test

// Quantities are computed when they are first asked for, and once a state.
#include "run/quantities.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace solenoid::quantities_test {
namespace {

using Of = QuantityInfo::Of;

// A temperature at two nodes that counts its computations, twice of it, and what nobody asks for.
struct TableOfQuantities : testing::Test {
    Quantities all;
    double state = 1;
    int computations = 0, needless = 0;

    void SetUp() override {
        all.add({.name = "T", .unit = "K", .help = "-", .in_files = true, .table_columns = {"T"}},
                [this] {
                    ++computations;
                    return std::vector{state, 3 * state};
                });
        all.add({.name = "2T", .unit = "K", .help = "-", .in_files = true}, [this] {
            std::vector<double> values = all.values("T");
            for (double& v : values) v *= 2;
            return values;
        });
        all.add({.name = "T", .of = Of::cells, .unit = "K", .help = "-"}, [this] {
            ++needless;
            return std::vector{state};
        });
    }
};

TEST_F(TableOfQuantities, AreComputedOnceAStateHoweverManyAsk) {
    EXPECT_EQ(computations, 0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(all.values("T"), (std::vector{1.0, 3.0}));
    EXPECT_EQ(all.values("2T"), (std::vector{2.0, 6.0}));
    const auto fields = all.in_files(Of::nodes);
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[1](1), 6);
    EXPECT_EQ(all.in_tables({}).size(), 1u);
    EXPECT_EQ(all.drawn("T")[1], 3);
    EXPECT_EQ(computations, 1);
    EXPECT_EQ(all.times_computed("T"), 1);
    state = 5;
    EXPECT_EQ(all.values("T")[0], 1) << "the state has not been said to change";
    all.state_changed();
    EXPECT_EQ(all.values("2T"), (std::vector{10.0, 30.0}));
    EXPECT_EQ(computations, 2);
    EXPECT_EQ(needless, 0) << "nobody asked for the cells";
}

TEST_F(TableOfQuantities, AreKnownByNameAndEntity) {
    EXPECT_EQ(all.values("T", Of::cells), std::vector{1.0});
    EXPECT_TRUE(all.has("T") && all.has("T", Of::cells) && !all.has("T", Of::boundaries));
    EXPECT_THROW(all.values("p"), std::logic_error);
    EXPECT_THROW(all.add({.name = "T", .unit = "K", .help = "-"}, [] { return std::vector{0.0}; }),
                 std::logic_error);
    EXPECT_FALSE(all.is_asked("T"));
    all.ask("T");
    EXPECT_TRUE(all.is_asked("T"));
    EXPECT_FALSE(all.is_asked("T", Of::cells));
}

TEST_F(TableOfQuantities, AreNotComputedForAPointOutside) {
    Quantities::Point outside{.is_outside = true};
    const auto columns = all.in_tables({}, &outside);
    ASSERT_EQ(columns.size(), 1u);
    EXPECT_EQ(columns[0].name, "T");
    EXPECT_TRUE(columns[0].at_point.has_value());
    EXPECT_EQ(all.times_computed("T"), 0);
}

TEST_F(TableOfQuantities, OfVectorsGiveColumnsInOrderOfPlaceAndAreDrawnByLength) {
    all.add({.name = "u",
             .columns = 2,
             .unit = "m/s",
             .help = "-",
             .is_drawn = true,
             .table_columns = {"u", "v"},
             .place = -1},
            [] {
                return std::vector{3.0, 0.0, 4.0, 1.0};
            });
    const auto columns = all.in_tables({});
    ASSERT_EQ(columns.size(), 3u);
    EXPECT_EQ(columns[0].name + columns[1].name + columns[2].name, "uvT");
    EXPECT_EQ(columns[1](0), 4);
    EXPECT_EQ(columns[1](1), 1);
    EXPECT_EQ(all.in_tables({"T"}).size(), 1u);
    EXPECT_EQ(all.drawn("u")[0], 5);
    EXPECT_EQ(all.drawn("u")[1], 1);
}

}  // namespace
}  // namespace solenoid::quantities_test

// Values that are given are set; of the others nothing is promised.
#include "core/uninitialized_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace solenoid::uninitialized_vector_test {
namespace {

bool are_all(const UninitializedVector<double>& values, double value) {
    return std::ranges::all_of(values, [&](double one) { return one == value; });
}

TEST(UninitializedVector, HoldsWhatItIsGiven) {
    UninitializedVector<double> values(1000, 7.0);
    EXPECT_TRUE(are_all(values, 7));
    const UninitializedVector<double> copy = values;
    EXPECT_TRUE(are_all(copy, 7));
    values.push_back(7);  // moves the others to other memory
    values.resize(3000, 7);
    EXPECT_EQ(values.size(), 3000u);
    EXPECT_TRUE(are_all(values, 7));
    values.assign(5000, 3.0);
    EXPECT_TRUE(are_all(values, 3));
}

TEST(UninitializedVector, MakesObjects) {
    struct Three {
        int value = 3;
    };
    const UninitializedVector<Three> made(100);
    EXPECT_TRUE(std::ranges::all_of(made, [](const Three& one) { return one.value == 3; }));
}

}  // namespace
}  // namespace solenoid::uninitialized_vector_test

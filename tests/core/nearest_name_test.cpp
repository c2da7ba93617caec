// The name that was meant, and how long it takes to see that there is none.
#include "core/nearest_name.hpp"

#include <gtest/gtest.h>

#include "core/timer.hpp"

namespace solenoid::nearest_name_test {
namespace {

TEST(NearestName, Few) {
    const std::vector<std::string> known{"conductivity", "density", "end", "step"};
    EXPECT_EQ(nearest_name("conductivty", known), "conductivity");
    EXPECT_EQ(nearest_name("desnity", known), "density");
    EXPECT_EQ(nearest_name("sep", known), "step");
    EXPECT_EQ(nearest_name("picture", known), "");
    EXPECT_EQ(nearest_name("setp", known), "step");  // two letters exchanged
    EXPECT_EQ(nearest_name("conductivties", known), "conductivity");
    EXPECT_EQ(nearest_name("", known), "");
    EXPECT_EQ(nearest_name("en", {}), "");
}

// Words of which half would have to be changed are others.
TEST(NearestName, AreNear) {
    const std::vector<std::string> known{"name", "field", "from", "to", "width"};
    for (const char* other : {"zoom", "form_of", "at", "x", "title", "with_mesh"})
        EXPECT_EQ(nearest_name(other, known), "") << other;
    EXPECT_EQ(nearest_name("form", known), "from");
    EXPECT_EQ(nearest_name("witdh", known), "width");
}

TEST(NearestName, LongWordsTakeNoTime) {
    const std::vector<std::string> known(1000, std::string(1000, 'a'));
    const Stopwatch watch;
    EXPECT_EQ(nearest_name(std::string(1 << 20, 'a'), known), "");
    EXPECT_EQ(nearest_name(std::string(150, 'a'), known), "");
    EXPECT_LT(watch.seconds(), 5);
}

}  // namespace
}  // namespace solenoid::nearest_name_test

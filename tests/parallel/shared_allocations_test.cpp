// Rooms in memory that ranks share: no two that are in use overlap, and each is given back once.
#include "parallel/shared_allocations.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <type_traits>

namespace solenoid::shared_allocations_test {
namespace {

// Rooms of one rank, without memory behind them.
struct Window {
    SharedAllocations allocations{128, 1024};
    SharedSlot take(std::size_t bytes) {
        return allocations.take(MPI_COMM_SELF, bytes, [](std::int64_t) { return true; });
    }
    void give_back(const SharedSlot& place) { allocations.give_back(place); }
};
using Allocation = SharedAllocation<Window>;

bool overlap(const SharedSlot& a, const SharedSlot& b) {
    return a.segment == b.segment && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

TEST(SharedAllocation, HasOneOwner) {
    static_assert(!std::is_copy_constructible_v<Allocation> &&
                  !std::is_copy_assignable_v<Allocation>);
    const auto window = std::make_shared<Window>();
    Allocation first(window, 100);
    const SharedSlot place = first.place();
    Allocation second(std::move(first));
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): an allocation that was moved is empty
    { const Allocation gone(std::move(first)); }
    const Allocation other(window, 100);
    EXPECT_EQ(second.place().offset, place.offset);
    EXPECT_FALSE(overlap(second.place(), other.place()));
}

// Made, moved and given back at random.
TEST(SharedAllocation, RoomsInUseDoNotOverlap) {
    const auto window = std::make_shared<Window>();
    std::mt19937 random(1);
    std::vector<std::optional<Allocation>> allocations(20);
    for (int step = 0; step < 2000; ++step) {
        auto& room = allocations[random() % allocations.size()];
        auto& other = allocations[random() % allocations.size()];
        if (random() % 3 == 0)
            room.reset();
        else if (random() % 2)
            room.emplace(window, random() % 700);
        else if (&room != &other && other)
            room.emplace(std::move(*std::exchange(other, std::nullopt)));
        for (std::size_t i = 0; i < allocations.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (allocations[i] && allocations[j]) {
                    ASSERT_FALSE(overlap(allocations[i]->place(), allocations[j]->place())) << step;
                }
    }
}

}  // namespace
}  // namespace solenoid::shared_allocations_test

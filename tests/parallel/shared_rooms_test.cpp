// Rooms in memory that ranks share: no two that are in use overlap, and each is given back once.
#include "parallel/shared_rooms.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <type_traits>

namespace solenoid {
namespace {

// Rooms of one rank, without memory behind them.
struct Window {
    SharedRooms rooms{128, 1024};
    SharedPlace take(std::size_t bytes) {
        return rooms.take(MPI_COMM_SELF, bytes, [](std::int64_t) { return true; });
    }
    void give_back(const SharedPlace& place) { rooms.give_back(place); }
};
using Room = SharedRoom<Window>;

bool overlap(const SharedPlace& a, const SharedPlace& b) {
    return a.segment == b.segment && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

TEST(SharedRoom, HasOneOwner) {
    static_assert(!std::is_copy_constructible_v<Room> && !std::is_copy_assignable_v<Room>);
    const auto window = std::make_shared<Window>();
    Room first(window, 100);
    const SharedPlace place = first.place();
    Room second(std::move(first));
    EXPECT_FALSE(first);
    { const Room gone(std::move(first)); }
    const Room other(window, 100);
    EXPECT_EQ(second.place().offset, place.offset);
    EXPECT_FALSE(overlap(second.place(), other.place()));
}

// Made, moved and given back at random.
TEST(SharedRoom, RoomsInUseDoNotOverlap) {
    const auto window = std::make_shared<Window>();
    std::mt19937 random(1);
    std::vector<std::optional<Room>> rooms(20);
    for (int step = 0; step < 2000; ++step) {
        auto& room = rooms[random() % rooms.size()];
        auto& other = rooms[random() % rooms.size()];
        if (random() % 3 == 0) room.reset();
        else if (random() % 2) room.emplace(window, random() % 700);
        else if (&room != &other && other) room.emplace(std::move(*std::exchange(other, std::nullopt)));
        for (std::size_t i = 0; i < rooms.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (rooms[i] && rooms[j]) { ASSERT_FALSE(overlap(rooms[i]->place(), rooms[j]->place())) << step; }
    }
}

}  // namespace
}  // namespace solenoid

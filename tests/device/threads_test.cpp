// Threads: every index once, the lowest part's exception, and the same bits with any number of
// them; sums against long double.
#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>

#include "core/pieces.hpp"
#include "core/sorted.hpp"
#include "core/transposed_incidence.hpp"
#include "device/choice/select_device.hpp"
#include "device/expression.hpp"

namespace solenoid::threads_test {
namespace {

class Threads : public testing::TestWithParam<int> {
  protected:
    Threads() { set_threads(GetParam()); }
    ~Threads() override { set_threads(1); }
};
INSTANTIATE_TEST_SUITE_P(Of, Threads, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

std::vector<double> numbers(std::size_t count) {
    std::mt19937 random(7);
    std::vector<double> values(count);
    for (double& value : values) value = std::uniform_real_distribution(-1.0, 3.0)(random);
    return values;
}

TEST_P(Threads, TakeEveryIndexOnce) {
    for (const auto& [begin, end] : {std::pair(0, 0), {5, 6}, {3, 1000}, {17, 100003}}) {
        std::vector<std::atomic<int>> visits(end);
        in_parts(
            begin, end,
            [&](std::size_t first, std::size_t last) {
                EXPECT_LT(first, last);
                EXPECT_TRUE(first == std::size_t(begin) || first % 16 == 0);
                for (std::size_t i = first; i < last; ++i) ++visits[i];
            },
            100);
        for (int i = 0; i < end; ++i) EXPECT_EQ(visits[i], i >= begin) << i;
    }
}

TEST_P(Threads, AreSeveral) {
    if (GetParam() == 1) GTEST_SKIP();
    std::atomic<int> here = 0;  // each waits for another, or a second
    in_threads(2, [&](int) {
        ++here;
        for (int wait = 0; wait < 1000 && here < 2; ++wait)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    EXPECT_EQ(here, 2);
}

TEST_P(Threads, ThrowWhatTheLowestThrew) {
    try {
        in_threads(9, [](int k) {
            if (k > 3) throw std::runtime_error("part " + std::to_string(k));
        });
        FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "part 4");
    }
}

TEST_P(Threads, SumToTheSameBits) {
    for (const std::size_t count : {0u, 1u, 4096u, 300007u}) {
        const std::vector<double> values = numbers(count);
        const double sum = sum_of_each(0, count, [&](std::size_t i) { return values[i]; });
        long double exact = 0;
        for (double value : values) exact += value;
        EXPECT_NEAR(sum, static_cast<double>(exact), 1e-12 * count);
        const int count_of_threads = threads();
        set_threads(1);
        EXPECT_EQ(sum, sum_of_each(0, count, [&](std::size_t i) { return values[i]; }));
        set_threads(count_of_threads);
    }
}

TEST_P(Threads, PutPiecesTogetherInOrder) {
    const Rows rows = joined(pieces_of(
        10007,
        [](Index begin, Index end) {
            Rows piece;
            for (Index i = begin; i < end; ++i) {
                for (Index k = 0; k < i % 5; ++k) piece.index.push_back(i + k);
                piece.start.push_back(static_cast<Index>(piece.index.size()));
            }
            return piece;
        },
        64));
    ASSERT_EQ(rows.rows(), 10007u);
    for (Index i = 0; i < rows.rows(); ++i) {
        ASSERT_EQ(rows.length(i), i % 5);
        for (Index k = 0; k < rows.length(i); ++k) EXPECT_EQ(rows.begin(i)[k], i + k);
    }
}

// The processor's kernels, elementwise and reducing, over more than one block of a reduction.
TEST_P(Threads, OfTheProcessorLeaveTheSameBits) {
    const Index count = 200003;
    const std::vector<double> values = numbers(count);
    const auto outcome = [&] {
        const auto device = select_device("cpu", 0, true).device;
        auto x = device->buffer<double>(std::span<const double>(values)),
             y = device->buffer<double>(count);
        const Over over(*device, {5, count - 3});
        over[y] = 3 * x - square(x) / (1 + abs(x));
        const double total = over.sum(ThisRank(), x * y);
        const auto [low, high] = over.reduce(least(y), greatest(y));
        std::vector<double> result = y.download();
        result.insert(result.end(), {total, low, high});
        return result;
    };
    const std::vector<double> found = outcome();
    long double sum = 0;
    for (Index i = 5; i < count - 3; ++i) {
        const double y = 3 * values[i] - values[i] * values[i] / (1 + std::abs(values[i]));
        EXPECT_EQ(found[i], y);
        sum += static_cast<long double>(values[i]) * y;
    }
    EXPECT_NEAR(found[count], static_cast<double>(sum), 1e-10 * count);
    EXPECT_EQ(found[count + 1], *std::min_element(found.begin() + 5, found.begin() + count - 3));
    EXPECT_EQ(found[count + 2], *std::max_element(found.begin() + 5, found.begin() + count - 3));
    set_threads(1);
    EXPECT_EQ(found, outcome());
}

TEST_P(Threads, SortInOneOrder) {
    for (const std::size_t count : {0, 1, 1000, 100'003, 400'000}) {
        std::mt19937 random(11);
        std::vector<std::uint64_t> values(count);
        // many alike but for the last part
        for (std::size_t i = 0; i < count; ++i)
            values[i] = std::uint64_t(random() % (count / 8 + 1)) << 32 | i;
        std::vector<std::uint64_t> expected = values;
        std::sort(expected.begin(), expected.end(), std::greater());
        sort_in_threads(values, std::greater());
        EXPECT_TRUE(values == expected) << count;
    }
}

TEST_P(Threads, TurnRowsRound) {
    std::mt19937 random(3);
    std::vector<Index> target(50'000);
    for (Index& row : target) row = random() % 3 ? Index(random() % 700) : none;
    const Rows rows =
        transposed_incidence(target.size(), 600, [&](std::size_t k) { return target[k]; });
    ASSERT_EQ(rows.rows(), 600u);
    std::vector<std::vector<Index>> expected(600);
    for (Index k = 0; k < target.size(); ++k)
        if (target[k] < 600) expected[target[k]].push_back(k);
    for (std::size_t v = 0; v < 600; ++v)
        EXPECT_TRUE(std::vector<Index>(rows.begin(v), rows.end(v)) == expected[v]) << v;
}

TEST_P(Threads, FindTheLargest) {
    const std::vector<double> values = numbers(30'011);
    EXPECT_EQ(largest_of_each(7, values.size(), [&](std::size_t i) { return values[i]; }),
              *std::max_element(values.begin() + 7, values.end()));
    EXPECT_EQ(largest_of_each(5, 5, [&](std::size_t i) { return values[i]; }), 0);
}

}  // namespace
}  // namespace solenoid::threads_test

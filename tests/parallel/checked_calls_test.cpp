// Runs that compare the collective calls of their ranks, and one that does not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "parallel/halo.hpp"
#include "support/devices.hpp"
#include "support/reproducible.hpp"

namespace solenoid {

// Names that the message has to bear: the program's symbols are those outside nameless namespaces.
namespace of_checked_calls {
[[gnu::noinline]] void agree_on_nothing(const Communicator& comm) {
    comm.agree([] {});
}
[[gnu::noinline]] double add_up(const Communicator& comm) { return comm.sum(1.0) + 1; }
[[gnu::noinline]] double add_up_elsewhere(const Communicator& comm) { return comm.sum(1.0) + 2; }
[[gnu::noinline]] double square_of(const SummingRanks& ranks, const Over& over,
                                   const Buffer<double>& x) {
    return over.dot(ranks, x, x);
}
// x += p, r -= q;  r . r
[[gnu::noinline]] double step_of(const SummingRanks& ranks, Device& device, Range range,
                                 Buffer<double>& x) {
    Buffer<double> r = device.buffer<double>(x.size()), p = device.buffer<double>(x.size());
    return kernels::CgStep<double>{.p = p, .q = p, .x = x, .r = r, .alpha = 1.0}
        .run(ranks, device, range)
        .rr;
}
[[gnu::noinline]] double pending_step_of(const SummingRanks& ranks, Device& device, Range range,
                                         Buffer<double>& x) {
    Buffer<double> r = device.buffer<double>(x.size()), p = device.buffer<double>(x.size());
    return kernels::CgStep<double>{.p = p, .q = p, .x = x, .r = r, .alpha = 1.0}
        .start(ranks, device, range)
        .get()
        .rr;
}
}  // namespace of_checked_calls

namespace {

using namespace of_checked_calls;

const Communicator& world() {
    static const Communicator comm = [] {
        setenv("SOLENOID_CHECK_CALLS", "1", 1);
        return Communicator::world();
    }();
    return comm;
}

const Communicator& self() {
    static const Communicator comm = Communicator::self();
    return comm;
}
const ThisRank& one() {
    static const ThisRank rank;
    return rank;
}

// Two entities a rank, the second a copy of the next rank's first.
struct Ring {
    Ring()
        : device(test::make_device("cpu")),
          halo(world(), *device, plan()),
          field(device->buffer<double>(2)) {}

    static HaloPlan plan() {
        const int n = world().size(), before = (world().rank() + n - 1) % n,
                  after = (world().rank() + 1) % n;
        HaloPlan plan;
        for (const int rank : {std::min(before, after), std::max(before, after)}) {
            if (!plan.neighbours.empty() && rank == plan.neighbours.back()) continue;
            plan.neighbours.push_back(rank);
            if (rank == before) plan.send.push_back(0);
            if (rank == after) plan.receive.push_back(1);
            plan.send_start.push_back(static_cast<Index>(plan.send.size()));
            plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
        }
        return plan;
    }

    std::unique_ptr<Device> device;
    Halo<double> halo;
    Buffer<double> field;
};

// What the ranks throw, the same words on all of them.
std::string words_of(const std::function<void()>& action) {
    std::string words;
    try {
        action();
    } catch (const std::logic_error& error) {
        words = error.what();
    }
    const std::vector<std::string> all =
        world().texts(std::to_string(std::hash<std::string>()(words)));
    for (const std::string& one : all) EXPECT_EQ(one, all[0]);
    return words;
}

bool is_last() { return world().rank() == world().size() - 1; }

bool contains(const std::string& words, const std::string& part) {
    return words.find(part) != std::string::npos;
}

TEST(CheckedCalls, OneRankMoreAgreesThanTheOthers) {
    const std::string words = words_of([] {
        if (is_last()) agree_on_nothing(world());
        add_up(world());
    });
    EXPECT_TRUE(contains(words, "rank 0: reduction")) << words;
    EXPECT_TRUE(contains(words, "rank " + std::to_string(world().size() - 1) + ": agree")) << words;
    EXPECT_TRUE(contains(words, "agree_on_nothing") && contains(words, "add_up")) << words;
}

TEST(CheckedCalls, TheSameSumAtTwoPlaces) {
    const std::string words = words_of([] {
        if (is_last())
            add_up_elsewhere(world());
        else
            add_up(world());
    });
    EXPECT_TRUE(contains(words, "different collective calls")) << words;
}

TEST(CheckedCalls, GhostsAreBroughtBySomeRanksOnly) {
    Ring ring;
    const std::string words = words_of([&] {
        if (!is_last()) ring.halo.exchange(ring.field);
        world().barrier();
    });
    EXPECT_TRUE(contains(words, "rank 0: exchange of ghosts")) << words;
    EXPECT_TRUE(contains(words, ": barrier")) << words;
}

TEST(CheckedCalls, HalosAreMadeBySomeRanksOnly) {
    const auto device = test::make_device("cpu");
    const std::string words = words_of([&] {
        if (is_last()) Halo<double>(world(), *device, Ring::plan());
        world().barrier();
    });
    EXPECT_TRUE(contains(words, ": halo")) << words;
}

// Whether or not the run is reproducible: without it such a launch sends nothing, so that a rank
// that leaves it out would be found by --reproducible alone, where the others wait for ever.
TEST(CheckedCalls, ALaunchWithSumsIsMadeBySomeRanksOnly) {
    Ring ring;
    const Range all{0, 2};
    const std::function<void()> launches[] = {
        [&] { square_of(world(), Over(*ring.device, all), ring.field); },
        [&] { step_of(world(), *ring.device, all, ring.field); },
        [&] { pending_step_of(world(), *ring.device, all, ring.field); }};
    const char* names[] = {"square_of", "step_of", "pending_step_of"};
    for (const bool is_reproducible : {false, true})
        for (int k = 0; k < 3; ++k) {
            std::optional<test::Reproducible> reproducible;
            if (is_reproducible) reproducible.emplace();
            const std::string words = words_of([&] {
                if (!is_last()) launches[k]();
                world().barrier();
            });
            EXPECT_TRUE(contains(words, "rank 0: launch with sums (")) << words;
            EXPECT_TRUE(contains(words, names[k])) << words;
            EXPECT_TRUE(contains(words, "rank " + std::to_string(world().size() - 1) + ": barrier"))
                << words;
        }
}

// A rank with no entity makes it, too, and a rank that sums alone needs no other.
TEST(CheckedCalls, LaunchesWithSumsOverNothingPass) {
    Ring ring;
    const std::array<double, 2> values{double(world().rank() + 1), 7};
    ring.field.upload(values);
    const int n = world().size();
    for (const bool is_reproducible : {false, true}) {
        std::optional<test::Reproducible> reproducible;
        if (is_reproducible) reproducible.emplace();
        const Range range = is_last() ? Range{0, 0} : Range{0, 1};
        const double squares = square_of(world(), Over(*ring.device, range), ring.field);
        EXPECT_EQ(world().sum(squares), (n - 1) * n * (2 * n - 1) / 6);
        EXPECT_EQ(world().sum(step_of(world(), *ring.device, range, ring.field)), 0);
        EXPECT_EQ(world().sum(pending_step_of(world(), *ring.device, range, ring.field)), 0);
        for (const SummingRanks* alone :
             {static_cast<const SummingRanks*>(&self()), static_cast<const SummingRanks*>(&one())})
            for (int k = 0; k < world().rank(); ++k)
                EXPECT_EQ(square_of(*alone, Over(*ring.device, {0, 2}), ring.field),
                          values[0] * values[0] + 49);
    }
}

// What takes no ranks has no sums.
TEST(CheckedCalls, ALaunchWithSumsNamesItsRanks) {
    const auto device = test::make_device("cpu");
    Buffer<double> x = device->buffer<double>(2), r = device->buffer<double>(2),
                   p = device->buffer<double>(2);
    const Launch launch =
        kernels::CgStep<double>{.p = p, .q = p, .x = x, .r = r, .alpha = 1.0}.bound();
    std::array<double, 1> sums{};
    EXPECT_THROW(run_launch(*device, launch, SplitRange(Range{0, 2}), Reach::own, {nullptr, sums}),
                 std::logic_error);
}

// Sums of two numbers from different places are one sum to MPI.
TEST(CheckedCalls, AreNotComparedUnlessAskedFor) {
    setenv("SOLENOID_CHECK_CALLS", "0", 1);
    const Communicator comm = Communicator::world();
    EXPECT_EQ(is_last() ? add_up_elsewhere(comm) - 1 : add_up(comm), comm.size() + 1);
    setenv("SOLENOID_CHECK_CALLS", "1", 1);
    Communicator::world();
    EXPECT_NE(words_of([] { is_last() ? add_up_elsewhere(world()) : add_up(world()); }), "");
}

// The others have left `agree` already when they learn of it: no rank waits in the outer one.
TEST(CheckedCalls, WithinAgree) {
    const std::string words = words_of([] {
        world().agree([] {
            if (is_last()) world().any(true);
        });
        world().barrier();
    });
    EXPECT_TRUE(contains(words, "rank 0: agree")) << words;
}

TEST(CheckedCalls, CallsOfAllRanksPass) {
    Ring ring;
    const int n = world().size();
    for (int round = 0; round < 3; ++round) {
        const std::array<double, 2> values{double(world().rank() + round), -1};
        ring.field.upload(values);
        ring.halo.exchange(ring.field);
        EXPECT_EQ(ring.field.download()[1], (world().rank() + 1) % n + round);
        EXPECT_EQ(world().sum(1.0), n);
        EXPECT_TRUE(world().any(is_last()));
        std::string text = world().is_root() ? "of the root" : "";
        world().broadcast(text);
        EXPECT_EQ(text, "of the root");
        EXPECT_EQ(world().exchange({{0, {std::byte(1)}}}).size(), world().is_root() ? n : 0);
        EXPECT_THROW(world().agree([] {
            world().sum(1.0);
            if (is_last()) throw InputError("refused");
        }),
                     AgreedError);
    }
}

}  // namespace
}  // namespace solenoid

// Checks of exchanges and sums: they pass what is right and tell what is wrong; a transport that
// fails them is not chosen.
#include "parallel/checks/exchange_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "faulty_device.hpp"
#include "parallel/checks/choose_transport.hpp"
#include "parallel/checks/random_plan.hpp"
#include "parallel/checks/sum_check.hpp"
#include "parallel/transport.hpp"
#include "support/devices.hpp"

namespace solenoid::exchange_check_test {
namespace {

bool has_cuda() { return std::ranges::count(test::device_names(), "cuda"); }

// A device, and the transport of messages by it.
struct Way {
    std::string device, transport;
    friend std::ostream& operator<<(std::ostream& out, const Way& way) {
        return out << way.device << " by " << way.transport;
    }
};
std::vector<Way> ways() {
    std::vector<Way> all{{"cpu", "host"}, {"cpu", "mpi"}};
    if (has_cuda()) all.insert(all.end(), {{"cuda", "gpu"}, {"cuda", "host"}});
    return all;
}

class Checks : public testing::TestWithParam<Way> {
  protected:
    Checks() : comm(Communicator::world()), device(test::make_device(GetParam().device)) {
        comm.set_transport(transport_of(GetParam().transport));
    }
    bool by_gpu() const { return GetParam().transport == "gpu"; }

    // The words on some exchanges, with a fault at the 20th of the last rank's.
    std::string words_on(Fault fault) {
        FaultyDevice faulty(*device, comm.rank() == comm.size() - 1 ? fault : Fault::none, 20);
        return ExchangeCheck(comm, faulty, {.seed = 5, .halos = 5, .most_entities = 50}).run(80);
    }
    void expect_told(const std::string& words) const {
        for (const std::string& word :
             {std::string("exchange "), "on rank " + std::to_string(comm.size() - 1) + ": ghost ",
              std::string("of rank "), std::string("column "), std::string("expected "),
              std::string("found "), std::string("seed 5")})
            EXPECT_NE(words.find(word), std::string::npos) << word << " is missing in: " << words;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
};
INSTANTIATE_TEST_SUITE_P(By, Checks, testing::ValuesIn(ways()), [](const auto& info) {
    return info.param.device + "_" + info.param.transport;
});

constexpr const char* stale = "what was there before the exchange";

TEST_P(Checks, PassWhatIsRight) {
    EXPECT_EQ(ExchangeCheck(comm, *device, {.seed = 5, .halos = 5, .most_entities = 50}).run(80),
              "");
    SumCheck sums(comm, *device, 5);
    EXPECT_EQ(sums.has_device_sums(), by_gpu());
    EXPECT_EQ(sums.run_by_communicator(500), "");
    if (by_gpu()) {
        EXPECT_EQ(sums.run_on_device(201), "");
    }
}

TEST_P(Checks, TellALostGhost) {
    const std::string words = words_on(Fault::lost_ghost);
    expect_told(words);
    EXPECT_NE(words.find(stale), std::string::npos) << words;
}

TEST_P(Checks, TellALostMessage) {
    const std::string words = words_on(Fault::lost_message);
    expect_told(words);
    EXPECT_NE(words.find(stale), std::string::npos) << words;
}

TEST_P(Checks, TellAChangedGhost) {
    const std::string words = words_on(Fault::changed_ghost);
    expect_told(words);
    EXPECT_EQ(words.find(stale), std::string::npos) << words;
}

TEST_P(Checks, TellAWrongSum) {
    // the last rank adds other numbers than the others expect, and they others than it does
    if (!by_gpu()) {
        SumCheck sums(comm, *device, comm.rank() == comm.size() - 1 ? 6 : 5);
        const std::string words = sums.run_by_communicator(20);
        EXPECT_EQ(words.find("sum 1 of the communicator on rank 0, number 1: expected "), 0u)
            << words;
        return;
    }
    FaultyDevice faulty(*device, comm.rank() == comm.size() - 1 ? Fault::wrong_sum : Fault::none,
                        37);
    const std::string words = SumCheck(comm, faulty, 5).run_on_device(100);
    EXPECT_EQ(words.find("sum 37 of the devices on rank " + std::to_string(comm.size() - 1) +
                         ", number 2: expected "),
              0u)
        << words;
}

// What the ranks send is what they expect; some are neighbours in one direction alone.
TEST(RandomPlans, FitTogether) {
    constexpr int ranks = 9;
    int one_way = 0, ghosts = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::vector<RandomPlan> plans;
        for (int rank = 0; rank < ranks; ++rank)
            plans.push_back(random_plan(rank, ranks, seed, 300));
        for (int rank = 0; rank < ranks; ++rank) {
            const HaloPlan& plan = plans[rank].plan;
            ASSERT_TRUE(std::ranges::is_sorted(plan.neighbours));
            for (std::size_t k = 0; k < plan.neighbours.size(); ++k) {
                const HaloPlan& other = plans[plan.neighbours[k]].plan;
                const auto back = std::size_t(std::ranges::find(other.neighbours, rank) -
                                              other.neighbours.begin());
                ASSERT_LT(back, other.neighbours.size());
                const Index count = plan.receive_start[k + 1] - plan.receive_start[k];
                ASSERT_EQ(count, other.send_start[back + 1] - other.send_start[back]);
                one_way += count == 0;
                for (Index i = 0; i < count; ++i, ++ghosts) {
                    const RandomPlan::Origin origin =
                        plans[rank]
                            .origins[plan.receive[plan.receive_start[k] + i] - plans[rank].owned];
                    ASSERT_EQ(origin.rank, plan.neighbours[k]);
                    ASSERT_EQ(origin.entity, other.send[other.send_start[back] + i]);
                }
            }
        }
    }
    EXPECT_GT(one_way, 0);
    EXPECT_GT(ghosts, 1000);
}

// ---- the choice of a transport

class Choice : public testing::Test {
  protected:
    // Chosen by "auto" on a GPU of each rank's own; what was said meanwhile.
    std::string chosen(Device& inner, Fault fault, int at) {
        FaultyDevice device(inner, comm.rank() == comm.size() - 1 ? fault : Fault::none, at,
                            "gpu " + std::to_string(comm.rank()));
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        choose_transport(comm, device, "auto");
        warnings = testing::internal::GetCapturedStderr();
        log = testing::internal::GetCapturedStdout();
        return transport_name(comm, device);
    }
    Communicator comm = Communicator::world();
    std::string warnings, log;
};

TEST_F(Choice, IsTheGpusWhereTheyAreRight) {
    if (!has_cuda()) GTEST_SKIP() << "no device cuda";
    const auto cuda = test::make_device("cuda");
    const Traffic before = comm.traffic();
    EXPECT_EQ(chosen(*cuda, Fault::none, 0), "GPU memory");
    EXPECT_EQ(warnings, "");
    EXPECT_NE(log.find("2000 sums and 300 exchanges were right"), std::string::npos) << log;
    EXPECT_EQ(comm.traffic().exchanges, before.exchanges);
}

TEST_F(Choice, IsTheHostWhereAGpuIsWrong) {
    if (!has_cuda()) GTEST_SKIP() << "no device cuda";
    const auto cuda = test::make_device("cuda");
    EXPECT_EQ(chosen(*cuda, Fault::wrong_sum, 1500), "shared memory");
    EXPECT_NE(warnings.find("warning: messages go through the host's memory"), std::string::npos)
        << warnings;
    EXPECT_NE(warnings.find("sum 1500 of the devices"), std::string::npos) << warnings;
}

TEST_F(Choice, IsTheHostWithoutAWordWhereGpusDoNotReachEachOther) {
    EXPECT_EQ(chosen(*make_cpu_device(), Fault::none, 0), "shared memory");
    EXPECT_EQ(warnings + log, "");
    if (!has_cuda()) return;
    const auto cuda = test::make_device("cuda");
    FaultyDevice shared(*cuda, Fault::none, 0, "the same for all ranks");
    choose_transport(comm, shared, "auto");
    EXPECT_EQ(transport_name(comm, shared), "shared memory");
}

}  // namespace
}  // namespace solenoid::exchange_check_test

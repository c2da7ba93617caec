#include <gtest/gtest.h>

#include <new>

#include "parallel/bytes.hpp"
#include "parallel/communicator.hpp"
#include "parallel/transport.hpp"

namespace solenoid::parallel_communicator_test {
namespace {

const Communicator& world() {
    // MPI ends before statics do
    static Communicator* comm = new Communicator(Communicator::world());
    return *comm;
}

std::vector<std::byte> message(int from, int to, std::size_t length) {
    std::vector<std::byte> bytes(length);
    for (std::size_t i = 0; i < length; ++i) bytes[i] = std::byte((i * 31 + from * 7 + to) & 255);
    return bytes;
}

// Short chunks stand for messages beyond the limit of MPI's int counts.
class Messages : public testing::TestWithParam<std::size_t> {
  protected:
    Messages() : comm(Communicator::world()) { comm.set_chunk_bytes(GetParam()); }
    Communicator comm;
};

TEST_P(Messages, ArriveFromTheNextRank) {
    const int next = (comm.rank() + 1) % comm.size(),
              last = (comm.rank() + comm.size() - 1) % comm.size();
    if (comm.size() == 1) return;
    for (std::size_t length : {0, 1, 6, 7, 8, 1000}) {
        std::vector<std::byte> received;
        if (comm.rank() % 2) received = comm.receive(last, 5);
        comm.send(message(comm.rank(), next, length), next, 5);
        if (comm.rank() % 2 == 0) received = comm.receive(last, 5);
        EXPECT_EQ(received, message(last, comm.rank(), length));
    }
}

TEST_P(Messages, AreBroadcast) {
    for (int root = 0; root < comm.size(); ++root) {
        std::vector<std::byte> bytes;
        std::string text = "of rank " + std::to_string(comm.rank());
        if (comm.rank() == root) bytes = message(root, 0, 100);
        comm.broadcast(bytes, root);
        comm.broadcast(text, root);
        EXPECT_EQ(bytes, message(root, 0, 100));
        EXPECT_EQ(text, "of rank " + std::to_string(root));
    }
}

TEST_P(Messages, AreGathered) {
    const int root = comm.size() - 1;
    const auto all = comm.gather(message(comm.rank(), root, 10 * comm.rank()), root);
    ASSERT_EQ(all.size(), comm.rank() == root ? std::size_t(comm.size()) : 0u);
    for (int r = 0; r < int(all.size()); ++r) EXPECT_EQ(all[r], message(r, root, 10 * r));
}

TEST_P(Messages, AreExchanged) {
    // To itself, to the ranks after it but one, and an empty one that does not arrive.
    std::map<int, std::vector<std::byte>> outgoing, expected;
    for (int to = 0; to < comm.size(); ++to)
        if (to != comm.rank() + 1)
            outgoing[to] = message(comm.rank(), to, 5 * to + 3 * comm.rank());
    for (int from = 0; from < comm.size(); ++from)
        if (comm.rank() != from + 1 && 5 * comm.rank() + 3 * from > 0)
            expected[from] = message(from, comm.rank(), 5 * comm.rank() + 3 * from);
    EXPECT_EQ(comm.exchange(outgoing), expected);
    EXPECT_TRUE(comm.exchange({}).empty());
}

INSTANTIATE_TEST_SUITE_P(Chunks, Messages, testing::Values(1, 7, std::size_t(1) << 30));

// A number of each rank whose sums depend on their order.
double term(int rank, int k) { return 1.0 / (3 + 7 * rank + k) * (rank % 3 == 1 ? 1e3 : 1); }

// ((0 + 1) + (2 + 3)) + ...: of four ranks or fewer MPI's order, too.
double sum_in_pairs(int first, int count, int k) {
    if (count == 1) return term(first, k);
    int half = 1;
    while (2 * half < count) half *= 2;
    return sum_in_pairs(first, half, k) + sum_in_pairs(first + half, count - half, k);
}

TEST(Communicator, ASumOfNothingIsNoMessage) {
    const Communicator comm = Communicator::world();
    const auto before = comm.traffic().sums;
    comm.sum(std::span<double>());
    EXPECT_EQ(comm.traffic().sums, before);
}

// Every rank has the same bits, by shared memory and by MPI; many in a row, so that fast ranks meet
// slow ones.
TEST(Communicator, SumsAlikeByEveryTransport) {
    for (const Transport transport : {Transport::automatic, Transport::mpi}) {
        const Communicator comm = Communicator::world();
        comm.set_transport(transport);
        EXPECT_EQ(transport_name(comm, *make_cpu_device()), comm.size() == 1 ? "none"
                                                            : transport == Transport::mpi
                                                                ? "MPI"
                                                                : "shared memory");
        const auto before = comm.traffic().sums;
        for (int round = 0; round < 300; ++round) {
            const int count = 1 + round % 11;  // more than eight go by MPI
            std::vector<double> values;
            for (int k = 0; k < count; ++k) values.push_back(term(comm.rank(), k + round));
            const std::vector<double> mine = values;
            comm.sum(values);
            for (int k = 0; k < count && comm.size() <= 4; ++k)
                ASSERT_EQ(values[k], sum_in_pairs(0, comm.size(), k + round)) << round;
            std::vector<double> most = values, least = values;
            comm.max(most);
            comm.min(least);
            ASSERT_EQ(most, least);
            ASSERT_EQ(comm.max(double(std::int64_t(1) << 40 | comm.rank())),
                      double(std::int64_t(1) << 40 | (comm.size() - 1)));
        }
        EXPECT_EQ(comm.traffic().sums - before, comm.size() > 1 ? 1200 : 0);
    }
}

TEST(Communicator, Reduces) {
    const Communicator& comm = world();
    const int n = comm.size();
    std::vector<double> values{double(comm.rank()), -double(comm.rank()), 2};
    auto sums = values, least = values, most = values;
    comm.sum(sums);
    comm.min(least);
    comm.max(most);
    EXPECT_EQ(sums, (std::vector<double>{n * (n - 1) / 2.0, -n * (n - 1) / 2.0, 2.0 * n}));
    EXPECT_EQ(least, (std::vector<double>{0, double(1 - n), 2}));
    EXPECT_EQ(most, (std::vector<double>{double(n - 1), 0, 2}));
    const std::int64_t large = std::int64_t(1) << 53;
    EXPECT_EQ(comm.sum(large + 1), n * (large + 1)) << "integers are not summed as doubles";
    EXPECT_TRUE(comm.any(comm.rank() == n - 1));
    EXPECT_FALSE(comm.any(false));
}

TEST(Communicator, KnowsItsHost) {
    const Communicator& comm = world();
    EXPECT_FALSE(comm.host_name().empty());
    EXPECT_LT(comm.local_rank(), comm.local_size());
    EXPECT_LE(comm.local_size(), comm.size());
    EXPECT_EQ(Communicator::self().size(), 1);
}

// ---- agreement

template <class Action>
void expect_agreed(const Communicator& comm, const std::string& text, int exit_code,
                   Action action) {
    try {
        comm.agree(action);
        FAIL() << "no rank threw";
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.what(), text);
        EXPECT_EQ(error.exit_code(), exit_code);
    }
}

TEST(Agreement, HoldsWhereNobodyFails) {
    bool is_done = false;
    world().agree([&] { is_done = true; });
    EXPECT_TRUE(is_done);
}

TEST(Agreement, IsOnTheLowestRankThatFailed) {
    const Communicator& comm = world();
    const int n = comm.size();
    expect_agreed(comm, "case.toml:3: no such rank " + std::to_string(n - 1), 2, [&] {
        if (comm.rank() == n - 1)
            throw InputError("case.toml:3", "no such rank " + std::to_string(comm.rank()));
    });
    expect_agreed(comm, "rank 0", 1,
                  [&] { throw ComputationError("rank " + std::to_string(comm.rank())); });
}

TEST(Agreement, TakesExceptionsOfAnyType) {
    const Communicator& comm = world();
    const bool fails = comm.rank() == comm.size() / 2;
    expect_agreed(comm, "odd", 1, [&] {
        if (fails) throw std::logic_error("odd");
    });
    expect_agreed(comm, "unknown exception", 1, [&] {
        if (fails) throw 42;
    });
    EXPECT_THROW(comm.agree([&] {
        if (fails) throw std::bad_alloc();
    }),
                 AgreedError);
    expect_agreed(Communicator::self(), "alone", 2, [] { throw InputError("alone"); });
}

TEST(Agreement, Nests) {
    const Communicator& comm = world();
    expect_agreed(comm, "inner", 2, [&] {
        comm.agree([&] {
            if (comm.rank() == comm.size() - 1) throw InputError("inner");
        });
    });
    EXPECT_EQ(comm.sum(1.0), comm.size()) << "and the ranks go on in step";
}

}  // namespace
}  // namespace solenoid::parallel_communicator_test

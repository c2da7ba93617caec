// Sums with a comparison of what the ranks got: they are the communicator's, and a rank that got
// something else is found by all.
#include "parallel/agreed_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace solenoid::agreed_sums_test {
namespace {

TEST(AgreedSums, AreThoseOfTheCommunicator) {
    const Communicator comm = Communicator::world();
    for (const Transport transport : {Transport::mpi, Transport::host}) {
        comm.set_transport(transport);
        AgreedSums sums(comm);
        for (int round = 0; round < 50; ++round) {
            std::vector<double> values(1 + round % 6), expected;
            for (std::size_t n = 0; n < values.size(); ++n)
                values[n] = std::sin(1 + comm.rank() + 10.0 * n + 100 * round) *
                            std::pow(10, comm.rank() % 3);
            expected = values;
            comm.sum(expected);
            const auto before = comm.traffic().sums;
            sums.sum(values);
            EXPECT_EQ(values, expected);
            EXPECT_EQ(comm.traffic().sums - before, comm.size() > 1 ? 1 : 0);
        }
    }
}

// By the last bit of one value of one rank, whichever; and found once alone.
TEST(AgreedSums, FindWhatOneRankGotOtherwise) {
    const Communicator comm = Communicator::world();
    for (int other = 0; other < comm.size(); ++other)
        for (int round = 0; round < 200; ++round) {
            AgreedSums sums(comm);
            double value = std::exp(round - 100.0);
            sums.note({&value, 1});
            if (comm.rank() == other) value = std::nextafter(value, 1e100);
            sums.note({&value, 1});
            if (comm.size() == 1) {
                sums.compare();
                continue;
            }
            try {
                if (round % 2)
                    sums.compare();
                else
                    sums.sum(1.0);
                FAIL() << "rank " << other << " was not found";
            } catch (const SumsDiffer& error) {
                EXPECT_EQ(error.exit_code(), 1);
                EXPECT_NE(std::string(error.what()).find("the ranks' sums differ"),
                          std::string::npos);
            }
            sums.compare();
        }
}

// A value that is no number has other bits where it was added up in another order.
TEST(AgreedSums, TakeAllThatAreNoNumbersForOne) {
    const Communicator comm = Communicator::world();
    AgreedSums sums(comm);
    const double value = comm.is_root() ? std::nan("1") : -std::numeric_limits<double>::quiet_NaN();
    sums.note({&value, 1});
    sums.compare();
    EXPECT_TRUE(std::isnan(sums.sum(value)));
    EXPECT_EQ(sums.sum(std::numeric_limits<double>::infinity()),
              std::numeric_limits<double>::infinity());
    EXPECT_EQ(sums.sum(1.0), comm.size());
}

}  // namespace
}  // namespace solenoid::agreed_sums_test

// Sums over the ranks on which decisions rest, with a check that all ranks got the same bits. A
// rank that decides differently would diverge from the others or wait forever.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace solenoid {

// Thrown on every rank where the ranks' sums differ.
class SumsDiffer : public AgreedError {
  public:
    SumsDiffer();
};

// Thrown on every rank where one of them was told to stop (core/stop_signal.hpp).
class AgreedStop : public AgreedError {
  public:
    AgreedStop();
};

// Each rank hashes the bits of all sums that it has received. Its hash h and h^2 travel with the
// next sum; they are whole numbers that add up exactly over n ranks. All h are equal exactly where
// n sum(h^2) = (sum h)^2. The number of ranks told to stop travels along.
class AgreedSums {
  public:
    explicit AgreedSums(const Communicator& comm) : comm_(comm) {}

    void sum(std::span<double> values);  // as Communicator::sum. Collective.
    double sum(double value) { return sum(std::span(&value, 1)), value; }
    // Adds values to the hash that every rank has computed by other means; the next sum compares
    // them.
    void note(std::span<const double> values);
    void compare();  // compares now, by a sum of its own. Collective.

    const Communicator& communicator() const { return comm_; }

  private:
    const Communicator& comm_;
    std::uint64_t hash_ = 0;
    std::vector<double> message_;
};

}  // namespace solenoid

// Sums over the ranks from which all of them decide alike, with a comparison of what each rank got:
// a rank that decides otherwise than the others goes astray, or waits for ever.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace solenoid {

// Every rank throws it.
class SumsDiffer : public AgreedError {
  public:
    SumsDiffer();
};

// Every rank throws it where one of them was told to stop (core/stop_signal.hpp).
class AgreedStop : public AgreedError {
  public:
    AgreedStop();
};

// Each rank hashes the bits of all sums that it got. With the next sum, in the same message, go its
// hash h and h^2, whole numbers that add up exactly over n ranks: n sum(h^2) = (sum h)^2 just where
// all h are equal. How many ranks are told to stop goes along.
class AgreedSums {
  public:
    explicit AgreedSums(const Communicator& comm) : comm_(comm) {}

    void sum(std::span<double> values);  // as Communicator::sum. Collective.
    double sum(double value) { return sum(std::span(&value, 1)), value; }
    // What every rank has with the same bits, added up by other means: compared with the next sum.
    void note(std::span<const double> values);
    void compare();  // now, by a sum of its own. Collective.

    const Communicator& communicator() const { return comm_; }

  private:
    const Communicator& comm_;
    std::uint64_t hash_ = 0;
    std::vector<double> message_;
};

}  // namespace solenoid

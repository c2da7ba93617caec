// Check of ghost exchanges: every ghost must get the value that its owner has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "parallel/checks/delays.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

struct ExchangeSettings {
    std::uint64_t seed = 1;
    Index halos = 24;              // used in random order
    Index most_entities = 100000;  // of a message
};

// Halos of random plans (random_plan.hpp) with 1 to 12 columns of floats, and of doubles where the
// device has them. The value of an entity is an integer below 2^22: a hash of (owner, entity,
// column) plus a number of the exchange, so that a value of another entity or exchange is detected.
// One to four exchanges are in progress at once; some are recorded (Device::repeat) where no host
// takes part. The device compares all entities after each exchange and stores the first wrong one.
class ExchangeCheck {
  public:
    // Collective, as all below.
    ExchangeCheck(const Communicator& comm, Device& device, const ExchangeSettings& settings);
    ~ExchangeCheck();

    // Runs `count` more exchanges. Returns "" or, on all ranks, a text about the first wrong value
    // of the lowest rank that has one.
    std::string run(std::int64_t count);
    std::int64_t exchanges() const { return round_; }  // so far

  private:
    class Trial;
    template <class Real>
    class TrialOf;

    void run_some(Index most);
    std::string first_wrong() const;

    Communicator comm_;
    Device& device_;
    ExchangeSettings settings_;
    Draws draws_;  // equal on all ranks
    Delays delays_;
    std::vector<std::unique_ptr<Trial>> trials_;
    std::int64_t round_ = 0;
};

}  // namespace solenoid

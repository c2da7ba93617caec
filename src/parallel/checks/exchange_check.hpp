// Exchanges of ghosts whose outcome is known: is every ghost what its owner holds?
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
    Index halos = 24;              // made at the start, used in random order
    Index most_entities = 100000;  // in a message
};

// Halos of random plans (random_plan.hpp), 1 to 12 columns, floats and doubles where the device has
// them. What an entity holds is an integer below 2^22: a hash of (owner, entity, column), plus a
// number that differs from exchange to exchange, so that a value of another entity or of another
// exchange is seen. One to four exchanges are under way at once, some of them recorded
// (Device::repeat) where no host takes part. The device compares all entities after each exchange
// and notes the first that is wrong.
class ExchangeCheck {
  public:
    // Collective, like all of it.
    ExchangeCheck(const Communicator& comm, Device& device, const ExchangeSettings& settings);
    ~ExchangeCheck();

    // So many more, and whether they were right: "", or words on the first that was not, of the
    // lowest rank that saw one. The same on all ranks.
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
    Draws draws_;  // of all ranks alike
    Delays delays_;
    std::vector<std::unique_ptr<Trial>> trials_;
    std::int64_t round_ = 0;
};

}  // namespace solenoid

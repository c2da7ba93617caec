// Errors on their way out of the library: those that all ranks have agreed on, as what a caller
// catches.
#pragma once

#include "parallel/communicator.hpp"

namespace solenoid {

struct OfAllRanks {
    virtual ~OfAllRanks() = default;
};

template <class Public>
struct Agreed : Public, OfAllRanks {
    using Public::Public;
};

inline bool is_agreed(const Error& error) { return dynamic_cast<const OfAllRanks*>(&error); }

// What `action` returns. An AgreedError leaves as an InputError or a ComputationError.
template <class Action>
auto translated(const Action& action) {
    try {
        return action();
    } catch (const AgreedError& error) {
        if (error.exit_code() == 2) throw Agreed<InputError>(error.what());
        throw Agreed<ComputationError>(error.what());
    }
}

}  // namespace solenoid

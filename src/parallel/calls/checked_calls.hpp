// A run that checks itself: every collective call is made by all ranks from the same place, or by
// none. Debug builds do so, others where the environment has SOLENOID_CHECK_CALLS=1 (0: never);
// else a test of a flag is left of it.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace solenoid {

// What every rank throws where they make different calls.
class DifferentCalls : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// Reads the environment, the root's for all. Before any checked call; collective.
void choose_checks_of_calls(MPI_Comm comm);

// Who calls: so many ranks, and how they find the largest of each of two numbers, in place.
struct CallingRanks {
    MPI_Comm comm;
    int size;
    std::function<void(std::array<std::int64_t, 2>& values)> largest;
};

// Stands at the beginning of a collective call and lives as long as it does. Its place is the stack
// of calls that led there, so that two fields whose ghosts are brought by the same line of code are
// told apart; in optimized code the stack of functions. Where ranks are at different places or in
// different calls, every one of them throws DifferentCalls, instead of waiting for ever. Calls
// within a checked one are not checked again. A reduction of 16 bytes a call.
class CheckedCall {
  public:
    // Of ranks whose calling() says who they are; name: of the call, for the message.
    template <class Ranks>
    CheckedCall(Ranks& ranks, const char* name) {
        if (is_on) [[unlikely]]
            begin(ranks.calling(), name);
    }
    ~CheckedCall() {
        if (is_on) [[unlikely]]
            --calls_within;
    }
    CheckedCall(const CheckedCall&) = delete;
    CheckedCall& operator=(const CheckedCall&) = delete;

    static inline bool is_on = false;  // the same on all ranks; as choose_checks_of_calls finds it

  private:
    static void begin(const CallingRanks& ranks, const char* name);

    // of checked calls within one another; MPI is the first thread's alone
    static inline int calls_within = 0;
};

}  // namespace solenoid

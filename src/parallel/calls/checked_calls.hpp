// Check that all ranks make the same collective calls from the same places. On in debug builds, and
// where the environment has SOLENOID_CHECK_CALLS=1 (0: off); otherwise its cost is the test of a
// flag.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace solenoid {

// Thrown on every rank where ranks make different calls.
class DifferentCalls : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// Reads the environment of the root for all ranks. Before any checked call. Collective.
void choose_checks_of_calls(MPI_Comm comm);

// The ranks that call, and how they find the largest of each of two numbers, in place.
struct CallingRanks {
    MPI_Comm comm;
    int size;
    std::function<void(std::array<std::int64_t, 2>& values)> largest;
};

// An object at the beginning of a collective call that lives as long as the call. The place of a
// call is its stack of callers (in optimized code of their functions), so that one line of code
// that fills ghosts of two fields counts as two places. Where ranks are in different calls or
// places, all of them throw DifferentCalls instead of waiting forever. Calls inside a checked call
// are not checked. Cost: a reduction of 16 bytes.
class CheckedCall {
  public:
    // ranks: their calling() gives CallingRanks. name: of the call, for the message.
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

    static inline bool is_on = false;  // equal on all ranks; set by choose_checks_of_calls()

  private:
    static void begin(const CallingRanks& ranks, const char* name);

    // depth of nested checked calls; only the first thread calls MPI
    static inline int calls_within = 0;
};

}  // namespace solenoid

// In builds that check themselves (SOLENOID_CHECKED_CALLS): every collective call is made by all ranks from the same place, or by none.
// In other builds nothing is left of it.
#pragma once

#include <mpi.h>

#include <stdexcept>

namespace solenoid {

// What every rank throws where they make different calls.
class DifferentCalls : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

#ifdef SOLENOID_CHECKED_CALLS

// Stands at the beginning of a collective call and lives as long as it does. Its place is the stack of calls that led there, so that
// two fields whose ghosts are brought by the same line of code are told apart. Where ranks are at different places or in different
// calls, every one of them throws DifferentCalls, instead of waiting for ever. Calls within a checked one are not checked again.
// An Allreduce of 16 bytes a call.
class CheckedCall {
  public:
    [[gnu::noinline]] CheckedCall(MPI_Comm comm, int size, const char* name);  // of so many ranks; name: of the call, for the message
    ~CheckedCall();
    CheckedCall(const CheckedCall&) = delete;
    CheckedCall& operator=(const CheckedCall&) = delete;
};

#else

struct CheckedCall {
    CheckedCall(MPI_Comm, int, const char*) {}
};

#endif

}  // namespace solenoid

// The start of a program that uses the library: MPI, and what its ranks have in common.
//
//   int main(int argc, char** argv) {
//       solenoid::Session session(argc, argv);
//       return session.reported("my-program", [&] { ...; return 0; });
//   }
//
// A call marked "collective" is made by all ranks, in the same order.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "core/export.hpp"

namespace solenoid {

class Communicator;

// One at a time, before all else of the library, and outliving it.
class SOLENOID_API Session {
  public:
    // Starts MPI, and ends it when the session ends; where MPI runs already, neither. Its ranks are
    // those of MPI_COMM_WORLD. Where it starts MPI, an exception that nothing catches ends
    // all ranks. is_quiet: warnings alone are printed, on rank 0; else what a run of the program
    // prints, too. Collective.
    Session(int& argc, char**& argv, bool is_quiet = true);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    int rank() const;   // of this process, from 0
    int ranks() const;  // how many there are

    // Over all ranks. Collective.
    double sum(double value) const;
    double min(double value) const;
    double max(double value) const;

    // What `action` returns, or the exit code of the error that it throws, after one line about it
    // on the error output, "PROGRAM: MESSAGE": 2 for an InputError, 1 for others. An error that
    // one rank alone throws ends all ranks. Collective.
    int reported(const std::string& program, const std::function<int()>& action) const;

    const Communicator& communicator() const;  // for the library itself

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// What the library's exceptions are (core/error.hpp): all derive from Error, have the words of the
// program's errors, and are thrown by all ranks alike.
//   InputError        a problem that cannot be: what() names the key or file, and a remedy
//   ComputationError  a solve that failed, or values that are not finite

}  // namespace solenoid

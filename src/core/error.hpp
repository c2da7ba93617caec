// Errors that a user sees, each with the exit code of the program. Only the app catches them.
#pragma once

#include <stdexcept>
#include <string>

namespace solenoid {

class Error : public std::runtime_error {
  public:
    Error(const std::string& message, int exit_code)
        : std::runtime_error(message), exit_code_(exit_code) {}
    int exit_code() const { return exit_code_; }

  private:
    int exit_code_;
};

// Bad input: exit code 2. place: what the user can open or change, such as "case.toml:12",
// "part.msh:1043" or "--set".
class InputError : public Error {
  public:
    explicit InputError(const std::string& message) : Error(message, 2) {}
    InputError(const std::string& place, const std::string& message)
        : Error(place + ": " + message, 2) {}
};

// A computation that failed (not converged, not finite): exit code 1.
class ComputationError : public Error {
  public:
    explicit ComputationError(const std::string& message) : Error(message, 1) {}
};

}  // namespace solenoid

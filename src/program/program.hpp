// What the programs solenoid and solenoid-bench share: their start, counts on the command line, and
// the end that a mistake there has.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "parallel/communicator.hpp"

namespace solenoid {

// The start of a program, once, in main: memory is kept for what is allocated next, MPI runs, and
// rank 0 alone speaks.
class Program {
  public:
    Program(int& argc, char**& argv);

  private:
    const MpiSession session_;

  public:
    const Communicator comm;  // of all ranks
};

// What is wrong with a count, from 1 to 5e8 (1e6 is as good as 1000000); empty: nothing.
std::string refused_count(const std::string& text);

// Tells, on rank 0, what --help or --version ask for, or the mistake. The exit code: 0, or 2 for a
// mistake.
int told(const Communicator& comm, const CLI::App& app, const CLI::ParseError& error,
         const std::string& mistake);

}  // namespace solenoid

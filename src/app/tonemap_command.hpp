#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "parallel/communicator.hpp"

namespace solenoid {

// Command `solenoid tonemap IN.hdr|IN.exr -o OUT.png` (docs/tone-mapping.md), with its options;
// sets the action that runs it, on one rank.
void add_tonemap(CLI::App& app, std::function<int(const Communicator&)>& action);

}  // namespace solenoid

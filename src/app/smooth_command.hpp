#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace solenoid {

struct SmoothOptions {
    std::filesystem::path surface, output;
    std::filesystem::path picture;  // empty: none
    // [length^2]; of time, step and steps two may be given, 0 and -1: not given
    double time = 0, step = 0;
    int steps = -1;
    bool keeps_volume = false;
    std::string device = "auto", precision = "double";
    bool overwrite = false, quiet = false, view = false;
};

// Adds the command `solenoid smooth` with its options. device: checks the name of one.
CLI::App* add_smooth(CLI::App& app, SmoothOptions& options, const CLI::Validator& device);

// Mean curvature flow of a surface, from file to file. Returns the exit code. Throws Error.
int smooth(const SmoothOptions& options);

}  // namespace solenoid

// What the fuzz targets share. A target is a file NAME.cpp with one function: read_input(). It
// gives the bytes to a reader, which accepts them or throws an InputError; anything else is a
// finding.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace solenoid::fuzz {

// The function of each target.
void read_input(std::string_view bytes);

// Ends the process with a message: what was promised does not hold for this input.
[[noreturn]] void finding(const std::string& what);

// Whether an action accepts its input. An Error of exit code 2 is a refusal: its message must begin
// with `place` and be of a bearable length. Other exceptions are findings.
bool accepts(const std::string& place, const std::function<void()>& action);

// A folder in memory that goes with the process.
const std::filesystem::path& scratch_folder();
// Writes a file there, and its folders.
std::filesystem::path scratch_file(const std::string& name, std::string_view bytes);

}  // namespace solenoid::fuzz

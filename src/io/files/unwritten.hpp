// Output that could not be written, such as on a full disk. A run goes on without it, tries again
// with the next output, and says at its end what is missing. Of this process: the root's.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace solenoid {

// Calls `write`, which makes `file`; again after moments where it throws WriteError. Returns
// whether it succeeded. Else warns, and `file` counts as unwritten until a later call for it
// succeeds. what: is missing then, such as "3 rows"; empty: the file.
bool write_or_note(const std::filesystem::path& file, const std::function<void()>& write,
                   const std::string& what = "");
// The same without a further trial: why `file` could not be written, or empty: it was.
void note_written(const std::filesystem::path& file, const std::string& why,
                  const std::string& what = "");

// How long to wait before each trial [s]: the first one at once; no further ones while output is
// missing, so that a full disk does not hold up each step.
std::vector<double> pauses_of_trials();

// What is missing now, a text for each file.
std::vector<std::string> unwritten();

}  // namespace solenoid

// Which files of an output folder are results: states, indices of states (.pvd) that list such,
// summary.json, the copy of the case, monitors/*.csv, checkpoints, and pictures that the summary
// names. Functions throw std::filesystem::filesystem_error, also where a file that may be a result
// cannot be read: what an index names must not go without it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace solenoid {

// Whether a file of this name lists the pieces of a state: .pvtu, of structured grids .pvti, .pvtr,
// .pvts.
bool is_state_list(std::string_view name);

// Results in a folder, relative to it: the index of states (.pvd) first, the summary next. Without
// incomplete files.
std::vector<std::filesystem::path> results_in(const std::filesystem::path& folder);
// Removes files of results that were not completed, probes, and rests of a removal.
void remove_leftovers(const std::filesystem::path& folder);
// A text such as "plate.pvd, 3 states, 2 files in monitors, summary.json".
std::string description_of_results(const std::vector<std::filesystem::path>& results);

// Of a run that is continued: removes the states NAME_000123 but those `listed`, and the pictures
// NAME_0123.png from the number `next` on, with NAME.png.
void remove_states(const std::filesystem::path& folder, const std::string& name,
                   const std::set<std::string>& listed);
void remove_pictures(const std::filesystem::path& folder, const std::string& name, int next);

// Sets results aside into a folder within `folder`, from which they come back.
void set_aside(const std::filesystem::path& folder);
bool has_set_aside(const std::filesystem::path& folder);
// Where they lie then.
std::filesystem::path set_aside_folder(const std::filesystem::path& folder);
// Puts results back. What was written meanwhile goes. Also after a set_aside or bring_back that was
// broken off.
void bring_back(const std::filesystem::path& folder);
void remove_set_aside(const std::filesystem::path& folder);

}  // namespace solenoid

// What the starter cases of all physics share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/physics.hpp"

namespace solenoid {

// A TOML basic string; a key, quoted where it must be.
std::string toml_string(const std::string& text);
std::string toml_key(const std::string& name);

// The first lines, to the end of [mesh]; a line of output, commented out. values: "Temperatures".
std::string starter_heading(const Physics& physics, const std::filesystem::path& mesh_file);
// of the mesh's coordinates, where it is not "m"
std::string with_unit(std::string starter, const std::string& unit);
std::string starter_monitor(int dimension, const char* values);

// The groups on the boundary of the domain, each of which needs a condition.
std::vector<std::string> outer_groups(const Mesh& mesh);
// Before `marker`: tables of the groups wholly inside the domain, commented out. table: what stands
// below the name; passes: what does without it.
std::string with_inner_groups(std::string starter, const Mesh& mesh, std::string_view marker,
                              std::string_view passes, std::string_view table);

}  // namespace solenoid

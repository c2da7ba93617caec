// Parts of starter cases common to all physics.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/physics.hpp"

namespace solenoid {

// A TOML basic string; a TOML key, quoted if necessary.
std::string toml_string(const std::string& text);
std::string toml_key(const std::string& name);

// starter_heading(): the first lines, to the end of [mesh]. starter_monitor(): a monitor of a line,
// commented out; values: such as "Temperatures".
std::string starter_heading(const Physics& physics, const std::filesystem::path& mesh_file);
std::string grid_starter_heading(const Physics& physics, const std::string& nodes);
// Sets the unit of the mesh's coordinates where it is not "m".
std::string with_unit(std::string starter, const std::string& unit);
std::string starter_monitor(int dimension, const char* values);

// The groups on the boundary of the domain; each needs a condition.
std::vector<std::string> outer_groups(const Mesh& mesh);
// Inserts tables of the groups entirely inside the domain, commented out, before `marker`. table:
// the text below the name. passes: what passes these groups without a condition.
std::string with_inner_groups(std::string starter, const Mesh& mesh, std::string_view marker,
                              std::string_view passes, std::string_view table);

}  // namespace solenoid

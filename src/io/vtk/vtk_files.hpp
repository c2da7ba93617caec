// VTK's XML files: one rank's piece, the list of pieces, the list of times.
#pragma once

#include <vtkUnstructuredGrid.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace solenoid {

// VTK 9.1 escapes the names of arrays, but neither those of components nor those of files.
std::string xml_escaped(const std::string& text);

// Writes part_of(file), to be published: compressed, binary, flushed to the disk. Throws
// ComputationError.
void write_vtu_part(vtkUnstructuredGrid& piece, const std::filesystem::path& file);

// The text of a .pvtu that lists `pieces` (relative names); arrays are declared as in `piece`, one
// of them.
std::string pvtu_text(vtkUnstructuredGrid& piece, const std::vector<std::string>& pieces);

// The text of a .pvd: times and the files (relative names) that hold them.
std::string pvd_text(const std::vector<std::pair<double, std::string>>& states);

}  // namespace solenoid

// XML files of VTK: the piece of a rank, the list of pieces, the list of times.
#pragma once

#include <vtkDataSet.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

class vtkUnstructuredGrid;

namespace solenoid {

// Escapes text for XML: VTK 9.1 escapes names of arrays, but not those of components and files.
std::string xml_escaped(const std::string& text);

// Writes part_of(file): binary, compressed, flushed to the disk. Throws WriteError.
void write_vtk_part(vtkDataSet& piece, const std::filesystem::path& file);

// The text of a .pvtu file that lists `pieces` (relative names). piece: one of them, which has the
// arrays.
std::string pvtu_text(vtkUnstructuredGrid& piece, const std::vector<std::string>& pieces);

// Of an image, a rectilinear or a structured grid: first and last point in each direction.
struct StructuredPieces {
    std::array<int, 6> whole;
    std::vector<std::array<int, 6>> extents;  // of each piece
    std::vector<std::string> names;
};
// The text of the file that lists them. piece: one of them.
std::string structured_list_text(vtkDataSet& piece, const StructuredPieces& pieces);

// The text of a .pvd file: times and their files (relative names).
std::string pvd_text(const std::vector<std::pair<double, std::string>>& states);

}  // namespace solenoid

// Files of triangle surfaces: STL, PLY, OBJ and VTP, by their endings.
#pragma once

#include <filesystem>

#include "surface/triangle_surface.hpp"

namespace solenoid {

// Throws InputError where the file cannot be read or holds polygons of other than three corners. Of
// STL and OBJ, equal points are one: files of the first share none.
TriangleSurface read_surface(const std::filesystem::path& file);

// Replaces the file when it is complete. STL and PLY hold numbers of single precision: throws
// InputError where a point is beyond them, and warns where corners of a triangle become one. Throws
// WriteError; the old file remains then.
void write_surface(const TriangleSurface& surface, const std::filesystem::path& file);

// Throws InputError where a point is beyond the single precision that the file would hold: to be
// asked before a long computation of the surface to be written.
void check_surface_fits(const TriangleSurface& surface, const std::filesystem::path& file);

// Throws InputError where the ending is none of those.
void check_surface_ending(const std::filesystem::path& file);

}  // namespace solenoid

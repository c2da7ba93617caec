// PLY files of triangles: text, or binary of either byte order.
#pragma once

#include <string>
#include <string_view>

#include "surface/triangle_surface.hpp"

namespace solenoid {

// The points and triangles of a file's bytes, all in their order and as precise as they are there;
// other elements and properties, such as normals and textures, are left out, and named in
// `left_out`. place: the file's name. Throws InputError with the line of text or the number of the
// entry, where the file has less than its head promises, a face has other than three corners, or a
// corner is no point of the file.
TriangleSurface surface_of_ply(std::string_view bytes, const std::string& place);

}  // namespace solenoid

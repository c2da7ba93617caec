// OBJ files of triangles: lines "v X Y Z" and "f A B C".
#pragma once

#include <string>
#include <string_view>

#include "surface/triangle_surface.hpp"

namespace solenoid {

// The points and triangles of a file's bytes, all in their order; other lines, textures and normals
// are left out, and named in `left_out`. place: the file's name. Throws InputError "place:LINE:
// ..." where a face has other than three corners, a corner is no point of the file, or a word is no
// number.
TriangleSurface surface_of_obj(std::string_view bytes, const std::string& place);

// A file's text, which holds each number as it is.
std::string obj_text(const TriangleSurface& surface);

}  // namespace solenoid

// Commands `solenoid mesh info` and `solenoid mesh box`.
#pragma once

#include <filesystem>

#include "mesh/box.hpp"

namespace solenoid {

// Reads a mesh and prints its properties as a table or as one JSON object. Returns the exit code.
// Keys of the object:
//
//   file, dimension
//   cells, faces, edges, nodes   numbers; in 2D edges and faces are the same
//   euler                        nodes - edges + faces - cells (3D), nodes - edges + cells (2D)
//   components                   parts not connected through faces
//   outer_faces                  faces with one cell
//   outer_faces_in_no_group
//   volume                       of all cells [m^3], in 2D an area [m^2]
//   low, high                    corners of the bounding box [m], three numbers each
//   boundaries                   a list of { name, faces, inner_faces, area, thin }: area in
//                                [m^2], in 2D a length [m]; inner_faces have two cells; thin:
//                                { aspect, aspect_place, curved_aspect, curved_place }, see
//                                mesh/thin_layers
//   matching_boundaries          a list of { from, to, offset }: pairs that a translation by
//                                offset [m] matches, face by face
//   matching_is_complete         false beyond 1000 pairs, or where very many groups are alike
//   regions                      a list of { name, cells, volume }
//   quality                      { least, mean, smallest_volume, largest_volume, shortest_edge,
//                                longest_edge }; 1 is the regular simplex, 0 a flat one
//   thinnest                     { aspect, aspect_place } of all cells
int mesh_info(const std::filesystem::path& file, bool json, const std::string& unit = "m");

// Makes the mesh of a box and writes it as a Gmsh file. Returns the exit code.
int mesh_box(const BoxSettings& settings, const std::filesystem::path& file);

}  // namespace solenoid

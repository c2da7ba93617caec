// Messages for the faults of a mesh, and the test for flat cells; for the checks of whole meshes
// and of slices. Messages count entities from 1.
#pragma once

#include <span>
#include <string>

#include "core/types.hpp"

namespace solenoid::faults {

// "cell 3 with its centroid at (0, 0, 1)", "nodes 1, 2 and 3 at (0, 0, 1)"
std::string cell_text(GlobalIndex cell, std::span<const Vec3> corners);
std::string nodes_text(std::span<const GlobalIndex> nodes, std::span<const Vec3> points);

// measure(): `dimension`! times the volume of a cell. round_off(): the measure that round-off of
// the positions can give a flat cell. scale: the largest coordinate of the mesh [m].
double measure(std::span<const Vec3> corners);
double round_off(std::span<const Vec3> corners, double scale);

std::string no_cells(int dimension);
std::string not_finite(GlobalIndex node, const Vec3& x);
std::string out_of_plane(GlobalIndex node, const Vec3& x, double height);
std::string no_such_node(GlobalIndex cell, GlobalIndex node, GlobalIndex nodes);
std::string repeated_node(const std::string& cell, GlobalIndex node);
std::string flat(const std::string& cell, int dimension);
std::string inverted(GlobalIndex count, GlobalIndex of, const std::string& region,
                     const std::string& first);
std::string left_handed(GlobalIndex cells);
std::string repeated_cell(const std::string& cell, GlobalIndex before);
std::string three_cells(const std::string& face, GlobalIndex a, GlobalIndex b, GlobalIndex last);
std::string overlap(const std::string& face, GlobalIndex before, GlobalIndex last);
std::string no_face(const std::string& group, const std::string& side);
std::string unused_nodes(GlobalIndex count);

}  // namespace solenoid::faults

// The visible surface of a mesh of any kind as triangles, gathered on the root: its outer faces in
// 3D, all cells in 2D.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "parallel/topology.hpp"

namespace solenoid {

// Points are in the order of their global numbers, triangles in the order of their cells, so that
// the surface is equal on any number of ranks. A periodic mesh is shown by its periodic geometry.
struct Surface {
    int dimension = 3;
    std::vector<Vec3> points;                       // [m]
    std::vector<std::array<Index, 3>> triangles;    // outward, in 2D counter-clockwise
    std::vector<std::array<glm::vec3, 3>> normals;  // at the corners: smooth except at creases
    // bit i: the side opposite corner i is an edge of the body; bit 3 + i: it lies within a cell
    std::vector<std::uint8_t> creases;
    Vec3 low{0}, high{0};  // bounds [m]

    // Positions for drawing: the centre of the bounds at 0, the longest extent 1.
    Vec3 centre() const { return 0.5 * (low + high); }
    double scale() const;
    Vec3 drawn(const Vec3& point) const { return (point - centre()) / scale(); }
};

// A triangle surface in space, with its normals, creases and bounds.
Surface surface_of(std::vector<Vec3> points, std::vector<std::array<Index, 3>> triangles);
// The same surface with its points elsewhere: the bounds stay, and with them its place and scale in
// a drawing.
void move_points(Surface& surface, std::vector<Vec3> points);

class SurfaceGather {
  public:
    SurfaceGather(const Communicator& comm, const Topology& topology);  // collective

    const Surface& surface() const { return surface_; }  // empty on other ranks than the root

    // The least and the greatest finite value over all nodes of the mesh; {0, 0} without any.
    // Collective.
    std::array<double, 2> range(std::span<const double> node_values) const;

    // On the root (value - low) / (high - low) for each point of the surface, or not_a_value.
    // Collective.
    std::vector<float> gather(std::span<const double> node_values, double low, double high) const;
    // Far below 0 even when interpolated with other values.
    static constexpr float not_a_value = -1e30f;

  private:
    Communicator comm_;
    Index marked_nodes_ = 0;
    std::vector<Index> nodes_;  // of this rank's triangles
    // on the root: for each rank the points of its nodes
    std::vector<std::vector<Index>> point_of_;
    Surface surface_;
};

}  // namespace solenoid

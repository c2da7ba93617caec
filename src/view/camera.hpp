// The camera: the direction of view, and its fit of a body into the picture.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "core/types.hpp"
#include "view/canvas.hpp"

namespace solenoid {

// The axes of the picture in space: right, up, and back towards the viewer.
struct Orientation {
    Vec3 right{1, 0, 0}, up{0, 1, 0}, back{0, 0, 1};

    Vec3 seen(const Vec3& point) const;  // components along right, up, back
    // turned about `up`, then about `right` [rad]
    Orientation turned(double yaw, double pitch) const;
    // turned about z, then about `right` [rad]: what is level stays level
    Orientation turned_upright(double yaw, double pitch) const;
};

// A view along `direction` with z upward, or y where the view is along z.
Orientation look_along(const Vec3& direction);

// A three-quarter view of a body of these extents: its longest axis to the right, z upward if
// possible. rise: how far the viewer is above the body, over how far before it.
Orientation three_quarter(const Vec3& extents, double rise = 0.55);

// A camera for drawn positions (Surface::drawn): the body's centre is at 0, its longest extent 1.
struct Camera {
    Orientation orientation;
    bool perspective = true;
    // along right, up, back; the component back counts in perspective only
    Vec3 eye{0, 0, 1};
    // half the visible width and height; in perspective those at the distance 1
    std::array<double, 2> half{1, 1};
    double radius = usual_radius;  // of the ball round 0 that it sees

    // Half the diagonal of a cube: what drawn positions of a mesh keep within.
    static constexpr double usual_radius = 0.9;

    // The transformation to clip space that fits the visible part into `plot`, in an image of this
    // size.
    glm::dmat4 clip(const Rect& plot, int width, int height) const;
};

// The camera with which the points, of any distance from 0, fill a plot of this width and height.
Camera fit(const std::vector<Vec3>& drawn_points, const Orientation& orientation, bool perspective,
           double width, double height);

// The ratio of width to height of the points without perspective.
double seen_aspect(const std::vector<Vec3>& drawn_points, const Orientation& orientation);

}  // namespace solenoid

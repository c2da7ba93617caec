// Where a body is seen from, and how it fills its part of the picture.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "core/types.hpp"
#include "view/canvas.hpp"

namespace solenoid {

// Directions of the picture in space: to the right, upward, toward the viewer.
struct Orientation {
    Vec3 right{1, 0, 0}, up{0, 1, 0}, back{0, 0, 1};

    Vec3 seen(const Vec3& point) const;                  // components along right, up, back
    Orientation turned(double yaw, double pitch) const;  // about `up`, then about `right` [rad]
};

// Looking along `direction`, z upward (y where that is the direction).
Orientation look_along(const Vec3& direction);

// A three-quarter view of a body of these extents, its longest axis to the right, z upward where it
// can be.
Orientation three_quarter(const Vec3& extents);

// Works on drawn positions (Surface::drawn): the body's centre at 0, its longest extent 1.
struct Camera {
    Orientation orientation;
    bool perspective = true;
    // along right, up, back; the distance back counts in perspective only
    Vec3 eye{0, 0, 1};
    // half the width and height seen, in perspective at the distance 1
    std::array<double, 2> half{1, 1};

    // To clip space, such that what is seen fills `plot` in an image of this size.
    glm::dmat4 clip(const Rect& plot, int width, int height) const;
};

// The points fill a plot of this width and height.
Camera fit(const std::vector<Vec3>& drawn_points, const Orientation& orientation, bool perspective,
           double width, double height);

// Width over height of the points as seen without perspective.
double seen_aspect(const std::vector<Vec3>& drawn_points, const Orientation& orientation);

}  // namespace solenoid

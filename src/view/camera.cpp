#include "view/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace solenoid {
namespace {

// tangent of half the angle of view along the longer side of the plot
constexpr double half_angle = 0.17;

Vec3 unit_axis(int k) {
    Vec3 axis(0);
    axis[k] = 1;
    return axis;
}

struct Bounds {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void include(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double middle() const { return 0.5 * (low + high); }
    double half() const { return 0.5 * (high - low); }
};

// A point at depth z is visible where |x - eye| <= half (d - z). The largest x + half z and the
// least x - half z give the eye, in their middle, and the least distance d.
Camera fit_perspective(const std::vector<Vec3>& points, Camera camera, double width,
                       double height) {
    const double longer = std::max(width, height);
    camera.half = {half_angle * width / longer, half_angle * height / longer};
    double distance = 0;
    for (int k = 0; k < 2; ++k) {
        Bounds leaning_in, leaning_out;
        for (const Vec3& p : points) {
            const Vec3 q = camera.orientation.seen(p);
            leaning_in.include(q[k] + camera.half[k] * q.z);
            leaning_out.include(q[k] - camera.half[k] * q.z);
        }
        camera.eye[k] = 0.5 * (leaning_in.high + leaning_out.low);
        distance = std::max(distance, (leaning_in.high - leaning_out.low) / (2 * camera.half[k]));
    }
    camera.eye.z = std::max(distance, 1e-3);
    return camera;
}

Camera fit_parallel(const std::vector<Vec3>& points, Camera camera, double width, double height) {
    Bounds x, y;
    for (const Vec3& p : points) {
        const Vec3 q = camera.orientation.seen(p);
        x.include(q.x);
        y.include(q.y);
    }
    const double unit = std::max({x.half() / width, y.half() / height, 1e-12});
    camera.eye = {x.middle(), y.middle(), 2 * camera.radius};
    camera.half = {unit * width, unit * height};
    return camera;
}

}  // namespace

Vec3 Orientation::seen(const Vec3& point) const {
    return {glm::dot(right, point), glm::dot(up, point), glm::dot(back, point)};
}

Orientation Orientation::turned(double yaw, double pitch) const {
    Orientation result;
    const Vec3 side = std::cos(yaw) * right + std::sin(yaw) * back;
    const Vec3 toward = std::cos(yaw) * back - std::sin(yaw) * right;
    result.right = side;
    result.back = glm::normalize(std::cos(pitch) * toward + std::sin(pitch) * up);
    result.up = glm::normalize(std::cos(pitch) * up - std::sin(pitch) * toward);
    return result;
}

Orientation Orientation::turned_upright(double yaw, double pitch) const {
    const double c = std::cos(yaw), s = std::sin(yaw);
    const auto about_z = [&](const Vec3& v) {
        return Vec3(c * v.x + s * v.y, c * v.y - s * v.x, v.z);
    };
    return Orientation{about_z(right), about_z(up), about_z(back)}.turned(0, pitch);
}

Orientation look_along(const Vec3& direction) {
    Orientation o;
    o.back = -glm::normalize(direction);
    const Vec3 upward = std::abs(o.back.z) > 0.999 ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
    o.right = glm::normalize(glm::cross(upward, o.back));
    o.up = glm::cross(o.back, o.right);
    return o;
}

// The viewer is in front of the plane of the longest axis and the upward axis, moved somewhat
// sideways and upward.
Orientation three_quarter(const Vec3& extents, double rise) {
    const double longest = std::max({extents.x, extents.y, extents.z});
    const int along = extents.x > 0.8 * longest ? 0 : extents.y > 0.8 * longest ? 1 : 2;
    const int upward = along == 2 ? 1 : 2;
    const Vec3 a = unit_axis(along), u = unit_axis(upward);
    Vec3 others = extents;
    others[along] = 0;
    const double thickness = std::max({others.x, others.y, others.z}) / longest;
    // a long body is turned less, so that it appears long
    const double side = 0.35 + 0.25 * thickness;
    const Vec3 back = glm::normalize(glm::cross(a, u) + side * a + rise * u);
    Orientation o;
    o.back = back;
    o.right = glm::normalize(glm::cross(u, back));
    o.up = glm::cross(back, o.right);
    return o;
}

glm::dmat4 Camera::clip(const Rect& plot, int width, int height) const {
    const Orientation& o = orientation;
    const glm::dmat4 view(o.right.x, o.up.x, o.back.x, 0,  //
                          o.right.y, o.up.y, o.back.y, 0,  //
                          o.right.z, o.up.z, o.back.z, 0,  //
                          -eye.x, -eye.y, -eye.z, 1);

    const double far = eye.z + radius,
                 near = std::max(eye.z - radius, perspective ? 0.02 * far : -far);
    glm::dmat4 lens(0);
    lens[0][0] = 1 / half[0];
    lens[1][1] = 1 / half[1];
    if (perspective) {
        lens[2][2] = -(far + near) / (far - near);
        lens[3][2] = -2 * far * near / (far - near);
        lens[2][3] = -1;
    } else {
        lens[2][2] = -2 / (far - near);
        lens[3][2] = -(far + near) / (far - near);
        lens[3][3] = 1;
    }
    glm::dmat4 place(1);  // moves the plot to its place in the image
    place[0][0] = plot.width / width;
    place[1][1] = plot.height / height;
    place[3][0] = (2 * plot.x + plot.width) / width - 1;
    place[3][1] = 1 - (2 * plot.y + plot.height) / height;
    return place * lens * view;
}

Camera fit(const std::vector<Vec3>& points, const Orientation& orientation, bool perspective,
           double width, double height) {
    Camera camera;
    camera.orientation = orientation;
    camera.perspective = perspective;
    if (points.empty()) return camera;
    for (const Vec3& p : points) camera.radius = std::max(camera.radius, glm::length(p));
    return perspective ? fit_perspective(points, camera, width, height)
                       : fit_parallel(points, camera, width, height);
}

double seen_aspect(const std::vector<Vec3>& points, const Orientation& orientation) {
    Bounds x, y;
    for (const Vec3& p : points) {
        const Vec3 q = orientation.seen(p);
        x.include(q.x);
        y.include(q.y);
    }
    if (points.empty() || !(y.half() > 0)) return 1e3;
    return x.half() / y.half();
}

}  // namespace solenoid

// Height fields: values of a quantity drawn as heights over a plane mesh, z = scale * value, and
// what stands on them.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "view/marker.hpp"
#include "view/surface.hpp"

namespace solenoid {

// The scale of heights, and the values that the camera holds: half as much again on either side as
// those of the first state that showed something. Pictures of one run keep both until a value
// leaves these; then all so far count as that state did.
class HeightFrame {
  public:
    // Where no scale is given the values of that state are drawn over this part of the mesh's
    // longest extent.
    static constexpr double usual_part = 0.15;

    // scale: z over the value [m over its unit], positive.
    explicit HeightFrame(std::optional<double> scale = {}) : scale_(scale) {}

    void include(const std::array<double, 2>& range);  // of the values of a state
    std::array<double, 2> held() const;                // {0, 0} before the first state
    // extent: the mesh's longest [m]. 0 where none is given and all values so far are equal.
    double scale(double extent) const;

    // What a run that goes on needs: the values that the scale follows from.
    const std::optional<std::array<double, 2>>& range() const { return range_; }
    void set_range(const std::optional<std::array<double, 2>>& range) { range_ = range; }

  private:
    std::optional<double> scale_;
    std::optional<std::array<double, 2>> range_;
};

// Heights of the points of a surface as they are drawn: z = rise * (height - 1/2) in drawn
// positions.
struct Heights {
    std::vector<float> of_points;  // from 0 to 1; empty: the surface is flat
    double rise = 0;
    double thickness = 0;  // drawn, of what the camera holds

    double z(float height) const { return rise * (height - 0.5); }
    double z_of_point(Index point) const { return of_points.empty() ? 0 : z(of_points[point]); }
};

// In drawn positions; none beside the surface. at: [m].
std::optional<double> z_at(const Surface& surface, const Heights& heights, const Vec3& at);

// The point of a plane mesh whose surface is seen at x, y of clip space, from -1 to 1 [m]; none
// beside the surface. clip: Camera::clip.
std::optional<Vec3> point_under(const Surface& surface, const Heights& heights,
                                const glm::dmat4& clip, double x, double y);

// The corners of the smallest convex polygon round a plane surface, in drawn positions: a camera
// that holds them holds all of it.
std::vector<Vec3> hull_of(const Surface& surface);

// A triangle of a body that stands on the surface, in drawn positions.
struct BodyTriangle {
    std::array<Vec3, 3> corners;
    Vec3 normal;
    std::uint8_t creases;  // bit i: the side opposite corner i is an edge of the body
    bool is_deck;
};
// Each floats at the height of the surface under its middle; those beside the surface are left out.
std::vector<BodyTriangle> bodies_of(const std::vector<Marker>& markers, const Surface& surface,
                                    const Heights& heights);

}  // namespace solenoid

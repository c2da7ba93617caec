// Draws the surface with OpenGL into whatever framebuffer is bound. Its context must be current,
// also at the end.
#pragma once

#include <glm/mat4x4.hpp>
#include <span>

#include "device/gl/program.hpp"
#include "view/camera.hpp"
#include "view/surface.hpp"

namespace solenoid {

struct RenderStyle {
    bool mesh = false;      // the sides of all triangles
    bool shaded = true;     // light and shadow, for bodies
    double line_width = 1;  // [pixels of the framebuffer]
};

class SurfaceRenderer {
  public:
    explicit SurfaceRenderer(const Surface& surface);

    // 0: the colours' low end, 1: their high end
    void set_values(std::span<const float> point_values);
    // clears first
    void draw(const Camera& camera, const glm::dmat4& clip, const RenderStyle& style) const;

  private:
    void upload_corners(const Surface& surface);

    gl::Program program_;
    gl::VertexArrayObject arrays_;
    gl::BufferObject corners_, values_;
    gl::TextureObject colours_;
    std::vector<std::array<Index, 3>> triangles_;
};

}  // namespace solenoid

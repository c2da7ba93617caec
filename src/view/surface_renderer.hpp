// Draws the surface with OpenGL into the bound framebuffer. Its context must be current whenever it
// is used or destroyed.
#pragma once

#include <glm/mat4x4.hpp>
#include <span>

#include "device/gl/program.hpp"
#include "view/camera.hpp"
#include "view/surface.hpp"

namespace solenoid {

struct RenderStyle {
    bool mesh = false;      // draw the sides of all triangles
    bool shaded = true;     // with light and shadow, for bodies
    double line_width = 1;  // [pixels of the framebuffer]
};

class SurfaceRenderer {
  public:
    explicit SurfaceRenderer(const Surface& surface);

    // point_values: 0 is the low end of the colours, 1 the high end.
    void set_values(std::span<const float> point_values);
    // Clears the framebuffer, then draws.
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

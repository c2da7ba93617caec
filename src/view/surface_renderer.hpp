// Draws the surface with OpenGL into the bound framebuffer. Its context must be current whenever it
// is used or destroyed.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <span>

#include "device/gl/program.hpp"
#include "view/camera.hpp"
#include "view/height_field.hpp"
#include "view/surface.hpp"

namespace solenoid {

struct RenderStyle {
    bool mesh = false;       // draw the sides of all triangles
    bool shaded = true;      // with light and shadow, for bodies
    bool is_raised = false;  // with the heights of a plane surface, and their light
    double rise = 0;         // z of a height of 1 over one of 0, in drawn positions
    double line_width = 1;   // [pixels of the framebuffer]
};

class SurfaceRenderer {
  public:
    explicit SurfaceRenderer(const Surface& surface);

    // Where its points have moved: the triangles are the same.
    void move(const Surface& surface);
    // point_values: 0 is the low end of the colours, 1 the high end.
    void set_values(std::span<const float> point_values);
    // Of a plane surface, as of Heights.
    void set_heights(std::span<const float> point_heights);
    void set_bodies(std::vector<BodyTriangle> bodies);  // that stand on it
    // Clears the framebuffer, then draws.
    void draw(const Camera& camera, const glm::dmat4& clip, const RenderStyle& style) const;

  private:
    void upload_corners(const Surface& surface);
    void draw_bodies() const;
    std::vector<glm::vec2> slopes(std::span<const float> point_heights) const;

    gl::Program program_;
    gl::VertexArrayObject arrays_, body_arrays_;
    gl::BufferObject corners_, values_, heights_, body_corners_;
    gl::TextureObject colours_;
    std::vector<std::array<Index, 3>> triangles_;
    std::vector<glm::vec2> points_;  // of a plane surface, drawn
    GLsizei deck_corners_ = 0, side_corners_ = 0;
};

}  // namespace solenoid

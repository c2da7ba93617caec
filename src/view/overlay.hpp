// Draws a canvas over the content of an OpenGL window.
#pragma once

#include "device/gl/program.hpp"
#include "view/canvas.hpp"

namespace solenoid {

class Overlay {
  public:
    Overlay();
    void draw(const Canvas& canvas) const;  // over the whole viewport

  private:
    gl::Program program_;
    gl::VertexArrayObject arrays_;
    gl::TextureObject texture_;
};

}  // namespace solenoid
